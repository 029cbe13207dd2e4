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

// Beginnings that a site put within one another, each a packed stream to the file's end, do not hold up the next run.
func TestBeginningsWithinOneAnother(t *testing.T) {
	const file, often = 1 << 20, 8
	const header = "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03"
	const stored = "\x00\xfb\xff\x04\x00" // 65531 bytes, behind which another block begins
	for _, test := range []struct{ name, unit string }{
		{"no record", header + stored + "x"},
		{"records", header + stored + "WARC/1.1\r\nabcdefg"},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := &countedReads{f: bytes.NewReader(bytes.Repeat([]byte(test.unit), file/len(test.unit))), left: often * file}
			next, err := nextWhole(f, 0, 2*file)
			if next != -1 || !errors.Is(err, storage.ErrDamaged) {
				t.Errorf("%d, %v", next, err)
			}
		})
	}
	whole, err := member(sample(0))
	if err != nil {
		t.Fatal(err)
	}
	behind := append(bytes.Repeat([]byte(header+stored+"x"), 100), whole...)
	if next, err := nextWhole(bytes.NewReader(behind), 0, 101*window+file); next != 1600 || err != nil {
		t.Errorf("%d, %v", next, err)
	}
}

// countedReads is a file that cannot be read any more after so many bytes.
type countedReads struct {
	f    io.ReaderAt
	left int
}

func (c *countedReads) ReadAt(p []byte, at int64) (int, error) {
	n, err := c.f.ReadAt(p, at)
	if c.left -= n; c.left < 0 {
		return n, errDisk
	}
	return n, err
}
