package ranking

import (
	"cmp"
	"slices"
	"strings"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/eval"
	"github.com/commonplace/commonplace/label"
)

// spanMetrics are EM and F1 of spans (papers A and B): of the first candidate, the best of
// the first three, and of the right candidates, whose spans are joined.
var spanMetrics = []string{"EM", "F1", "EM top 3", "F1 top 3", "EM positive", "F1 positive", exactBIO}

// exactBIO is the share of right candidates whose words and marks all have the right tag (RA-MTR, section 5.3).
const exactBIO = "BIO exact"

// spans judges the spans that a span model proposed, where there is one.
func (f *tally) spans(system string, p pool, a asked, rows []commonplace.Recommendation) {
	if !slices.ContainsFunc(rows, func(r commonplace.Recommendation) bool { return r.SpanEnd > 0 }) {
		return
	}
	var first []string
	var right []commonplace.Recommendation
	for _, r := range rows {
		if r.Place <= 3 {
			first = append(first, r.SpanText)
		}
		if r.Label == "yes" {
			right = append(right, r)
		}
	}
	slices.SortFunc(right, func(a, b commonplace.Recommendation) int { return cmp.Compare(a.Index, b.Index) })
	var parts []string
	for _, r := range right {
		parts = append(parts, r.SpanText)
	}
	whole := strings.Join(parts, " ")
	for i, x := range []float64{
		eval.BestOf(eval.ExactMatch, first, a.answer, 1), eval.BestOf(eval.SpanF1, first, a.answer, 1),
		eval.BestOf(eval.ExactMatch, first, a.answer, 3), eval.BestOf(eval.SpanF1, first, a.answer, 3),
		eval.ExactMatch(whole, a.answer), eval.SpanF1(whole, a.answer),
	} {
		f.value(system, spanMetrics[i], x)
	}
	f.sentences(p, a)
	for _, r := range right {
		if r.PassageID == a.span.candidate && r.Index < int64(len(p.candidates)) {
			f.value(system, exactBIO, sameTags(p.candidates[r.Index].text, r, a.span.Span))
		}
	}
}

// sameTags is 1 where the proposed span gives every word and mark the tag that it has.
func sameTags(text string, r commonplace.Recommendation, truth commonplace.Span) float64 {
	_, want, _ := label.TagAll(text, []commonplace.Span{truth})
	_, got, _ := label.TagAll(text, []commonplace.Span{{Begin: int(r.SpanBegin), End: int(r.SpanEnd)}})
	if r.SpansMore == 0 && slices.Equal(got, want) {
		return 1
	}
	return 0
}

// sentences judges the first and the last sentence of the right candidate.
func (f *tally) sentences(p pool, a asked) {
	at := slices.IndexFunc(p.candidates, func(c offered) bool { return c.id == cmp.Or(a.span.candidate, a.right[0]) })
	if at < 0 {
		return
	}
	for i, name := range []string{firstSentence, lastSentence} {
		said := sentenceOf(p.candidates[at].text, i == 1)
		f.value(name, "EM positive", eval.ExactMatch(said, a.answer))
		f.value(name, "F1 positive", eval.SpanF1(said, a.answer))
	}
}
