package check

import (
	"strings"

	"github.com/commonplace/commonplace"
)

// Side is the other side of a table's rows: the quote or document that they were
// found in.
type Side[T any] struct {
	In      string                               // table of the texts: quotes or documents
	ID      func(*T) string                      // of the text; empty for none
	Check   func(*Row, *commonplace.Offsets, *T) // checks a row against it
	Columns []string                             // that ID and Check read
}

// AlignmentSides are those of alignments: a quote, or another document.
var AlignmentSides = []Side[commonplace.Alignment]{
	derivedSide("quotes", func(a *commonplace.Alignment) string { return a.QuoteID }),
	derivedSide("documents", func(a *commonplace.Alignment) string {
		if a.QuoteID != "" {
			return ""
		}
		return a.DerivedID
	}),
}

func derivedSide(in string, id func(*commonplace.Alignment) string) Side[commonplace.Alignment] {
	return Side[commonplace.Alignment]{
		in, id,
		func(c *Row, text *commonplace.Offsets, a *commonplace.Alignment) {
			c.Slice(text, in+".text", "derived_text", a.DerivedBegin, a.DerivedEnd, a.DerivedText)
		},
		[]string{"source_id", "source_begin", "source_end", "quote_id", "derived_id", "derived_begin", "derived_end", "derived_text"},
	}
}

// ParaphraseSides are those of paraphrase_matches: the source.
var ParaphraseSides = []Side[commonplace.ParaphraseMatch]{{
	"documents", func(m *commonplace.ParaphraseMatch) string { return m.SourceID },
	func(c *Row, text *commonplace.Offsets, m *commonplace.ParaphraseMatch) {
		c.Slice(text, "documents.text", "source_text", m.SourceBegin, m.SourceEnd, m.SourceText)
	},
	[]string{"derived_id", "derived_begin", "source_id", "source_begin", "source_end", "source_text"},
}}

// QuerySides are those of queries: the article that quotes.
var QuerySides = []Side[commonplace.Query]{{
	"documents", func(q *commonplace.Query) string { return q.ArticleID }, holdQuery,
	[]string{"query_id", "doc_id", "span_begin", "span_end", "article_id", "left_context", "left_begin", "left_end", "before", "after", "quote", "quote_begin", "quote_end"},
}}

// WindowSides are those of windows: the secondary source.
var WindowSides = []Side[commonplace.Window]{{
	"documents", func(w *commonplace.Window) string { return w.DerivedID }, holdWindow,
	[]string{"window_id", "source_id", "source_begin", "source_end", "derived_id", "derived_begin", "derived_end", "left", "left_begin", "left_end", "right", "right_begin", "right_end"},
}}

func holdQuery(c *Row, text *commonplace.Offsets, q *commonplace.Query) {
	const of = "the article's text"
	c.Slice(text, of, "quote", q.QuoteBegin, q.QuoteEnd, q.Quote)
	c.Slice(text, of, "left_context", q.LeftBegin, q.LeftEnd, q.LeftContext)
	if q.QuoteBegin < 0 || q.QuoteBegin > q.QuoteEnd || q.QuoteEnd > int64(text.Len()) {
		return // reported already
	}
	before := strings.TrimSpace(text.Slice(commonplace.Span{End: int(q.QuoteBegin)}))
	after := strings.TrimSpace(text.Slice(commonplace.Span{Begin: int(q.QuoteEnd), End: text.Len()}))
	c.Hold(strings.HasSuffix(before, q.Before), "before is %s, which is not what stands before the quote", short(q.Before))
	c.Hold(strings.HasPrefix(after, q.After), "after is %s, which is not what stands after the quote", short(q.After))
}

func holdWindow(c *Row, text *commonplace.Offsets, w *commonplace.Window) {
	const of = "the secondary source's text"
	for _, context := range []struct {
		column     string
		sentences  []string
		begin, end int64
	}{{"left", w.Left, w.LeftBegin, w.LeftEnd}, {"right", w.Right, w.RightBegin, w.RightEnd}} {
		c.Spans++
		if context.begin < 0 || context.begin > context.end || context.end > int64(text.Len()) {
			c.Hold(false, "%s is [%d:%d] of a text of %d code points", context.column, context.begin, context.end, text.Len())
			continue
		}
		has := text.Slice(commonplace.Span{Begin: int(context.begin), End: int(context.end)})
		c.Hold(isLeftOf(strings.Join(context.sentences, ""), has), "%s is not what %s[%d:%d] has, citations aside", context.column, of, context.begin, context.end)
	}
	c.Hold(w.DerivedEnd <= int64(text.Len()), "derived_end is %d of a text of %d code points", w.DerivedEnd, text.Len())
}

// isLeftOf tells whether a text is left of another when parts of that are taken
// out, white space aside.
func isLeftOf(rest, text string) bool {
	rest = strings.Join(strings.Fields(rest), "")
	for _, r := range text {
		if after, ok := strings.CutPrefix(rest, string(r)); ok {
			rest = after
		}
	}
	return rest == ""
}
