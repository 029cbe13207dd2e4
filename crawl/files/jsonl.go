package files

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	commonplace "github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/crawl/records"
)

// readJSONL reads one JSON object a line. Blank lines are passed over.
func (l *quoteList) readJSONL(in *records.Lines) {
	for {
		raw, err := in.Next()
		switch {
		case err == io.EOF:
			return
		case errors.Is(err, records.ErrLong):
			if !l.reject(in.Number, "", ReasonLimit, in.TooLong().Error()) {
				return
			}
			continue
		case err != nil:
			l.fail(in.Number, err)
			return
		}
		if in.Number == 1 {
			raw = bytes.TrimPrefix(raw, []byte("\ufeff"))
		}
		if len(bytes.TrimSpace(raw)) == 0 {
			continue
		}
		q, reason, detail := l.parseObject(raw, in.Number)
		if reason != "" {
			if !l.reject(in.Number, q.ID, reason, detail) {
				return
			}
			continue
		}
		if !l.take(in.Number, q) {
			return
		}
	}
}

// parseObject reads one quote from a JSON object, or says why not.
func (l *quoteList) parseObject(raw []byte, line int) (q commonplace.Quote, reason, detail string) {
	var known []string
	for _, f := range quoteFields {
		known = append(known, l.opts.column(f.key))
		for _, c := range f.columns { // as people write them; other spellings are no usual names
			known = append(known, c, strings.ToUpper(c), strings.ToUpper(c[:1])+c[1:])
		}
	}
	object, reason, detail := objectOf(raw, l.opts.Limits, known...)
	if reason != "" {
		return q, reason, detail
	}
	names := slices.Collect(maps.Keys(object))
	idName := l.opts.in("id", names)
	if _, ok := object["id"]; ok && idName == "" && l.opts.Columns["id"] == "" {
		idName = "id"
	}
	var wrong []string
	text := func(name string, number bool) string {
		s, ok := jsonText(object[name], number)
		if !ok {
			wrong = append(wrong, name)
		}
		return s
	}
	if idName == "" && !l.ids && l.opts.Columns["id"] == "" {
		q.ID = l.madeID(line)
	} else {
		l.ids = true
		q.ID = text(idName, true)
	}
	q.Text = text(l.opts.in("text", names), false)
	q.Author = text(l.opts.in("author", names), false)
	q.Work = text(l.opts.in("work", names), false)
	q.SourceID = text(l.opts.in("source", names), true)
	if ebook := text(l.opts.in("ebook", names), true); ebook != "" {
		n, ok := ebookOf(ebook)
		if !ok {
			wrong = append(wrong, l.opts.column("ebook"))
		}
		q.EBook = n
	}
	if len(wrong) > 0 {
		return q, ReasonWrongType, fmt.Sprintf("the field %s is of the wrong type", strings.Join(wrong, " and "))
	}
	return q, "", ""
}

// jsonText is a field's text: a string, or a number where that is allowed.
// A missing field and null are the empty text.
func jsonText(raw json.RawMessage, number bool) (string, bool) {
	if len(raw) == 0 || string(raw) == "null" {
		return "", true
	}
	if raw[0] == '"' {
		var s string
		return s, json.Unmarshal(raw, &s) == nil
	}
	if number {
		var n json.Number
		if json.Unmarshal(raw, &n) == nil {
			return n.String(), true
		}
	}
	return "", false
}
