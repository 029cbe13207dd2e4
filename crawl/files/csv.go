package files

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	commonplace "github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/crawl/records"
)

// readCSV reads records under a header line. A quoted field may hold line
// breaks; the record's number is that of its first line.
func (l *quoteList) readCSV(in *records.Lines, comma rune) {
	var at struct{ id, text, author, work, ebook, source int }
	var width int
	header := true
	for {
		record, line, err := records.Next(in, comma)
		if err == io.EOF {
			return
		}
		var broken *records.Broken
		switch {
		case errors.As(err, &broken):
			if header {
				l.reject(line, "", ReasonBrokenLine, "the header: "+broken.Error())
				return
			}
			reason := ReasonBrokenLine
			if broken.TooLong {
				reason = ReasonLimit
			}
			if !l.reject(line, "", reason, broken.Error()) {
				return
			}
			continue
		case err != nil:
			l.fail(line, err)
			return
		case header && line == 1 && isSeparator(record):
			continue
		case header:
			header, width = false, len(record)
			record[0] = strings.TrimPrefix(record[0], "\ufeff")
			find := func(key string) int {
				if name := l.opts.in(key, record); name != "" {
					return slices.Index(record, name)
				}
				return -1 // not the column that has no name
			}
			at.id, at.text, at.author, at.work, at.ebook, at.source = find("id"), find("text"), find("author"), find("work"), find("ebook"), find("source")
			for _, key := range []string{"id", "text"} {
				if find(key) < 0 && (key == "text" || l.opts.Columns["id"] != "") {
					l.reject(line, "", ReasonBrokenLine, l.opts.noColumn(key, record))
					return
				}
			}
			l.opts.layout("%s", columnsRead(record, at.text, at.author, at.work))
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
			return strings.Clone(record[i]) // else it would keep the record
		}
		q := commonplace.Quote{ID: get(at.id), Text: get(at.text), Author: get(at.author), Work: get(at.work), SourceID: get(at.source)}
		if at.id < 0 {
			q.ID = l.madeID(line)
		}
		if e := strings.TrimSpace(get(at.ebook)); e != "" {
			n, ok := ebookOf(e)
			if !ok {
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

// columnsRead names the columns that are read.
func columnsRead(header []string, at ...int) string {
	var names []string
	for _, i := range at {
		if i >= 0 {
			names = append(names, strings.TrimSpace(header[i]))
		}
	}
	if len(names) == 1 {
		return "column " + names[0]
	}
	return "columns " + strings.Join(names, ", ")
}
