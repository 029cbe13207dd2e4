package warc

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/commonplace/commonplace/storage"
)

// A bad byte in the middle of a file loses no answer: nothing is cut off, wherever it is.
func TestABadByteCutsNothingOff(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a"+Extension)
	var file []byte
	begin := make([]int, 4)
	for n := range 3 {
		record, err := member(sample(n))
		if err != nil {
			t.Fatal(err)
		}
		file = append(file, record...)
		begin[n+1] = len(file)
	}
	for at := 0; at < len(file); at += 3 {
		bad := bytes.Clone(file)
		bad[at] ^= 0x41
		if err := os.WriteFile(path, bad, 0o644); err != nil {
			t.Fatal(err)
		}
		var seen []string
		w, err := Open(path, 0, func(r Record) { seen = append(seen, r.URL) })
		if err == nil {
			w.Close()
		}
		// A byte of the last record may be what a power cut left; some bytes of a gzip header say nothing.
		if at < begin[2] && !errors.Is(err, storage.ErrDamaged) && len(seen) < 3 {
			t.Errorf("byte %d: %v, %v", at, seen, err)
		}
		if after, readErr := os.ReadFile(path); readErr != nil || err != nil && !bytes.Equal(after, bad) || err == nil && len(after) < begin[2] {
			t.Errorf("byte %d: %d of %d bytes are left, %v", at, len(after), len(file), readErr)
		}
	}
}

// What cannot be read now may be whole: it is an error, and not the file's end.
func TestADiskThatFailsIsNoEnd(t *testing.T) {
	first, err := member(sample(0))
	if err != nil {
		t.Fatal(err)
	}
	second, err := member(sample(1))
	if err != nil {
		t.Fatal(err)
	}
	for _, failing := range []int{0, 20, len(first), len(first) + 20} {
		end, err := Whole(failingAt{append(bytes.Clone(first), second...), int64(failing)}, 0, func(Record) {})
		if !errors.Is(err, errDisk) || end > int64(failing) {
			t.Errorf("byte %d: end %d, %v", failing, end, err)
		}
	}
}

var errDisk = errors.New("input/output error")

// failingAt is a file of which what follows a byte cannot be read.
type failingAt struct {
	file []byte
	from int64
}

func (f failingAt) ReadAt(p []byte, at int64) (int, error) {
	n, err := bytes.NewReader(f.file[:f.from]).ReadAt(p, at)
	if err == io.EOF {
		err = errDisk
	}
	return n, err
}
