package archive

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/commonplace/commonplace/crawl"
	"github.com/commonplace/commonplace/crawl/warc"
	"github.com/commonplace/commonplace/storage"
)

// A bad byte does not have a removal take what is behind it.
func TestRemoveFromADamagedFile(t *testing.T) {
	dir := t.TempDir()
	a := load(t, dir, "r1")
	k := keeper(t, a, "a.org")
	for _, page := range []string{"1", "2", "3"} {
		must(t, k.Response(answer("http://a.org/"+page, 200, "Content-Type: text/plain\r\n", "text "+page)))
	}
	bad := a.known(address("http://a.org/2")).answer
	must(t, k.Close())
	path := filepath.Join(dir, string(bad.File))
	before, err := os.ReadFile(path)
	must(t, err)
	before[(bad.Offset+bad.End)/2] ^= 0x41
	must(t, os.WriteFile(path, before, 0o644))
	if n, err := a.Remove(t.Context(), map[crawl.Address]bool{address("http://a.org/1"): true}); !errors.Is(err, storage.ErrDamaged) {
		t.Errorf("%d are removed (%v)", n, err)
	}
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
		t.Errorf("%d of %d bytes are left (%v)", len(after), len(before), err)
	}
}

// An index that is of other bytes than its file, as after a backup of one of the two, cuts
// nothing off the file and hides no answer.
func TestAnIndexOfOtherBytes(t *testing.T) {
	for _, end := range []string{"5", "280"} {
		dir := t.TempDir()
		k := keeper(t, load(t, dir, "r1"), "a.org")
		for _, page := range []string{"1", "2"} {
			must(t, k.Response(answer("http://a.org/"+page, 200, "Content-Type: text/plain\r\n", "text "+page)))
		}
		must(t, k.Close())
		path := filepath.Join(dir, "00001-a.org"+warc.Extension)
		before, err := os.ReadFile(path)
		must(t, err)
		must(t, os.WriteFile(indexOf(path), []byte(`{"file":"00001-a.org`+warc.Extension+`","offset":0,"end":`+end+"}\n"), 0o644))
		for _, page := range []string{"1", "2"} {
			if load(t, dir, "r1").known(address("http://a.org/"+page)).answer.Kind != Answered {
				t.Errorf("%s: page %s is hidden", end, page)
			}
		}
		must(t, keeper(t, load(t, dir, "r1"), "a.org").Close())
		if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
			t.Errorf("%s: of %d bytes %d are left, %v", end, len(before), len(after), err)
		}
	}
}
