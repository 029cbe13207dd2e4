package check

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/commonplace/commonplace"
)

// Document checks a document against its own text.
func Document(c *Row, r *commonplace.Document) {
	n := int64(utf8.RuneCountInString(r.Text))
	c.Hold(r.Characters == n, "characters is %d, text has %d", r.Characters, n)
	c.Hold(r.FrameEnd-r.FrameStart == n && r.FrameStart >= 0, "the body is [%d:%d] of its file, text has %d code points", r.FrameStart, r.FrameEnd, n)
	c.Hold(utf8.ValidString(r.Text), "text is not UTF-8")
}

// Passages checks passages against their contract: a document's count from 0 and
// do not overlap, unless the stage's config says that they are chunks, of which each
// begins and ends behind where the one before it does.
func Passages(config []byte) func(*Row, *commonplace.Passage) {
	overlap := bytes.Contains(config, []byte(`"chunks:`))
	doc, index, begin, end := "", int64(-1), int64(-1), int64(0)
	return func(c *Row, r *commonplace.Passage) {
		if r.DocID != doc || index < 0 {
			doc, index, begin, end = r.DocID, -1, -1, 0
		}
		c.PassageID(r.ID, r.DocID, r.Index)
		c.Hold(r.Index == index+1, "index is %d after %d", r.Index, index)
		c.Hold(r.Begin >= end || overlap && r.Begin > begin && r.End > end, "begins at %d and ends at %d, the one before it at %d and %d", r.Begin, r.End, begin, end)
		c.Span(r.DocID, "text", r.Begin, r.End, r.Text)
		index, begin, end = r.Index, r.Begin, r.End
	}
}

// Match looks at the derived side alone: rows come in its order. Both sides
// are looked at in alignments, which have the same rows by source.
func Match(c *Row, r *commonplace.Alignment) {
	c.Span(r.DerivedID, "derived_text", r.DerivedBegin, r.DerivedEnd, r.DerivedText)
	c.scored(r)
}

// Alignment checks the source side of an alignment.
func Alignment(c *Row, r *commonplace.Alignment) {
	c.Hold((r.QuoteID == "") != (r.DerivedID == ""), "quote_id is %q and derived_id %q: one must be empty", r.QuoteID, r.DerivedID)
	c.Span(r.SourceID, "source_text", r.SourceBegin, r.SourceEnd, r.SourceText)
	c.scored(r)
}

// scored checks the numbers and the parts of an alignment.
func (c *Row) scored(r *commonplace.Alignment) {
	c.Finite("similarity", r.Similarity)
	c.Finite("score", r.Score)
	for i, p := range r.Parts {
		inside := r.SourceBegin <= p.SourceBegin && p.SourceBegin <= p.SourceEnd && p.SourceEnd <= r.SourceEnd &&
			r.DerivedBegin <= p.DerivedBegin && p.DerivedBegin <= p.DerivedEnd && p.DerivedEnd <= r.DerivedEnd
		c.Hold(inside, "part %d lies outside the alignment", i)
	}
}

// Example checks the spans of an example, its tags and its passages.
func Example(c *Row, r *commonplace.Example) {
	c.Span(r.DocID, "quote", r.QuoteBegin, r.QuoteEnd, r.Quote)
	c.Span(r.DocID, "left_context", r.LeftBegin, r.LeftEnd, r.LeftContext)
	c.Span(r.DocID, "right_context", r.RightBegin, r.RightEnd, r.RightContext)
	passage := commonplace.NewOffsets(r.PassageText)
	c.Slice(passage, "passage_text", "span_text", r.SpanBegin, r.SpanEnd, r.SpanText)
	c.Hold(len(r.Tokens) == len(r.Tags), "%d tokens and %d tags", len(r.Tokens), len(r.Tags))
	for i, tag := range r.Tags {
		c.Hold(tag == "B" || tag == "I" || tag == "O", "tag %d is %q", i, tag)
	}
	joined := strings.Join(r.PassageIDs, " ")
	c.Hold(r.PassageID == "" || strings.Contains(" "+joined+" ", " "+r.PassageID+" "), "passage_id %q is not among passage_ids", r.PassageID)
	c.Hold(r.CrossesBoundary == (len(r.PassageIDs) > 1), "crosses_boundary is %v and the quote touches %d passages", r.CrossesBoundary, len(r.PassageIDs))
}

// Choice checks the label of a candidate passage against its span.
func Choice(c *Row, r *commonplace.Choice) {
	yes := r.Label == "yes"
	c.Hold(yes || r.Label == "no", "label is %q", r.Label)
	c.Hold(yes == (r.SpanEnd > 0) && yes == (r.SampledBy == "positive"), "label %s, span [%d:%d], sampled by %s", r.Label, r.SpanBegin, r.SpanEnd, r.SampledBy)
	length := int64(commonplace.NewOffsets(r.PassageText).Len())
	c.Hold(r.SpanBegin <= r.SpanEnd && r.SpanEnd <= length, "span [%d:%d] of a passage of %d", r.SpanBegin, r.SpanEnd, length)
	c.Hold(slices.Contains([]string{"positive", "near", "bm25", "uniform", "tfidf", "position", "all"}, r.SampledBy), "sampled by %q", r.SampledBy)
}

// Ranking checks a ranked passage, its line and its ranks.
func Ranking(c *Row, r *commonplace.Ranking) {
	c.PassageID(r.PassageID, r.DocID, r.Index)
	c.Finite("score", r.Score)
	c.Span(r.DocID, "text", r.Begin, r.End, r.Text)
	c.Line(r.DocID, r.BestBegin, r.BestEnd, r.BestText, r.BestScore)
	c.Hold(r.RankInDocument >= 1 && r.RankOverall >= r.RankInDocument, "rank %d in the document, %d over all", r.RankInDocument, r.RankOverall)
	c.Hold(r.RankBalanced >= r.RankInDocument, "rank %d in the document, %d balanced", r.RankInDocument, r.RankBalanced)
	c.Hold(r.Percentile >= 0 && r.Percentile <= 1, "percentile is %v", r.Percentile)
}

// Recommendation checks a candidate and its place. Chunks of a document, where the stage's
// config asks for them (recommend.segment), have its name in their ids.
func Recommendation(config []byte) func(*Row, *commonplace.Recommendation) {
	var of struct {
		Segment string `json:"segment"`
	}
	_ = json.Unmarshal(config, &of) // the ids then have the passages' form, and are said to be wrong
	return func(c *Row, r *commonplace.Recommendation) {
		switch {
		case r.Dataset == "triples" && of.Segment != "":
			c.PassageID(r.PassageID, r.DocID+":"+of.Segment, r.Index)
		case r.Dataset != "replies":
			c.PassageID(r.PassageID, r.DocID, r.Index)
		}
		c.Finite("score", r.Score)
		c.Hold(r.Place >= 1, "place is %d", r.Place)
		c.Hold(0 <= r.Better && r.Better < r.Place && 1 <= r.Tied && r.Better+r.Tied >= r.Place && r.Better+r.Tied <= r.Ranked && r.Ranked <= r.Candidates,
			"place %d: %d are better, %d equal, of %d ranked and %d in all", r.Place, r.Better, r.Tied, r.Ranked, r.Candidates)
		c.Hold(0 <= r.SpanBegin && r.SpanBegin <= r.SpanEnd, "span [%d, %d)", r.SpanBegin, r.SpanEnd)
	}
}
