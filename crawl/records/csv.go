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

// maxFields is more than any table has columns: a field costs more memory than its
// comma.
const maxFields = 100_000

// fieldsOf is about the number of a record's fields.
func fieldsOf(record []byte, comma byte) int {
	if n := bytes.Count(record, []byte{comma}); n < maxFields {
		return n + 1
	}
	n, quoted := 1, false
	for _, c := range record {
		switch {
		case c == '"':
			quoted = !quoted
		case c == comma && !quoted:
			n++
		}
	}
	return n
}

// separator is what stands between the fields of a table. Spreadsheets of many countries
// write semicolons into what they call CSV, and tabs with UTF-16, as the header, which
// comes first, shows.
func (in *Lines) separator(header []byte, comma rune) rune {
	if in.comma == 0 {
		in.comma = comma
		for _, other := range []rune{';', '\t'} {
			if comma == ',' && bytes.Count(header, []byte{byte(other)}) > bytes.Count(header, []byte{byte(in.comma)}) {
				in.comma = other
			}
		}
	}
	return in.comma
}

// Next reads one record, which goes on over line breaks while a quotation
// mark is open, and says on which line it began. When the mark is never closed,
// only the first line is broken: the others are read again by themselves.
func Next(in *Lines, comma rune) ([]string, int, error) {
	var record []byte // lines, each with its break
	rest := 0         // where its second line begins
	marks := 0
	first := 0
	broken := func(tooLong, longBehind bool, err error) ([]string, int, error) {
		in.again(record[rest:], longBehind, first)
		return nil, first, &Broken{tooLong, err}
	}
	unclosed := errors.New("a quotation mark is opened and not closed")
	for {
		raw, err := in.Next()
		if first == 0 {
			first = in.Number
		}
		if in.Number == 1 {
			raw = bytes.TrimPrefix(raw, []byte("\ufeff"))
		}
		switch {
		case errors.Is(err, ErrLong) && len(record) == 0:
			return nil, first, &Broken{true, in.TooLong()}
		case errors.Is(err, ErrLong): // it is rejected as a line of its own
			return broken(false, true, unclosed)
		case err == io.EOF && len(record) > 0:
			return broken(false, false, unclosed)
		case err != nil:
			return nil, first, err
		}
		if len(record) == 0 && len(bytes.TrimSpace(raw)) == 0 {
			first = 0
			continue
		}
		record = append(append(record, raw...), '\n')
		if rest == 0 {
			rest = len(record)
		}
		if len(record) > in.Max {
			return broken(false, false, fmt.Errorf("%w within %d bytes", unclosed, in.Max))
		}
		if marks += bytes.Count(raw, []byte{'"'}); marks%2 == 0 {
			break
		}
	}
	text := record // what is read again is read as it stands in the file
	if !utf8.Valid(record) && in.Foreign != nil {
		text = in.Foreign(record)
	}
	if !utf8.Valid(text) {
		return nil, first, &Broken{false, errors.New("the record is not UTF-8")}
	}
	comma = in.separator(text, comma)
	if n := fieldsOf(text, byte(comma)); n > maxFields {
		return nil, first, &Broken{false, fmt.Errorf("it has %d fields, more than %d", n, maxFields)}
	}
	r := csv.NewReader(bytes.NewReader(text))
	r.Comma = comma
	r.FieldsPerRecord = -1
	fields, err := r.Read()
	if err != nil {
		var pe *csv.ParseError
		if errors.As(err, &pe) {
			err = pe.Err
		}
		return broken(false, false, err) // its later lines may be good
	}
	if r.InputOffset() < int64(len(text)) { // quotation marks that close on another line than they should
		return broken(false, false, errors.New("a quotation mark stands where none can"))
	}
	return fields, first, nil
}
