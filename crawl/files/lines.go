package files

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
)

// errLongLine says that a line was longer than the limit; the line was passed over.
var errLongLine = errors.New("line too long")

// lines reads lines of any length in bounded memory.
type lines struct {
	ctx     context.Context
	r       *bufio.Reader
	max     int
	number  int // of the line that next returned
	scratch []byte
	queue   [][]byte // lines to return again; a nil one was too long
}

func newLines(ctx context.Context, r io.Reader, limit int) *lines {
	if limit <= 0 {
		limit = defaultMaxLine
	}
	return &lines{ctx: ctx, r: bufio.NewReaderSize(r, 1<<16), max: limit}
}

// next is the next line without its break, valid until the following call. At
// the end it returns io.EOF; for a line over the limit, which it passes over
// without keeping it, errLongLine.
func (l *lines) next() ([]byte, error) {
	if err := l.ctx.Err(); err != nil {
		return nil, err
	}
	l.number++
	if len(l.queue) > 0 {
		line := l.queue[0]
		l.queue = l.queue[1:]
		if line == nil {
			return nil, errLongLine
		}
		return line, nil
	}
	l.scratch = l.scratch[:0]
	long := false
	for {
		part, err := l.r.ReadSlice('\n')
		if !long {
			l.scratch = append(l.scratch, part...)
			long = len(l.scratch) > l.max
		}
		switch {
		case err == bufio.ErrBufferFull:
			continue
		case err == io.EOF && len(l.scratch) == 0:
			return nil, io.EOF
		case err != nil && err != io.EOF:
			return nil, err
		case long:
			return nil, errLongLine
		}
		return bytes.TrimSuffix(bytes.TrimSuffix(l.scratch, []byte("\n")), []byte("\r")), nil
	}
}

// again puts lines back that were read after the line with the given number.
func (l *lines) again(queue [][]byte, number int) {
	if len(queue) > 0 {
		l.queue, l.number = append(queue, l.queue...), number
	}
}
