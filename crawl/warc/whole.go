package warc

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"

	"github.com/commonplace/commonplace/storage"
)

// Whole calls each for every record of a file that we wrote, from an offset on, and returns
// where the last whole one ends. What follows is what a killed run left half-written. Where
// a whole record follows, or the file cannot be read, the file was damaged otherwise: that
// is an error, since its answers would be lost.
func Whole(f io.ReaderAt, from int64, each func(Record)) (end int64, err error) {
	in := &remembering{r: io.NewSectionReader(f, from, math.MaxInt64-from)}
	end = from
	for record, broken := range Scan(context.Background(), in, from, 0, Own) {
		switch {
		case broken == nil:
			each(record)
		case in.err != nil:
			return end, in.err
		case broken.Over:
			at, err := nextWhole(f, end+1)
			if err == nil && at >= 0 {
				err = fmt.Errorf("%w: byte %d: %s, and a whole record follows at byte %d; restore the file, or move it away to have its answers fetched again", storage.ErrDamaged, end, broken.Detail, at)
			}
			return end, err
		}
		end = record.At.End
	}
	return end, in.err
}

// memberBegin is how [member] begins.
var memberBegin = []byte("\x1f\x8b\x08\x00")

// nextWhole is where the first whole record of ours begins, from an offset on; -1: nowhere.
func nextWhole(f io.ReaderAt, from int64) (int64, error) {
	buffer := make([]byte, 1<<20)
	for {
		n, err := f.ReadAt(buffer, from)
		if err != nil && err != io.EOF {
			return -1, err
		}
		seen := 0
		for {
			at := bytes.Index(buffer[seen:n], memberBegin)
			if at < 0 {
				break
			}
			seen += at
			begin := from + int64(seen)
			if _, broken := newScanner(io.NewSectionReader(f, begin, math.MaxInt64-begin), begin, 0, Own).next(); broken == nil {
				return begin, nil
			}
			seen++
		}
		if err == io.EOF {
			return -1, nil
		}
		from += int64(n - len(memberBegin) + 1)
	}
}

// remembering keeps the error that ended reading, if it was not the file's end.
type remembering struct {
	r   io.Reader
	err error
}

func (r *remembering) Read(p []byte) (int, error) {
	n, err := r.r.Read(p)
	if err != nil && err != io.EOF {
		r.err = err
	}
	return n, err
}
