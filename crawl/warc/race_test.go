package warc

import (
	"path/filepath"
	"regexp"
	"strconv"
	"sync"
	"testing"
	"time"
)

// Hosts' workers write and read at once: with -race, gowarc's own constructors do
// not race, and records have ids of their own.
func TestWritersAtOnce(t *testing.T) {
	dir := t.TempDir()
	var workers sync.WaitGroup
	for i := range 4 {
		workers.Go(func() {
			path := filepath.Join(dir, strconv.Itoa(i)+Extension)
			w, err := Open(path, 0, func(Record) {})
			if err != nil {
				t.Error(err)
				return
			}
			defer w.Close()
			at, err := w.Write(Record{Type: Metadata, URL: "http://a.org/", Date: time.Unix(1, 0), ContentType: "text/plain", Block: []byte("a")})
			if err != nil {
				t.Error(err)
				return
			}
			if r, err := ReadAt(path, at.Offset, 0, Own); err != nil || string(r.Block) != "a" {
				t.Errorf("%q, %v", r.Block, err)
			}
		})
	}
	workers.Wait()
	a, _ := recordID()
	b, _ := recordID()
	form := regexp.MustCompile(`^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
	if a == b || !form.MatchString(a) {
		t.Errorf("%s, %s", a, b)
	}
}
