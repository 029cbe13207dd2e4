// Package traces looks for what is left of a text in files: every byte of them, and
// every byte of what gzip and zstd have packed in them, as the pages of Parquet files
// and the records of WARC files are. It knows no format, so it finds what a reader of
// the format would not look at.
package traces

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
)

// Wanted is what is looked for: pieces of texts, and names.
type Wanted struct {
	pieces   map[uint64]bool // hashes of pieces
	filter   []uint64        // a bit for the first bits of each hash
	sealed   map[Seal]bool   // pieces of which no more is known
	lastBits []bool          // for each value of the last 16 bits of a hash: a sealed piece has it
	sample   map[Seal]bool   // these, and some of the others
	names    []string
	most     int // bytes of the longest name
}

// New looks for nothing yet.
func New() *Wanted {
	return &Wanted{pieces: map[uint64]bool{}, filter: make([]uint64, 1<<(filterBits-6)), sealed: map[Seal]bool{}, lastBits: make([]bool, 1<<16), sample: map[Seal]bool{}}
}

// AddName adds a name. It is found where no letter, digit, hyphen or underscore stands
// beside it, and where a length stands before it that is its own, as in Parquet.
func (w *Wanted) AddName(name string) {
	w.names, w.most = append(w.names, name), max(w.most, len(name))
}

// Pieces is how many pieces of texts are looked for.
func (w *Wanted) Pieces() int { return len(w.pieces) + len(w.sealed) }

// Found is what was found.
type Found struct {
	Pieces   map[uint64]Seal // by their hashes
	Names    []string
	Bytes    int64 // that were looked at
	Unpacked int64 // and of these, bytes that were packed in others
	Shallow  int   // packed parts that are too large to look for others in them
}

// Any says that anything was found.
func (f *Found) Any() bool { return len(f.Pieces) > 0 || len(f.Names) > 0 }

// chunk is how much of a file is read at once.
const chunk = 256 << 10

// In looks through a file.
func (w *Wanted) In(ctx context.Context, file io.ReaderAt, size int64) (*Found, error) {
	f := &Found{Pieces: map[uint64]Seal{}}
	err := w.in(ctx, file, size, 0, f)
	slices.Sort(f.Names)
	f.Names = slices.Compact(f.Names)
	return f, err
}

func (w *Wanted) in(ctx context.Context, file io.ReaderAt, size int64, depth int, f *Found) error {
	s := w.scan(f)
	buf := make([]byte, min(size, chunk)+longestMagic)
	for at := int64(0); at < size; {
		if err := ctx.Err(); err != nil {
			return err
		}
		// Behind what is scanned now, enough is read to see what begins at its end.
		n := min(size-at, int64(len(buf)))
		if _, err := file.ReadAt(buf[:n], at); err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		own := min(n, int64(len(buf)-longestMagic))
		s.write(buf[:own])
		for _, p := range packedIn(buf[:n], int(own)) {
			if err := w.unpack(ctx, file, at+int64(p.at), size, p.kind, depth, f); err != nil {
				return err
			}
		}
		at += own
	}
	s.end()
	return nil
}

// scan looks through one stream of bytes.
type scan struct {
	w       *Wanted
	f       *Found
	rolling rolling
	tail    []byte // the last bytes, for names across two writes
	cut     bool   // others came before the tail
}

func (w *Wanted) scan(f *Found) *scan { return &scan{w: w, f: f} }

func (s *scan) write(b []byte) {
	s.f.Bytes += int64(len(b))
	if s.w.Pieces() > 0 {
		s.rolling.find(b, s.w, s.f.Pieces)
	}
	if len(s.w.names) == 0 {
		return
	}
	both := append(s.tail, b...)
	s.findNames(both)
	from := max(0, len(both)-s.w.most-lengthBytes-1)
	s.tail, s.cut = append(s.tail[:0], both[from:]...), s.cut || from > 0
}

// end looks at a name that the stream ends with.
func (s *scan) end() { s.findNames(append(s.tail, 0)) }

func (s *scan) findNames(b []byte) {
	for _, name := range s.w.names {
		for at := 0; ; {
			i := bytes.Index(b[at:], []byte(name))
			if i < 0 {
				break
			}
			begin, end := at+i, at+i+len(name)
			known := s.cut && begin <= lengthBytes                // from the write before, which had all that stands there
			if end < len(b) && !known && isWhole(b, begin, end) { // else what follows decides
				s.f.Names = append(s.f.Names, name)
				break
			}
			at = begin + 1
		}
	}
}

// lengthBytes are those of the length that Parquet writes before a value.
const lengthBytes = 4

// isWhole reports whether what stands at b[begin:end] is a whole name.
func isWhole(b []byte, begin, end int) bool {
	n := end - begin
	if begin > 0 && n < 256 && int(b[begin-1]) == n { // as in a Parquet file's footer
		return true
	}
	if begin >= lengthBytes && bytes.Equal(b[begin-lengthBytes:begin], []byte{byte(n), byte(n >> 8), byte(n >> 16), byte(n >> 24)}) {
		return true
	}
	return (begin == 0 || !inName(b[begin-1])) && !inName(b[end])
}

func inName(c byte) bool {
	return c == '-' || c == '_' || c >= 0x80 || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}
