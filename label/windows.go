package label

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/commonplace/commonplace"
)

// WindowOptions say how quotations become windows (RELiC, Appendix A). Options that set none
// of the numbers stand for [DefaultWindows].
type WindowOptions struct {
	Sentences  int     // of context on either side; the paper's is 4
	Shared     int     // characters that a neighbouring sentence must share to belong to the quotation; the paper's is 15
	Similarity float64 // that a sentence of the source must have to the quotation to be quoted, by [QuickRatio]; the paper's is .8
	Split      Split   // by primary source, whatever By says
	Work       string  // name of the source's work, where editions must stay together; the source's id when empty
}

// DefaultWindows are the paper's constants.
func DefaultWindows() WindowOptions {
	return WindowOptions{Sentences: 4, Shared: 15, Similarity: 0.8, Split: defaultSplit(ByDocument)}
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
	begin, end      int64 // what of the derived text quotes
	extended        int
	alignments      []commonplace.Alignment
}

// Windows makes one window of every quotation of a source in a derived text.
// Both come with all their sentences as passages; alignments are those between
// the two.
//
// A sentence of the source is quoted where it is like a sentence of the derived text, or
// like the part of one that an alignment covers, by Similarity or more ([QuickRatio]). So a
// part of a sentence is no window; the alignment is then in none. Quotations whose
// sentences follow one another on both sides are one block quote. A neighbouring sentence
// that shares a substring of Shared characters with the neighbouring sentence of the
// source belongs to the block as well, again and again, at both ends: this catches the
// halves of an ellipsis. The window's quote is the source's own sentences. Its context is
// what the derived text says around the quotation, without in-line citations: whole
// sentences, and what a sentence that quotes says beside the quotation.
//
// Cut the derived text with its citations blanked ([BlankCitations]), or a full stop in
// one ends a sentence.
func Windows(derived commonplace.Document, derivedSentences []commonplace.Passage, source commonplace.Document, sourceSentences []commonplace.Passage, alignments []commonplace.Alignment, o WindowOptions) ([]commonplace.Window, []commonplace.Reject) {
	o = o.orDefaults()
	from, of := newBook(derived, derivedSentences), newBook(source, sourceSentences)
	var runs []run
	var parts []commonplace.Alignment // that quote no whole sentence
	var rejects []commonplace.Reject
	for _, a := range alignments {
		if refused := fits(from, of, a); refused != nil {
			rejects = append(rejects, commonplace.Reject{Stage: "label", ID: a.ID, Reason: refused.reason, Detail: refused.detail, Location: derived.ID})
			continue
		}
		whole := quotedSentences(from, of, a, o)
		runs = append(runs, whole...)
		if len(whole) == 0 {
			parts = append(parts, a)
		}
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
		r.addParts(from, of, parts)
		windows = append(windows, r.window(from, of, o))
	}
	slices.SortStableFunc(rejects, func(a, b commonplace.Reject) int { return cmp.Compare(a.ID, b.ID) })
	return windows, rejects
}

// quotedSentences are the sentences of the source that an alignment quotes as a whole,
// each with the sentence of the derived text that is most like it.
func quotedSentences(from, of *book, a commonplace.Alignment, o WindowOptions) []run {
	d0, d1 := touched(from.passages, a.DerivedBegin, a.DerivedEnd)
	s0, s1 := touched(of.passages, a.SourceBegin, a.SourceEnd)
	wholes, parts := make([][]rune, d1-d0), make([][]rune, d1-d0)
	for d := d0; d < d1; d++ {
		p := from.passages[d]
		wholes[d-d0] = plain(WithoutCitations(p.Text))
		parts[d-d0] = plain(WithoutCitations(from.slice(max(p.Begin, a.DerivedBegin), min(p.End, a.DerivedEnd))))
	}
	var runs []run
	for s := s0; s < s1; s++ {
		most := 0.0
		var best run
		sentence := plain(of.passages[s].Text)
		for d := d0; d < d1; d++ {
			p := from.passages[d]
			begin, end := max(p.Begin, a.DerivedBegin), min(p.End, a.DerivedEnd)
			whole := ratioAbove(wholes[d-d0], sentence, o.Similarity)
			part := ratioAbove(parts[d-d0], sentence, o.Similarity)
			if whole >= o.Similarity {
				begin, end = p.Begin, p.End // what little it says beside the quotation is the OCR's, or the critic's [words]
			}
			if like := max(whole, part); like >= o.Similarity && like > most {
				most = like
				best = run{derived: [2]int{d, d}, source: [2]int{s, s}, begin: begin, end: end, alignments: []commonplace.Alignment{a}}
			}
		}
		if most > 0 {
			runs = append(runs, best)
		}
	}
	return joinBlocks(runs)
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
				last.begin, last.end = min(last.begin, r.begin), max(last.end, r.end)
				for _, a := range r.alignments {
					if !slices.ContainsFunc(last.alignments, func(b commonplace.Alignment) bool { return b.ID == a.ID }) {
						last.alignments = append(last.alignments, a)
					}
				}
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
		r.begin = from.passages[r.derived[0]].Begin
		r.extended++
	}
	for r.derived[1] < high && r.source[1]+1 < len(of.passages) &&
		shareSubstring(from.passages[r.derived[1]+1].Text, of.passages[r.source[1]+1].Text, least) {
		r.derived[1]++
		r.source[1]++
		r.end = from.passages[r.derived[1]].End
		r.extended++
	}
}

// addParts takes in the alignments of parts of sentences that the run has on both sides.
func (r *run) addParts(from, of *book, parts []commonplace.Alignment) {
	for _, a := range parts {
		if a.DerivedBegin >= r.begin && a.DerivedEnd <= r.end &&
			a.SourceBegin >= of.passages[r.source[0]].Begin && a.SourceEnd <= of.passages[r.source[1]].End {
			r.alignments = append(r.alignments, a)
		}
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
	s0, s1 := of.passages[r.source[0]], of.passages[r.source[1]]
	n := int64(r.source[1] - r.source[0] + 1)
	w := commonplace.Window{
		ID:        spanID(of.doc.ID, s0.Begin, s1.End) + "@" + spanID(from.doc.ID, r.begin, r.end),
		DerivedID: from.doc.ID, DerivedBegin: r.begin, DerivedEnd: r.end,
		SourceID: of.doc.ID, SourceBegin: s0.Begin, SourceEnd: s1.End, Quote: of.slice(s0.Begin, s1.End),
		FirstSentence: s0.Index, Sentences: n, Extended: int64(r.extended), Similarity: 1,
		Candidates: int64(len(of.passages)) - n + 1,
		LeftBegin:  r.begin, LeftEnd: r.begin, RightBegin: r.end, RightEnd: r.end,
		Split: o.Split.Of(cmp.Or(o.Work, of.doc.ID), of.doc.ID),
	}
	left, right := r.around(from, o.Sentences)
	for _, s := range left {
		w.Left = append(w.Left, WithoutCitations(from.slice(s[0], s[1])))
	}
	for _, s := range right {
		w.Right = append(w.Right, WithoutCitations(from.slice(s[0], s[1])))
	}
	if len(left) > 0 {
		w.LeftBegin, w.LeftEnd = left[0][0], left[len(left)-1][1]
	}
	if len(right) > 0 {
		w.RightBegin, w.RightEnd = right[0][0], right[len(right)-1][1]
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

// around are the n sentences on either side of a run, in code points of the derived text.
// What the run's first sentence says before the quotation is the nearest of them, and so is
// what its last one says after it.
func (r run) around(from *book, n int) (left, right [][2]int64) {
	for _, p := range from.passages[max(0, r.derived[0]-n):r.derived[0]] {
		left = append(left, [2]int64{p.Begin, p.End})
	}
	for _, p := range from.passages[r.derived[1]+1 : min(len(from.passages), r.derived[1]+1+n)] {
		right = append(right, [2]int64{p.Begin, p.End})
	}
	begin := from.passages[r.derived[0]].Begin
	head := from.slice(begin, r.begin)
	head = head[:len(strings.TrimRightFunc(BlankCitations(head), func(x rune) bool { return isSpace(x) || unicode.In(x, unicode.Ps, unicode.Pi) || x == '"' || x == '\'' }))]
	if plain(head) != nil {
		left = append(left, [2]int64{begin, begin + int64(utf8.RuneCountInString(head))})
	}
	end := from.passages[r.derived[1]].End
	tail := from.slice(r.end, end)
	tail = tail[len(tail)-len(strings.TrimLeftFunc(BlankCitations(tail), func(x rune) bool { return isSpace(x) || unicode.In(x, unicode.Pe, unicode.Pf, unicode.Po) })):]
	if plain(tail) != nil {
		right = append([][2]int64{{end - int64(utf8.RuneCountInString(tail)), end}}, right...)
	}
	return left[max(0, len(left)-n):], right[:min(len(right), n)]
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
