package ranking

import (
	"cmp"
	"slices"
	"strings"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/eval"
	"github.com/commonplace/commonplace/label"
	"github.com/commonplace/commonplace/pipelines/config"
)

// spanMetrics are EM and F1 of spans (papers A and B): of the first candidate, the best of
// the first three, and of the right candidates, whose spans are joined. Where a query quotes
// p paragraphs, the spans of the first p candidates are joined (paper B, "Dataset").
var spanMetrics = []string{"EM", "F1", "EM top 3", "F1 top 3", "EM positive", "F1 positive", exactBIO}

// exactBIO is the share of right candidates whose words and marks all have the right tag (RA-MTR, section 5.3).
const exactBIO = "BIO exact"

// spans judges the spans that a span model proposed, where there is one.
func (f *tally) spans(system string, p pool, a asked, rows []commonplace.Recommendation) {
	if !slices.ContainsFunc(rows, func(r commonplace.Recommendation) bool { return r.SpanEnd > 0 }) {
		return
	}
	if a.part != "" { // chunks share text, so only the best one counts
		a.answer = a.part
	}
	spanned := 1
	if f.dataset == config.DataQueries {
		spanned = len(a.right)
	}
	var three []string
	var top, right []commonplace.Recommendation
	for _, r := range rows {
		if r.Place <= 3 {
			three = append(three, r.SpanText)
		}
		if r.Place <= int64(spanned) {
			top = append(top, r)
		}
		if r.Label == "yes" && (a.part == "" || r.PassageID == a.span.candidate) {
			right = append(right, r)
		}
	}
	proposed := func(r commonplace.Recommendation) string { return r.SpanText }
	first, whole := joinedBy(proposed, top), joinedBy(proposed, right)
	for i, x := range []float64{
		eval.ExactMatch(first, a.answer), eval.SpanF1(first, a.answer),
		eval.BestOf(eval.ExactMatch, three, a.answer, 3), eval.BestOf(eval.SpanF1, three, a.answer, 3),
		eval.ExactMatch(whole, a.answer), eval.SpanF1(whole, a.answer),
	} {
		f.value(system, spanMetrics[i], x)
	}
	held := a.right             // also where they were not retrieved
	if a.span.candidate != "" { // of several passages, that which has most of the quotation
		held = []string{a.span.candidate}
	}
	var rightRows []commonplace.Recommendation
	for i, c := range p.candidates {
		if slices.Contains(held, c.id) {
			rightRows = append(rightRows, commonplace.Recommendation{PassageID: c.id, Index: int64(i)})
		}
	}
	f.withoutModel(p, a, top, rightRows)
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

// joinedBy joins what is said of candidates, in the order of the document.
func joinedBy(say func(commonplace.Recommendation) string, rows []commonplace.Recommendation) string {
	rows = slices.SortedFunc(slices.Values(rows), func(a, b commonplace.Recommendation) int { return cmp.Compare(a.Index, b.Index) })
	var parts []string
	for _, r := range rows {
		parts = append(parts, say(r))
	}
	return strings.Join(parts, " ")
}

// withoutModel judges a sentence, or all, of the candidates that the system has first and of
// the right ones.
func (f *tally) withoutModel(p pool, a asked, top, right []commonplace.Recommendation) {
	for _, name := range []string{wholePassage, firstSentence, lastSentence} {
		say := func(r commonplace.Recommendation) string {
			if r.Index >= int64(len(p.candidates)) {
				return ""
			}
			return saidBy(name, p.candidates[r.Index].text)
		}
		first, whole := joinedBy(say, top), joinedBy(say, right)
		f.value(name, "EM", eval.ExactMatch(first, a.answer))
		f.value(name, "F1", eval.SpanF1(first, a.answer))
		f.value(name, "EM positive", eval.ExactMatch(whole, a.answer))
		f.value(name, "F1 positive", eval.SpanF1(whole, a.answer))
	}
}
