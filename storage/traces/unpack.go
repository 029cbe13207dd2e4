package traces

import (
	"bytes"
	"context"
	"errors"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// Beginnings of what is packed. Bytes that begin so by chance are not unpacked far.
var (
	gzipMagic = []byte{0x1f, 0x8b, 8}
	zstdMagic = []byte{0x28, 0xb5, 0x2f, 0xfd}
)

const longestMagic = 4

// deepest is how far packed parts are looked for in packed parts: a page in gzip, in a
// WARC file's record. Only parts up to a size are, which are held in memory.
const (
	deepest    = 3
	mostHeld   = 64 << 20
	mostWindow = 128 << 20
)

// packed is where something packed may begin.
type packed struct {
	at   int
	kind byte // of its beginning
}

// packedIn finds what may be packed and begins in the first bytes of a buffer.
func packedIn(b []byte, first int) (all []packed) {
	for _, magic := range [][]byte{gzipMagic, zstdMagic} {
		for at := 0; ; at++ {
			i := bytes.Index(b[at:], magic)
			if i < 0 || at+i >= first {
				break
			}
			at += i
			all = append(all, packed{at, magic[0]})
		}
	}
	return all
}

// unpack looks through what is packed at a place, as far as it can be unpacked.
func (w *Wanted) unpack(ctx context.Context, file io.ReaderAt, at, size int64, kind byte, depth int, f *Found) error {
	if depth == deepest {
		f.Shallow++
		return nil
	}
	var from io.Reader
	switch kind {
	case gzipMagic[0]:
		z, err := gzip.NewReader(io.NewSectionReader(file, at, size-at))
		if err != nil {
			return nil // it only looks like gzip
		}
		z.Multistream(false) // the next one is found by itself
		from = z
	default:
		end, ok := frameEnd(file, at, size)
		if !ok {
			return nil
		}
		z, err := zstd.NewReader(io.NewSectionReader(file, at, end-at), zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(mostWindow))
		if err != nil {
			return nil
		}
		defer z.Close()
		from = z
	}
	var held bytes.Buffer
	_, err := io.Copy(&held, io.LimitReader(from, mostHeld))
	before := f.Bytes
	defer func() { f.Unpacked += f.Bytes - before }()
	if held.Len() < mostHeld || err != nil { // that it breaks off is no reason to pass over its beginning
		unpacked := f.Unpacked
		err := w.in(ctx, bytes.NewReader(held.Bytes()), int64(held.Len()), depth+1, f)
		f.Unpacked = unpacked // counted once
		return err
	}
	f.Shallow++
	s := w.scan(f)
	s.write(held.Bytes())
	held = bytes.Buffer{}
	buf := make([]byte, chunk)
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := from.Read(buf)
		s.write(buf[:n])
		if err != nil {
			s.end()
			return nil
		}
	}
}

// frameEnd is where a frame of zstd ends, by the headers of its blocks.
func frameEnd(file io.ReaderAt, at, size int64) (end int64, ok bool) {
	var head [zstd.HeaderMaxSize]byte
	n, err := file.ReadAt(head[:min(int64(len(head)), size-at)], at)
	if err != nil && !errors.Is(err, io.EOF) {
		return 0, false
	}
	var h zstd.Header
	if err := h.Decode(head[:n]); err != nil || h.Skippable {
		return 0, false
	}
	at += int64(h.HeaderSize)
	for {
		var b [3]byte
		if n, _ := file.ReadAt(b[:], at); n < len(b) {
			return 0, false
		}
		block := int64(b[0]) | int64(b[1])<<8 | int64(b[2])<<16
		at += 3
		switch length := block >> 3; block >> 1 & 3 {
		case 1: // one byte, repeated
			at++
		case 3: // reserved: it only looks like zstd
			return 0, false
		default:
			at += length
		}
		if at > size {
			return 0, false
		}
		if block&1 == 1 {
			if h.HasCheckSum {
				at += 4
			}
			return at, true
		}
	}
}
