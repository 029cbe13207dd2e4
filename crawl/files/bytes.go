package files

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"strings"

	"github.com/klauspost/compress/gzip"

	"github.com/commonplace/commonplace/bounded"
)

// errLimit is why a reader stopped before the end.
var errLimit = errors.New("limit")

// readAll is a file's bytes after decompression, or the reason why there are none.
func readAll(ctx context.Context, file File, opts Options) (raw []byte, reason string, err error) {
	f, size, err := bounded.OpenFile(file.Path)
	if err != nil {
		return nil, unreadable(err), fmt.Errorf("open: %w", cause(err))
	}
	defer f.Close()
	in := &hashed{ctx: ctx, r: f}
	if opts.Seen != nil {
		in.sum = sha256.New()
		defer func() {
			if in.drain(size) == nil {
				opts.Seen(hex.EncodeToString(in.sum.Sum(nil)))
			}
		}()
	}
	if !strings.HasSuffix(strings.ToLower(file.Path), ".gz") {
		if size > opts.maxBytes() {
			return nil, ReasonLimit, fmt.Errorf("%d bytes, more than max_bytes %d", size, opts.maxBytes())
		}
		raw, err = take(ctx, in, size, opts.maxBytes())
		if errors.Is(err, errLimit) {
			return nil, ReasonLimit, err
		}
		if err != nil {
			return nil, unreadable(err), fmt.Errorf("read: %w", cause(err))
		}
		return raw, "", nil
	}
	limit := opts.unpacked(size)
	z, err := gzip.NewReader(in)
	if err != nil {
		return nil, ReasonGzip, fmt.Errorf("at its beginning: %w", err)
	}
	raw, err = take(ctx, z, min(gzipSize(f, size), limit), limit)
	switch {
	case errors.Is(err, errLimit):
		return nil, ReasonLimit, fmt.Errorf("%d bytes of gzip hold more than %d (%s)", size, limit, opts.limitInWords())
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return nil, ReasonUnreadable, err
	case err != nil:
		return nil, ReasonGzip, fmt.Errorf("after %d bytes of text: %w", len(raw), err)
	}
	return raw, "", nil
}

// hashed takes the hash, where there is one to take, of what is read.
type hashed struct {
	ctx  context.Context
	r    io.Reader
	sum  hash.Hash
	read int64
}

func (h *hashed) Read(p []byte) (int, error) {
	if err := h.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := h.r.Read(p)
	if h.sum != nil {
		h.sum.Write(p[:n])
	}
	h.read += int64(n)
	return n, err
}

// drain reads what a limit or a broken stream left of a file of size bytes, and one byte more if
// there is one. So the hash of a longer file is no hash of its beginning, and a file of /proc,
// whose size is 0, ends.
func (h *hashed) drain(size int64) error {
	_, err := io.Copy(io.Discard, io.LimitReader(h, size-h.read+1))
	return err
}

// gzipSize is the length that a gzip file's last four bytes promise: only a hint
// for the buffer.
func gzipSize(f *os.File, size int64) int64 {
	var last [4]byte
	if size < 18 {
		return 0
	}
	if _, err := f.ReadAt(last[:], size-4); err != nil {
		return 0
	}
	promised := int64(binary.LittleEndian.Uint32(last[:]))
	return min(promised, size*16) // a lie costs no more than this
}

// take reads r to its end, at most limit bytes, into one buffer of about the
// size that is expected. On an error it returns what came before.
func take(ctx context.Context, r io.Reader, expected, limit int64) ([]byte, error) {
	buf := make([]byte, 0, min(expected, limit)+512)
	for {
		if err := ctx.Err(); err != nil {
			return buf, err
		}
		if len(buf) == cap(buf) {
			buf = append(buf, 0)[:len(buf)]
		}
		n, err := r.Read(buf[len(buf):min(cap(buf), len(buf)+1<<20)])
		buf = buf[:len(buf)+n]
		if int64(len(buf)) > limit {
			return buf, fmt.Errorf("more than %d bytes: %w", limit, errLimit)
		}
		if err == io.EOF {
			return buf, nil
		}
		if err != nil {
			return buf, err
		}
	}
}
