// Package records reads lines and CSV records of any length in bounded memory,
// and goes on after a broken one.
package records

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"math"

	"github.com/commonplace/commonplace/bounded"
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
	most    int64 // lines
	key     string
	scratch []byte

	queue []byte // lines to return again, each with its break
	next  int    // place in queue
	long  bool   // behind the queue comes a line that was too long

	Foreign func(record []byte) []byte // of a table: makes UTF-8 of a record that is not; nil: such a record is broken
	comma   rune                       // of a table, once its header is read
}

// NewLines reads lines of r, at most limits.records of at most limits.line bytes.
func NewLines(ctx context.Context, r io.Reader, l bounded.Limits) *Lines {
	l = l.WithDefaults()
	return &Lines{ctx: ctx, r: bufio.NewReaderSize(r, 1<<16), Max: int(min(l.Line, math.MaxInt32)), most: l.Records, key: "line"}
}

// NewQuoteLines is NewLines for a list of quotations.
func NewQuoteLines(ctx context.Context, r io.Reader, l bounded.Limits) *Lines {
	l.Line = l.WithDefaults().Quote
	in := NewLines(ctx, r, l)
	in.key = "quote"
	return in
}

// TooLong is what a line over the limit gets.
func (l *Lines) TooLong() error {
	return bounded.Over(l.key, int64(l.Max), "the line is longer than %d bytes", l.Max)
}

// Next is the next line without its break, valid until the following call. At
// the end it returns io.EOF; for a line over the limit, which it passes over
// without keeping it, ErrLong.
func (l *Lines) Next() ([]byte, error) {
	if err := l.ctx.Err(); err != nil {
		return nil, err
	}
	if int64(l.Number) >= l.most {
		return nil, bounded.Over("records", l.most, "the file has more than %d lines", l.most)
	}
	l.Number++
	if l.next < len(l.queue) {
		line, _, _ := bytes.Cut(l.queue[l.next:], []byte("\n"))
		l.next += len(line) + 1
		return line, nil
	}
	if l.long {
		l.long = false
		return nil, ErrLong
	}
	l.scratch = l.scratch[:0]
	l.Offset = l.after
	long := false
	for {
		part, err := l.r.ReadSlice('\n')
		l.after += int64(len(part))
		if !long {
			l.scratch = append(l.scratch, part...)
			long = len(l.scratch) > l.Max+len("\r\n")
		}
		switch {
		case err == bufio.ErrBufferFull:
			continue
		case err == io.EOF && len(l.scratch) == 0:
			return nil, io.EOF
		case err != nil && err != io.EOF:
			return nil, err
		}
		line := bytes.TrimSuffix(bytes.TrimSuffix(l.scratch, []byte("\n")), []byte("\r"))
		if long || len(line) > l.Max { // the break is no part of it
			return nil, ErrLong
		}
		return line, nil
	}
}

// again puts lines back, each with its break, that were read after the line with
// the given number; long says that the last one was too long.
func (l *Lines) again(lines []byte, long bool, number int) {
	if len(lines) == 0 && !long {
		return
	}
	if l.Number, l.long = number, long || l.long; l.next < len(l.queue) { // all of them are of the queue
		l.next -= len(lines)
		return
	}
	l.queue, l.next = lines, 0
}
