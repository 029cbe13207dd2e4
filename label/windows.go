package label

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/commonplace/commonplace"
)

// WindowOptions say how quotations become windows (RELiC, Appendix A). Options that set none
// of the numbers stand for [DefaultWindows].
type WindowOptions struct {
	Sentences  int     // of context on either side; the paper's is 4
	Shared     int     // characters that a neighbouring sentence must share to belong to the quotation; the paper's is 15
	MinCovered float64 // share of a sentence that an alignment must cover at its ends for the sentence to be quoted
	Split      Split   // by primary source, whatever By says
	Work       string  // name of the source's work, where editions must stay together; the source's id when empty
}

// DefaultWindows are the paper's constants.
func DefaultWindows() WindowOptions {
	return WindowOptions{Sentences: 4, Shared: 15, MinCovered: 0.5, Split: defaultSplit(ByDocument)}
}

// orDefaults is o, or the defaults where no number is set.
func (o WindowOptions) orDefaults() WindowOptions {
	if o != (WindowOptions{Work: o.Work}) {
		return o
	}
	d := DefaultWindows()
	d.Work = o.Work
	return d
}

// run is a quotation in sentences of both sides, first and last included.
type run struct {
	derived, source [2]int
	extended        int
	alignments      []commonplace.Alignment
}

// Windows makes one window of every quotation of a source in a derived text.
// Both come with all their sentences as passages; alignments are those between
// the two.
//
// An alignment quotes the source's sentences that it covers by MinCovered or
// more, at least the one that it covers most. Quotations whose sentences follow
// one another on both sides are one block quote. A neighbouring sentence that
// shares a substring of Shared characters with the neighbouring sentence of the
// source belongs to the block as well, again and again, at both ends: so are
// the halves of an ellipsis caught. The window's quote is the source's own
// sentences; its context the whole sentences of the derived text around those
// that quote, without in-line citations.
func Windows(derived commonplace.Document, derivedSentences []commonplace.Passage, source commonplace.Document, sourceSentences []commonplace.Passage, alignments []commonplace.Alignment, o WindowOptions) ([]commonplace.Window, []commonplace.Reject) {
	o = o.orDefaults()
	from, of := newBook(derived, derivedSentences), newBook(source, sourceSentences)
	var runs []run
	var rejects []commonplace.Reject
	for _, a := range alignments {
		r, refused := quotedSentences(from, of, a, o)
		if refused != nil {
			rejects = append(rejects, commonplace.Reject{Stage: "label", ID: a.ID, Reason: refused.reason, Detail: refused.detail, Location: derived.ID})
			continue
		}
		runs = append(runs, r)
	}
	runs = joinBlocks(runs)
	for i := range runs {
		low, high := 0, len(from.passages)-1
		if i > 0 {
			low = runs[i-1].derived[1] + 1
		}
		if i+1 < len(runs) {
			high = runs[i+1].derived[0] - 1
		}
		runs[i].extend(from, of, low, high, o.Shared)
	}
	var windows []commonplace.Window
	for _, r := range joinBlocks(runs) {
		windows = append(windows, r.window(from, of, o))
	}
	slices.SortStableFunc(rejects, func(a, b commonplace.Reject) int { return cmp.Compare(a.ID, b.ID) })
	return windows, rejects
}

// quotedSentences are the sentences of both sides that an alignment stands in.
func quotedSentences(from, of *book, a commonplace.Alignment, o WindowOptions) (run, *refusal) {
	if refused := fits(from, of, a); refused != nil {
		return run{}, refused
	}
	d0, d1 := touched(from.passages, a.DerivedBegin, a.DerivedEnd)
	s0, s1 := touched(of.passages, a.SourceBegin, a.SourceEnd)
	covered := func(i int) float64 {
		p := of.passages[i]
		return float64(min(p.End, a.SourceEnd)-max(p.Begin, a.SourceBegin)) / float64(p.End-p.Begin)
	}
	for s1-s0 > 1 && covered(s0) < o.MinCovered && covered(s0) <= covered(s1-1) {
		s0++
	}
	for s1-s0 > 1 && covered(s1-1) < o.MinCovered {
		s1--
	}
	for s1-s0 > 1 && covered(s0) < o.MinCovered {
		s0++
	}
	return run{derived: [2]int{d0, d1 - 1}, source: [2]int{s0, s1 - 1}, alignments: []commonplace.Alignment{a}}, nil
}

// fits says why an alignment cannot be placed in passages of both texts, or nothing.
func fits(from, of *book, a commonplace.Alignment) *refusal {
	switch {
	case a.SourceID != of.doc.ID || a.DerivedID != from.doc.ID:
		return &refusal{ReasonDocument, fmt.Sprintf("of %q in %q", a.SourceID, a.DerivedID)}
	case from.broken != "" || of.broken != "":
		return &refusal{ReasonPassages, cmp.Or(from.broken, of.broken)}
	case a.SourceBegin < 0 || a.SourceEnd <= a.SourceBegin || a.SourceEnd > int64(of.offsets.Len()),
		a.DerivedBegin < 0 || a.DerivedEnd <= a.DerivedBegin || a.DerivedEnd > int64(from.offsets.Len()):
		return &refusal{ReasonSpan, fmt.Sprintf("[%d:%d] of [%d:%d]", a.DerivedBegin, a.DerivedEnd, a.SourceBegin, a.SourceEnd)}
	}
	d0, d1 := touched(from.passages, a.DerivedBegin, a.DerivedEnd)
	s0, s1 := touched(of.passages, a.SourceBegin, a.SourceEnd)
	if d0 == d1 || s0 == s1 {
		return &refusal{ReasonNoPassage, "one side of it is in no passage"}
	}
	return nil
}

// joinBlocks joins runs that follow one another on both sides.
func joinBlocks(runs []run) []run {
	slices.SortStableFunc(runs, func(a, b run) int {
		return cmp.Or(cmp.Compare(a.derived[0], b.derived[0]), cmp.Compare(a.source[0], b.source[0]), cmp.Compare(a.alignments[0].ID, b.alignments[0].ID))
	})
	var out []run
	for _, r := range runs {
		if len(out) > 0 {
			last := &out[len(out)-1]
			if r.derived[0] <= last.derived[1]+1 && r.source[0] >= last.source[0] && r.source[0] <= last.source[1]+1 {
				last.derived[1] = max(last.derived[1], r.derived[1])
				last.source[1] = max(last.source[1], r.source[1])
				last.extended += r.extended
				last.alignments = append(last.alignments, r.alignments...)
				continue
			}
		}
		out = append(out, r)
	}
	return out
}

// extend takes neighbours into a run while they share enough, within the
// derived sentences [low, high] that no other run has.
func (r *run) extend(from, of *book, low, high, least int) {
	for r.derived[0] > low && r.source[0] > 0 &&
		shareSubstring(from.passages[r.derived[0]-1].Text, of.passages[r.source[0]-1].Text, least) {
		r.derived[0]--
		r.source[0]--
		r.extended++
	}
	for r.derived[1] < high && r.source[1]+1 < len(of.passages) &&
		shareSubstring(from.passages[r.derived[1]+1].Text, of.passages[r.source[1]+1].Text, least) {
		r.derived[1]++
		r.source[1]++
		r.extended++
	}
}

// shareSubstring says whether two texts have a substring of n characters in
// common, when any white space is one space.
func shareSubstring(a, b string, n int) bool {
	if n <= 0 {
		return false
	}
	grams := map[string]bool{}
	each := func(text string, yield func(string) bool) {
		text = strings.Join(strings.FieldsFunc(text, isSpace), " ")
		var starts []int // of the last n characters, by turns
		for b := range text {
			if len(starts) >= n && !yield(text[starts[len(starts)-n]:b]) {
				return
			}
			starts = append(starts, b)
		}
		if len(starts) >= n {
			yield(text[starts[len(starts)-n]:])
		}
	}
	each(a, func(gram string) bool { grams[gram] = true; return true })
	found := false
	each(b, func(gram string) bool { found = grams[gram]; return !found })
	return found
}

// window is the row of a run.
func (r run) window(from, of *book, o WindowOptions) commonplace.Window {
	d0, d1 := from.passages[r.derived[0]], from.passages[r.derived[1]]
	s0, s1 := of.passages[r.source[0]], of.passages[r.source[1]]
	n := int64(r.source[1] - r.source[0] + 1)
	w := commonplace.Window{
		ID:        spanID(of.doc.ID, s0.Begin, s1.End) + "@" + spanID(from.doc.ID, d0.Begin, d1.End),
		DerivedID: from.doc.ID, DerivedBegin: d0.Begin, DerivedEnd: d1.End,
		SourceID: of.doc.ID, SourceBegin: s0.Begin, SourceEnd: s1.End, Quote: of.slice(s0.Begin, s1.End),
		FirstSentence: s0.Index, Sentences: n, Extended: int64(r.extended), Similarity: 1,
		Candidates: int64(len(of.passages)) - n + 1,
		LeftBegin:  d0.Begin, LeftEnd: d0.Begin, RightBegin: d1.End, RightEnd: d1.End,
		Split: o.Split.Of(cmp.Or(o.Work, of.doc.ID)),
	}
	left := from.passages[max(0, r.derived[0]-o.Sentences):r.derived[0]]
	right := from.passages[r.derived[1]+1 : min(len(from.passages), r.derived[1]+1+o.Sentences)]
	for _, p := range left {
		w.Left = append(w.Left, WithoutCitations(p.Text))
	}
	for _, p := range right {
		w.Right = append(w.Right, WithoutCitations(p.Text))
	}
	if len(left) > 0 {
		w.LeftBegin, w.LeftEnd = left[0].Begin, left[len(left)-1].End
	}
	if len(right) > 0 {
		w.RightBegin, w.RightEnd = right[0].Begin, right[len(right)-1].End
	}
	var parts []commonplace.Span
	for _, a := range r.alignments {
		w.AlignmentIDs = append(w.AlignmentIDs, a.ID)
		w.Similarity = min(w.Similarity, a.Similarity)
		parts = append(parts, commonplace.Span{Begin: int(max(a.SourceBegin, s0.Begin)), End: int(min(a.SourceEnd, s1.End))})
	}
	w.Covered = float64(union(parts)) / float64(s1.End-s0.Begin)
	return w
}

// union is how many code points spans cover together.
func union(spans []commonplace.Span) int {
	slices.SortFunc(spans, func(a, b commonplace.Span) int { return cmp.Compare(a.Begin, b.Begin) })
	covered, end := 0, 0
	for _, s := range spans {
		covered += max(0, s.End-max(s.Begin, end))
		end = max(end, s.End)
	}
	return covered
}
