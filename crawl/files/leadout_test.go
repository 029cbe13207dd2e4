package files

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A folder's links are read, and those to files outside are named: a library from somebody
// else could have a private file become a row. One that the user names is no such link.
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
		{at("books"), "a chain more/absolute more/within nowhere up within", "books/chain.txt books/more/absolute.txt books/up.txt"},
		{"books", "a chain more/absolute more/within nowhere up within", "books/chain.txt books/more/absolute.txt books/up.txt"},
		{"linked", "a chain more/absolute more/within nowhere up within", "books/chain.txt books/more/absolute.txt books/up.txt"},
		{"books/**/*.jsonl", "more/list.jsonl", "books/more/list.jsonl"},
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
		for _, path := range l.LeadOut {
			if rel, err := filepath.Rel(dir, path); err == nil && filepath.IsAbs(path) {
				path = rel
			}
			out = append(out, filepath.ToSlash(path))
		}
		if strings.Join(ids, " ") != c.files || strings.Join(out, " ") != c.out {
			t.Errorf("%s: %q, and out lead %q", c.pattern, ids, out)
		}
	}
}
