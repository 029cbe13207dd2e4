package warc

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"math"

	"github.com/commonplace/commonplace/storage"
	"github.com/klauspost/compress/gzip"
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
			return end, Torn(f, end)
		}
		end = record.At.End
	}
	return end, in.err
}

// Torn is an error where a whole record of ours is at an offset or behind, or the file cannot
// be read: what begins there is not what a killed run left half-written.
func Torn(f io.ReaderAt, at int64) error {
	next, err := nextWhole(f, at, mostTried)
	if err == nil && next >= 0 {
		err = fmt.Errorf("%w: byte %d cannot be read, and a whole record follows at byte %d; restore the file, or move it away to have its answers fetched again", storage.ErrDamaged, at, next)
	}
	return err
}

// memberBegin is how [member] begins.
var memberBegin = []byte("\x1f\x8b\x08\x00")

// recordBegin is how each of its records does.
const recordBegin = "WARC/"

// window is how much is unpacked to see a stream's first byte.
const window = 32 << 10

// mostTried is how many bytes are unpacked to find a whole record. What a killed run left is
// seldom unpacked at all, but may hold beginnings that a site put there, each within the others.
const mostTried = 4 << 30

// nextWhole is where the first whole record of ours begins, from an offset on; -1: nowhere.
func nextWhole(f io.ReaderAt, from, most int64) (int64, error) {
	buffer := make([]byte, 1<<20)
	try := trial{f: f, left: most}
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
			if try.whole(begin) {
				return begin, nil
			}
			if try.left < 0 {
				return -1, fmt.Errorf("%w: too much of it looks like the beginnings of records to tell whether a whole one follows; restore the file, or move it away to have its answers fetched again", storage.ErrDamaged)
			}
			seen++
		}
		if err == io.EOF {
			return -1, nil
		}
		from += int64(n - len(memberBegin) + 1)
	}
}

// trial looks for whole records.
type trial struct {
	f    io.ReaderAt
	left int64 // bytes that it may unpack; less than 0: there were more
	in   *bufio.Reader
	gz   *gzip.Reader
}

// whole reports whether a whole record begins at an offset.
func (t *trial) whole(begin int64) bool {
	rest := func() *io.SectionReader { return io.NewSectionReader(t.f, begin, math.MaxInt64-begin) }
	if t.in == nil {
		t.in, t.gz = bufio.NewReaderSize(nil, 1<<10), new(gzip.Reader)
	}
	t.in.Reset(rest())
	if t.gz.Reset(t.in) != nil {
		return false
	}
	t.gz.Multistream(false)
	var head [len(recordBegin)]byte
	t.left -= window
	if _, err := io.ReadFull(t.gz, head[:]); err != nil || string(head[:]) != recordBegin || t.left < 0 {
		return false
	}
	unpacked, err := io.Copy(io.Discard, io.LimitReader(t.gz, t.left+1))
	if t.left -= unpacked; err != nil || t.left < 0 {
		return false
	}
	_, broken := newScanner(rest(), begin, 0, Own).next()
	return broken == nil
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
