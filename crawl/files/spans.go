package files

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/bounded"
)

// SpanFields are what a file of spans says, by the names that are looked for
// where the config names no other.
var SpanFields = []string{"document", "begin", "end", "text", "count"}

// Spans is what a file of spans holds.
type Spans struct {
	Spans   []commonplace.GivenSpan
	Rejects []commonplace.Reject
	SHA256  string // of the file
}

// ReadSpans reads places of documents that are quoted, a JSON object a line:
// document (or doc_id), begin and end in code points, and, where there are any,
// count (a number; a list counts its members) and text, for the check that the
// document has it there. columns name the file's own fields. What is no span is a
// reject at its line. Whether the documents are there is asked later: nothing of
// them is known here.
func ReadSpans(ctx context.Context, path string, columns map[string]string, l bounded.Limits) (Spans, error) {
	var read Spans
	refuse := func(line int, reason, detail string) {
		read.Rejects = append(read.Rejects, commonplace.Reject{Reason: reason, Detail: detail, Location: fmt.Sprintf("%s:%d", path, line)})
	}
	sum, err := eachObject(ctx, path, fieldNames(SpanFields, columns), l, func(line int, object fields) {
		s, wrong := spanOf(object, columns)
		if len(wrong) > 0 {
			refuse(line, ReasonWrongType, "the field "+strings.Join(wrong, " and ")+" is missing or of the wrong type")
			return
		}
		s.Line = int64(line)
		read.Spans = append(read.Spans, s)
	}, refuse)
	read.SHA256 = sum
	return read, err
}

func spanOf(object fields, columns map[string]string) (s commonplace.GivenSpan, wrong []string) {
	field := func(key string) (string, json.RawMessage) {
		if name := columns[key]; name != "" {
			return name, object[name]
		}
		if key == "document" && len(object[key]) == 0 {
			key = "doc_id"
		}
		return key, object[key]
	}
	number := func(key string) (n int64) {
		name, raw := field(key)
		if len(raw) == 0 || json.Unmarshal(raw, &n) != nil || string(raw) == "null" {
			wrong = append(wrong, name)
		}
		return n
	}
	text := func(key string, must bool) string {
		name, raw := field(key)
		t, ok := jsonText(raw, key == "document")
		if !ok || must && t == "" {
			wrong = append(wrong, name)
		}
		return t
	}
	s = commonplace.GivenSpan{DocID: text("document", true), Begin: number("begin"), End: number("end"), Text: text("text", false), Count: 1}
	name, raw := field("count")
	var members []json.RawMessage
	switch {
	case len(raw) == 0 && columns["count"] == "": // the file does not count
	case len(raw) == 0 || string(raw) == "null":
		s.Count = 0
	case json.Unmarshal(raw, &members) == nil:
		s.Count = int64(len(members))
	case json.Unmarshal(raw, &s.Count) != nil || s.Count < 0:
		wrong = append(wrong, name)
	}
	return s, wrong
}
