package files

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A folder's link to a file outside is not read: a library from somebody else could have a
// private file become a row. One within the folder is, and so is one that the user names.
func TestLinksThatLeadOut(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	if err := errors.Join(os.MkdirAll(at("books/more"), 0o755), os.WriteFile(at("private"), []byte("secret"), 0o600), os.WriteFile(at("books/a.txt"), []byte("a"), 0o644)); err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{
		"books/up.txt": "../private", "books/more/absolute.txt": at("private"), "books/more/list.jsonl": "../../private", "books/chain.txt": "up.txt",
		"books/within.txt": "a.txt", "books/more/within.txt": at("books/a.txt"), "books/nowhere.txt": "none", "linked": "books",
	} {
		if err := os.Symlink(to, at(link)); err != nil {
			t.Skip(err)
		}
	}
	t.Chdir(dir)
	for _, c := range []struct{ pattern, files, out string }{
		{at("books"), "a more/within nowhere within", "books/chain.txt books/more/absolute.txt books/up.txt"},
		{"books", "a more/within nowhere within", "books/chain.txt books/more/absolute.txt books/up.txt"},
		{"linked", "a more/within nowhere within", "books/chain.txt books/more/absolute.txt books/up.txt"},
		{"books/**/*.jsonl", "", "books/more/list.jsonl"},
		{"books/up.txt", "up", ""},
		{"*/up.txt", "books/up", ""}, // the folder that is meant holds both
	} {
		l, err := ListAll(t.Context(), []string{c.pattern})
		if err != nil {
			t.Errorf("%s: %v", c.pattern, err)
			continue
		}
		var ids, out []string
		for _, f := range l.Files {
			ids = append(ids, f.ID)
		}
		for _, f := range l.LeadOut {
			rel, err := filepath.Rel(dir, f.Path)
			if err != nil || !filepath.IsAbs(f.Path) {
				rel = f.Path
			}
			out = append(out, filepath.ToSlash(rel))
			if r := LeadsOut(f); r.Reason != ReasonUnsafe || r.ID != f.ID {
				t.Errorf("%+v", r)
			}
		}
		if strings.Join(ids, " ") != c.files || strings.Join(out, " ") != c.out {
			t.Errorf("%s: %q, and out lead %q", c.pattern, ids, out)
		}
	}
}
