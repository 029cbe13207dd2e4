package marks

import (
	"cmp"
	"slices"
	"strings"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align/fold"
)

const (
	quotationWords = 3 // words of a marked quotation at least
	blockIndent    = 3 // columns by which a block quote is indented
)

// Quotations are the spans of text that are marked as quotations, between
// quotation marks or indented as blocks, in order, as code points. Where a mark opens
// again before one closes, the quotation may go on over several lines or paragraphs,
// or a mark was never closed: both what begins at the first and at the last is listed.
func Quotations(text string) []commonplace.Span {
	var f fold.Text
	f.Fold(text, 0, len(text))
	var m Marks
	m.Find(text, &f)
	o := commonplace.NewOffsets(text)
	var out []commonplace.Span
	for _, s := range m.Spans(text, &f) {
		out = append(out, commonplace.Span{Begin: o.Point(int(f.Pos[s.Begin])), End: o.Point(f.End(text, s.End))})
	}
	return out
}

// Spans is Quotations in symbols.
func (m *Marks) Spans(text string, f *fold.Text) []commonplace.Span {
	var out []commonplace.Span
	add := func(from, to int) {
		words := 0
		for _, s := range f.Sym[from:to] {
			if s&fold.WordStart != 0 {
				words++
			}
		}
		if words >= quotationWords {
			out = append(out, commonplace.Span{Begin: from, End: to})
		}
	}
	var next [kinds]int          // the mark that closes one of each kind: openings come in order, and so do they
	var first, last [kinds]int32 // openings before it
	for kind := range next {
		first[kind] = -1
	}
	closed := func(kind uint8) {
		if first[kind] >= 0 {
			at := int(m.Close[next[kind]].At)
			if add(int(first[kind]), at); last[kind] > first[kind] {
				add(int(last[kind]), at)
			}
		}
		first[kind] = -1
	}
	for _, open := range m.Open {
		kind := open.kind
		k := next[kind]
		for k < len(m.Close) && (m.Close[k].kind != kind || m.Close[k].At <= open.At) {
			k++
		}
		if k != next[kind] {
			closed(kind)
		}
		if next[kind] = k; k < len(m.Close) {
			if first[kind] < 0 {
				first[kind] = open.At
			}
			last[kind] = open.At
		}
	}
	for kind := range next {
		closed(uint8(kind))
	}
	blocks(text, f, add)
	slices.SortFunc(out, func(a, b commonplace.Span) int {
		return cmp.Or(cmp.Compare(a.Begin, b.Begin), cmp.Compare(a.End, b.End))
	})
	return slices.Compact(out)
}

// blocks adds the block quotes: indented lines. One alone must have a blank
// line, or the text's end, before and after it: the first line of a paragraph is
// often indented.
func blocks(text string, f *fold.Text, add func(from, to int)) {
	begin, lines := -1, 0
	alone := false // of one line, whether it has what it needs before it; after it too, once a blank one was seen
	before, after := true, false
	at, k := 0, 0
	end := func(k int) {
		if begin >= 0 && (lines > 1 || alone && after) {
			add(begin, k)
		}
		begin = -1
	}
	for line := range strings.Lines(text) {
		k = f.SymbolAt(k, at)
		switch blank := strings.TrimSpace(line) == ""; {
		case blank:
			before, after = true, true
		case indented(line) && begin < 0:
			begin, lines, alone = k, 1, before
			before, after = false, false
		case indented(line):
			lines++
			before = false
		default:
			end(k)
			before = false
		}
		at += len(line)
	}
	after = true
	end(len(f.Sym))
}

// indented reports whether a line begins like one of a block quote.
func indented(text string) bool {
	indent := 0
	for indent < len(text) && (text[indent] == ' ' || text[indent] == '\t' || text[indent] == '>') {
		indent++
		if text[indent-1] != ' ' {
			return true
		}
	}
	return indent >= blockIndent
}
