package archive

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/commonplace/commonplace/storage"
)

// A link in the place of a file of an archive leads to a file of somebody's. It is
// refused, and what it leads to stays, or is not made.
func TestLinkedFilesAreRefused(t *testing.T) {
	const text = "My thesis.\n"
	for _, name := range []string{"00001-a.org.warc.gz", "00001-a.org.warc.gz.index", passFile} {
		for _, there := range []bool{true, false} {
			thesis := filepath.Join(t.TempDir(), "thesis.txt")
			dir := t.TempDir()
			if there {
				must(t, os.WriteFile(thesis, []byte(text), 0o644))
			}
			if name == "00001-a.org.warc.gz.index" { // beside answers of ours
				must(t, keeper(t, load(t, dir, "r1"), "a.org").Close())
				must(t, os.Remove(filepath.Join(dir, name)))
			}
			must(t, os.Symlink(thesis, filepath.Join(dir, name)))
			if a, err := Load(dir, "r1"); err == nil {
				t.Errorf("%s: was loaded", name)
				k, err := a.Keep("a.org", "test/1")
				if err == nil {
					err = k.Response(answer("http://a.org/1.txt", 200, "", "text"))
				}
				if name != passFile && err == nil {
					t.Errorf("%s: was written", name)
				}
			} else if !errors.Is(err, storage.ErrDamaged) {
				t.Errorf("%s: %v", name, err)
			}
			// A link that was made after the archive was read is refused, too.
			a := &Archive{dir: dir, pass: Pass{Number: 1}, run: "r1", urls: load(t, t.TempDir(), "r1").urls}
			if _, err := a.Keep("a.org", "test/1"); name != passFile && !errors.Is(err, storage.ErrDamaged) {
				t.Errorf("%s: %v", name, err)
			}
			must(t, a.SetPass(t.Context(), Pass{Number: 2}))
			b, err := os.ReadFile(thesis)
			if there && string(b) != text || !there && err == nil {
				t.Errorf("%s: behind the link: %q, %v", name, b, err)
			}
		}
	}
}

// The archive's folder may be a link: crawl.archive names any folder.
func TestALinkedFolderIsAnArchive(t *testing.T) {
	elsewhere, link := t.TempDir(), filepath.Join(t.TempDir(), "archive")
	must(t, os.Symlink(elsewhere, link))
	k := keeper(t, load(t, link, "r1"), "a.org")
	must(t, k.Response(answer("http://a.org/1.txt", 200, "Content-Type: text/plain\r\n", "text")))
	must(t, k.Close())
	must(t, load(t, link, "r1").SetPass(t.Context(), Pass{Number: 1, Done: true}))
	a := load(t, link, "r1")
	e := a.known(address("http://a.org/1.txt")).answer
	if m, err := a.Answer(e, 100); err != nil || string(m.Body) != "text" || !a.Pass().Done {
		t.Errorf("%q, %v, %v", m.Body, err, a.Pass())
	}
}

// A file of an archive that has another name is read, and no crawl writes to it.
func TestHardLinksAreNotWritten(t *testing.T) {
	for _, name := range []string{"00001-a.org.warc.gz", "00001-a.org.warc.gz.index"} {
		dir, other := t.TempDir(), filepath.Join(t.TempDir(), "other")
		k := keeper(t, load(t, dir, "r1"), "a.org")
		must(t, k.Response(answer("http://a.org/1.txt", 200, "Content-Type: text/plain\r\n", "text")))
		must(t, k.Close())
		if err := os.Link(filepath.Join(dir, name), other); err != nil {
			t.Skip(err)
		}
		before, err := os.ReadFile(other)
		must(t, err)
		a := load(t, dir, "r1")
		if a.known(address("http://a.org/1.txt")).answer.Kind != Answered {
			t.Errorf("%s: the answer is not read", name)
		}
		if _, err := a.Keep("a.org", "test/1"); !errors.Is(err, storage.ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
		if after, err := os.ReadFile(other); err != nil || string(after) != string(before) {
			t.Errorf("%s: the other name has %d bytes, had %d, %v", name, len(after), len(before), err)
		}
	}
}
