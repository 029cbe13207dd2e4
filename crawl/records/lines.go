// Package records reads lines and CSV records of any length in bounded memory,
// and goes on after a broken one.
package records

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
)

// ErrLong says that a line was longer than the limit; the line was passed over.
var ErrLong = errors.New("line too long")

// Lines reads lines of any length in bounded memory.
type Lines struct {
	ctx     context.Context
	r       *bufio.Reader
	Max     int   // longest line
	Number  int   // of the line that Next returned
	Offset  int64 // byte at which that line begins
	after   int64 // byte after the last one read
	scratch []byte
	queue   [][]byte // lines to return again; a nil one was too long
}

// NewLines reads r; a line may have up to limit bytes, 16 MiB when it is 0.
func NewLines(ctx context.Context, r io.Reader, limit int) *Lines {
	if limit <= 0 {
		limit = 16 << 20
	}
	return &Lines{ctx: ctx, r: bufio.NewReaderSize(r, 1<<16), Max: limit}
}

// Next is the next line without its break, valid until the following call. At
// the end it returns io.EOF; for a line over the limit, which it passes over
// without keeping it, ErrLong.
func (l *Lines) Next() ([]byte, error) {
	if err := l.ctx.Err(); err != nil {
		return nil, err
	}
	l.Number++
	if len(l.queue) > 0 {
		line := l.queue[0]
		l.queue = l.queue[1:]
		if line == nil {
			return nil, ErrLong
		}
		return line, nil
	}
	l.scratch = l.scratch[:0]
	l.Offset = l.after
	long := false
	for {
		part, err := l.r.ReadSlice('\n')
		l.after += int64(len(part))
		if !long {
			l.scratch = append(l.scratch, part...)
			long = len(l.scratch) > l.Max
		}
		switch {
		case err == bufio.ErrBufferFull:
			continue
		case err == io.EOF && len(l.scratch) == 0:
			return nil, io.EOF
		case err != nil && err != io.EOF:
			return nil, err
		case long:
			return nil, ErrLong
		}
		return bytes.TrimSuffix(bytes.TrimSuffix(l.scratch, []byte("\n")), []byte("\r")), nil
	}
}

// again puts lines back that were read after the line with the given number.
func (l *Lines) again(queue [][]byte, number int) {
	if len(queue) > 0 {
		l.queue, l.Number = append(queue, l.queue...), number
	}
}
