package table

import (
	"math"
	"slices"

	"github.com/commonplace/commonplace"
)

// datasets holds the rows of the tables behind label against their texts; the
// derived sides of queries and windows, which lie in other shards, are held by
// derivedSides.
func (v *verifier) datasets() {
	verifyTable(v, Works, func(c *check, r *commonplace.Work) {
		c.hold(r.Work <= r.DocID, "work %q comes after its edition", r.Work)
		c.hold(r.Editions >= 1, "%d editions", r.Editions)
	})
	verifyTable(v, Groups, func(c *check, r *commonplace.Group) {
		c.hold(r.Group != "" && r.Work != "", "group is %q, work is %q", r.Group, r.Work)
	})
	verifyTable(v, Choices, verifyChoice)
	verifyTable(v, SpanChoices, verifyChoice)
	verifyTable(v, Paraphrases, func(c *check, r *commonplace.Paraphrase) {
		c.hold(r.Target != "" && r.Overlap >= 0 && r.Overlap <= 1, "overlap is %v", r.Overlap)
	})
	verifyTable(v, Queries, func(c *check, r *commonplace.Query) {
		c.span(r.DocID, "span", r.SpanBegin, r.SpanEnd, r.Span)
		c.hold(len(r.PassageIDs) > 0, "no passage holds the span")
	})
	verifyTable(v, QuotedSpans, func(c *check, r *commonplace.QuotedSpan) {
		c.slice(commonplace.NewOffsets(r.PassageText), "passage_text", "span_text", r.SpanBegin, r.SpanEnd, r.SpanText)
	})
	verifyTable(v, Agreements, func(c *check, r *commonplace.Agreement) {
		c.span(r.DocID, "given_text", r.GivenBegin, r.GivenEnd, r.GivenText)
	})
	verifyTable(v, Windows, func(c *check, r *commonplace.Window) {
		c.span(r.SourceID, "quote", r.SourceBegin, r.SourceEnd, r.Quote)
		c.hold(r.LeftEnd <= r.DerivedBegin && r.DerivedBegin < r.DerivedEnd && r.DerivedEnd <= r.RightBegin, "contexts overlap the quotation")
		c.hold(r.Sentences >= 1 && r.FirstSentence < r.Candidates, "sentence %d and %d more of a source with %d candidates", r.FirstSentence, r.Sentences-1, r.Candidates)
	})
	verifyTable(v, Conversations, nil)
	verifyTable(v, Replies, func(c *check, r *commonplace.Reply) {
		c.hold((r.Label == "<quo>") == (r.Quotation >= 0), "label %s and quotation %d", r.Label, r.Quotation)
		c.hold(r.Group != "", "no group")
	})
	verifyTable(v, Counted, func(c *check, r *commonplace.Counted) {
		c.passageID(r.PassageID, r.DocID, r.Index)
		c.hold(r.Count >= 0 && r.Fold >= 0, "count is %d, fold %d", r.Count, r.Fold)
	})
	verifyTable(v, Sequences, func(c *check, r *commonplace.Sequence) {
		c.hold(len(r.PassageIDs) == len(r.Marked) && len(r.Marked) == len(r.Counts), "%d passages, %d texts, %d counts", len(r.PassageIDs), len(r.Marked), len(r.Counts))
	})
	verifyTable(v, Pairs, func(c *check, r *commonplace.Pair) {
		c.hold(r.MoreCount > r.LessCount, "%d is not more than %d", r.MoreCount, r.LessCount)
	})
	verifyTable(v, Language, func(c *check, r *commonplace.NGram) {
		c.hold(r.Fold >= -1 && r.Passages >= 1 && r.Background >= 0 && r.Quotable >= 0, "fold %d, %d passages, %d times, %v quotable", r.Fold, r.Passages, r.Background, r.Quotable)
		c.hold(!math.IsNaN(r.Weight) && !math.IsInf(r.Weight, 0), "weight is %v", r.Weight)
	})
	verifyTable(v, Attributes, func(c *check, r *commonplace.Attribute) {
		c.hold(r.P >= 0 && r.P <= 1, "p is %v", r.P)
	})
}

func verifyChoice(c *check, r *commonplace.Choice) {
	yes := r.Label == "yes"
	c.hold(yes || r.Label == "no", "label is %q", r.Label)
	c.hold(yes == (r.SpanEnd > 0) && yes == (r.SampledBy == "positive"), "label %s, span [%d:%d], sampled by %s", r.Label, r.SpanBegin, r.SpanEnd, r.SampledBy)
	length := int64(commonplace.NewOffsets(r.PassageText).Len())
	c.hold(r.SpanBegin <= r.SpanEnd && r.SpanEnd <= length, "span [%d:%d] of a passage of %d", r.SpanBegin, r.SpanEnd, length)
	c.hold(slices.Contains([]string{"positive", "near", "bm25", "uniform", "tfidf", "position", "all"}, r.SampledBy), "sampled by %q", r.SampledBy)
}
