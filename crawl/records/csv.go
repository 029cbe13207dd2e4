package records

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// Broken is a record that cannot be read; the next one may be good.
type Broken struct {
	TooLong bool // it is over the limit
	Err     error
}

func (b *Broken) Error() string { return b.Err.Error() }

func (b *Broken) Unwrap() error { return b.Err }

// Next reads one record, which goes on over line breaks while a quotation
// mark is open, and says on which line it began. When the mark is never closed,
// only the first line is broken: the others are read again by themselves.
func Next(in *Lines, comma rune) ([]string, int, error) {
	var record []byte
	var more [][]byte // the record's lines after the first
	first := 0
	broken := func(tooLong bool, err error) ([]string, int, error) {
		in.again(more, first)
		return nil, first, &Broken{tooLong, err}
	}
	for {
		raw, err := in.Next()
		if first == 0 {
			first = in.Number
		}
		unclosed := errors.New("a quotation mark is opened and not closed")
		switch {
		case errors.Is(err, ErrLong) && len(record) == 0:
			return broken(true, fmt.Errorf("the line is longer than max_line %d", in.Max))
		case errors.Is(err, ErrLong):
			more = append(more, nil) // it is rejected as a line of its own
			return broken(false, unclosed)
		case err == io.EOF && len(record) > 0:
			return broken(false, unclosed)
		case err != nil:
			return nil, first, err
		}
		if len(record) == 0 && len(bytes.TrimSpace(raw)) == 0 {
			first = 0
			continue
		}
		if len(record) > 0 {
			more = append(more, bytes.Clone(raw))
		}
		record = append(append(record, raw...), '\n')
		if len(record) > in.Max {
			return broken(false, fmt.Errorf("%w within max_line %d", unclosed, in.Max))
		}
		if bytes.Count(record, []byte{'"'})%2 == 0 {
			break
		}
	}
	if !utf8.Valid(record) {
		return nil, first, &Broken{false, errors.New("the record is not UTF-8")}
	}
	r := csv.NewReader(bytes.NewReader(record))
	r.Comma = comma
	r.FieldsPerRecord = -1
	fields, err := r.Read()
	if err != nil {
		var pe *csv.ParseError
		if errors.As(err, &pe) {
			err = pe.Err
		}
		return nil, first, &Broken{false, err}
	}
	if r.InputOffset() < int64(len(record)) { // quotation marks that close on another line than they should
		return broken(false, errors.New("a quotation mark stands where none can"))
	}
	return fields, first, nil
}
