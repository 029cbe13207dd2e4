package files

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	commonplace "github.com/commonplace/commonplace"
)

// readCSV reads records under a header line. A quoted field may hold line
// breaks; the record's number is that of its first line.
func (l *quoteList) readCSV(in *lines, comma rune) {
	var at struct{ id, text, author, work, ebook int }
	var width int
	header := true
	for {
		record, line, err := nextRecord(in, comma)
		if err == io.EOF {
			return
		}
		var broken *brokenRecord
		switch {
		case errors.As(err, &broken):
			if header {
				l.reject(line, "", ReasonBrokenLine, "the header: "+broken.Error())
				return
			}
			if !l.reject(line, "", broken.reason, broken.Error()) {
				return
			}
			continue
		case err != nil:
			l.fail(line, err)
			return
		case header:
			header, width = false, len(record)
			record[0] = strings.TrimPrefix(record[0], "\ufeff")
			find := func(key string) int { return slices.Index(record, l.opts.column(key)) }
			at.id, at.text, at.author, at.work, at.ebook = find("id"), find("text"), find("author"), find("work"), find("ebook")
			for _, key := range []string{"id", "text"} {
				if find(key) < 0 {
					l.reject(line, "", ReasonBrokenLine, fmt.Sprintf("the header has no column %s; it has %s; say with columns which one is the %s",
						l.opts.column(key), strings.Join(record, ", "), key))
					return
				}
			}
			continue
		}
		if len(record) != width {
			if !l.reject(line, "", ReasonBrokenLine, fmt.Sprintf("%d fields where the header has %d", len(record), width)) {
				return
			}
			continue
		}
		get := func(i int) string {
			if i < 0 {
				return ""
			}
			return record[i]
		}
		q := commonplace.Quote{ID: get(at.id), Text: get(at.text), Author: get(at.author), Work: get(at.work)}
		if e := strings.TrimSpace(get(at.ebook)); e != "" {
			n, err := strconv.ParseInt(e, 10, 64)
			if err != nil || n < 0 {
				if !l.reject(line, q.ID, ReasonWrongType, fmt.Sprintf("the field %s is %q, not a number", l.opts.column("ebook"), e)) {
					return
				}
				continue
			}
			q.EBook = n
		}
		if !l.take(line, q) {
			return
		}
	}
}

// brokenRecord is a record that cannot be read; the next one may be good.
type brokenRecord struct {
	reason string
	err    error
}

func (b *brokenRecord) Error() string { return b.err.Error() }

// nextRecord reads one record, which goes on over line breaks while a quotation
// mark is open, and says on which line it began. When the mark is never closed,
// only the first line is broken: the others are read again by themselves.
func nextRecord(in *lines, comma rune) ([]string, int, error) {
	var record []byte
	var more [][]byte // the record's lines after the first
	first := 0
	broken := func(reason string, err error) ([]string, int, error) {
		in.again(more, first)
		return nil, first, &brokenRecord{reason, err}
	}
	for {
		raw, err := in.next()
		if first == 0 {
			first = in.number
		}
		unclosed := errors.New("a quotation mark is opened and not closed")
		switch {
		case errors.Is(err, errLongLine) && len(record) == 0:
			return broken(ReasonLimit, fmt.Errorf("the line is longer than max_line %d", in.max))
		case errors.Is(err, errLongLine):
			more = append(more, nil) // it is rejected as a line of its own
			return broken(ReasonBrokenLine, unclosed)
		case err == io.EOF && len(record) > 0:
			return broken(ReasonBrokenLine, unclosed)
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
		if len(record) > in.max {
			return broken(ReasonBrokenLine, fmt.Errorf("%w within max_line %d", unclosed, in.max))
		}
		if bytes.Count(record, []byte{'"'})%2 == 0 {
			break
		}
	}
	if !utf8.Valid(record) {
		return nil, first, &brokenRecord{ReasonBrokenLine, errors.New("the record is not UTF-8")}
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
		return nil, first, &brokenRecord{ReasonBrokenLine, err}
	}
	if r.InputOffset() < int64(len(record)) { // quotation marks that close on another line than they should
		return broken(ReasonBrokenLine, errors.New("a quotation mark stands where none can"))
	}
	return fields, first, nil
}
