package reuse

import (
	"encoding/json"
	"slices"

	"github.com/commonplace/commonplace"
)

// Docwise is the record of passim --docwise as a line: a target as its lines, each with
// its witnesses, the lines that it was copied from. passim drops a witness that begins
// within a line; here it stands with that line.
func Docwise(id, text string, fields []commonplace.Field, pairs []Pair) []byte {
	type witness struct {
		begin2 int64
		line   json.RawMessage
	}
	var witnesses []witness
	for _, p := range pairs {
		for _, l := range p.Lines() {
			var o object
			o.add("id", p.SourceID)
			o.add("begin", l.Begin)
			o.add("alg", l.Alg)
			o.add("alg2", l.Alg2)
			o.add("matches", same(l.Alg, l.Alg2))
			o.add("text", l.Text)
			o.fields(located(p.SourceFields, l.Begin, l.Begin+int64(len([]rune(l.Text)))), "")
			witnesses = append(witnesses, witness{l.Begin2, o.line()})
		}
	}
	slices.SortStableFunc(witnesses, func(a, b witness) int { return int(a.begin2 - b.begin2) })
	type line struct {
		Begin     int64             `json:"begin"`
		Text      string            `json:"text"`
		Witnesses []json.RawMessage `json:"wits,omitempty"`
	}
	var lines []line
	begin := int64(0)
	for _, text := range splitLines(text) {
		l := line{Begin: begin, Text: text}
		begin += int64(len([]rune(text)))
		for len(witnesses) > 0 && witnesses[0].begin2 < begin {
			l.Witnesses = append(l.Witnesses, witnesses[0].line)
			witnesses = witnesses[1:]
		}
		lines = append(lines, l)
	}
	var o object
	o.add("uid", UID(id))
	o.add("id", id)
	o.add("text", text)
	o.add("lines", lines)
	o.fields(fields, "")
	return o.line()
}

// splitLines are lines with their line breaks.
func splitLines(text string) []string {
	var lines []string
	start := 0
	for i := range len(text) {
		if text[i] == '\n' {
			lines = append(lines, text[start:i+1])
			start = i + 1
		}
	}
	if start < len(text) {
		lines = append(lines, text[start:])
	}
	return lines
}
