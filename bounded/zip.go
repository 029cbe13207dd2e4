package bounded

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"os"

	"github.com/klauspost/compress/zip"
)

// Zip is an open archive.
type Zip struct {
	*zip.Reader
	file *os.File
}

// Close lets the archive go.
func (z *Zip) Close() error { return z.file.Close() }

// OpenZip opens an archive whose directory was counted first: a reader keeps all
// of a directory in memory, ten times its size.
func OpenZip(path string, l Limits) (*Zip, error) {
	f, size, err := OpenFile(path)
	if err != nil {
		return nil, err
	}
	r, err := newZip(f, size, l.WithDefaults())
	if err != nil {
		f.Close()
		return nil, err
	}
	return &Zip{r, f}, nil
}

func newZip(f io.ReaderAt, size int64, l Limits) (*zip.Reader, error) {
	for _, at := range directories(f, size) {
		if n := countEntries(io.NewSectionReader(f, at, size-at), l.Entries); n > l.Entries {
			return nil, Over("entries", l.Entries, "the archive has more than %d entries", l.Entries)
		}
	}
	return zip.NewReader(f, size)
}

// directories are the places where an archive's directory may begin. Its end says
// where, and how long it is, and readers differ in which of the two they believe.
func directories(f io.ReaderAt, size int64) []int64 {
	const endSize, locatorSize, end64Size = 22, 20, 56
	if size < endSize {
		return nil
	}
	tail := make([]byte, min(size, 65<<10)) // as far as the reader looks
	if n, err := f.ReadAt(tail, size-int64(len(tail))); n < len(tail) && err != nil {
		return nil
	}
	at := bytes.LastIndex(tail[:len(tail)-endSize+4], []byte("PK\x05\x06"))
	if at < 0 {
		return nil
	}
	end := size - int64(len(tail)-at)
	length, offset := int64(binary.LittleEndian.Uint32(tail[at+12:])), int64(binary.LittleEndian.Uint32(tail[at+16:]))
	places := []int64{end - length, offset}
	if at >= locatorSize && string(tail[at-locatorSize:][:4]) == "PK\x06\x07" {
		end64 := int64(binary.LittleEndian.Uint64(tail[at-locatorSize+8:]))
		var b [end64Size]byte
		if _, err := f.ReadAt(b[:], end64); err == nil {
			length, offset = int64(binary.LittleEndian.Uint64(b[40:])), int64(binary.LittleEndian.Uint64(b[48:]))
			places = append(places, end64-length, offset)
		}
	}
	var inside []int64
	for _, p := range places {
		if p >= 0 && p < size {
			inside = append(inside, p)
		}
	}
	return inside
}

// countEntries goes over a directory and keeps none of it. It stops behind most.
func countEntries(r io.Reader, most int64) int64 {
	in := bufio.NewReaderSize(r, 1<<16)
	var head [46]byte
	n := int64(0)
	for ; n <= most; n++ {
		if _, err := io.ReadFull(in, head[:]); err != nil || string(head[:4]) != "PK\x01\x02" {
			break
		}
		rest := int(binary.LittleEndian.Uint16(head[28:])) + int(binary.LittleEndian.Uint16(head[30:])) + int(binary.LittleEndian.Uint16(head[32:]))
		if _, err := in.Discard(rest); err != nil {
			return n + 1
		}
	}
	return n
}
