package files

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
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
		q, reason, detail := l.parseObject(raw)
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
func (l *quoteList) parseObject(raw []byte) (q commonplace.Quote, reason, detail string) {
	names := []string{"id"}
	for _, f := range quoteFields {
		names = append(names, l.opts.column(f.key))
	}
	object, reason, detail := objectOf(raw, l.opts.Limits, names...)
	if reason != "" {
		return q, reason, detail
	}
	idName := l.opts.column("id")
	if _, ok := object[idName]; !ok && l.opts.Columns["id"] == "" {
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
	q.ID = text(idName, true)
	q.Text = text(l.opts.column("text"), false)
	q.Author = text(l.opts.column("author"), false)
	q.Work = text(l.opts.column("work"), false)
	if ebook := text(l.opts.column("ebook"), true); ebook != "" {
		n, err := strconv.ParseInt(ebook, 10, 64)
		if err != nil || n < 0 {
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
