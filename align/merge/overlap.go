package merge

import (
	"strings"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align/marks"
	"github.com/commonplace/commonplace/align/match"
)

// Where two quotations are side by side, the match of each may extend into the other as far
// as the source happens to continue with the same letters. So their ends are decided together: the
// overlap is cut where the evidence of both is greatest, and where the text has a break.

// Evidence in bits of a break of the derived text for a cut there: the odds of a break at a border
// between two quotations over those at any gap between two words of prose. We assume that 0.8 of
// such borders are between paragraphs, where there are any, 0.5 between lines and 0.7
// between sentences; of the gaps of prose one in 80, in 12 and in 18 is.
const (
	breakParagraph = 8.0
	breakLine      = 3.5
	breakSentence  = 5.0
)

// remainder is a candidate, and what is left of it.
type remainder struct {
	commonplace.Alignment
	needed  float64
	packed  []byte
	words   []match.Border
	lo, hi  int // its words: words[lo:hi]; those before and after are cut off
	runes   []rune
	from    int64 // code point of the derived text at which runes begin
	dropped bool  // what is left has too little evidence
}

// newRemainder is a whole candidate.
func newRemainder(c *Candidate) *remainder {
	return &remainder{Alignment: c.Alignment, needed: c.Needed, packed: c.Words}
}

// unpack reads the words of the match when they are first needed.
func (f *remainder) unpack() {
	if f.packed != nil {
		f.words, _ = match.UnpackBorders(f.packed) // without them it is not cut
		f.packed, f.hi = nil, len(f.words)
	}
}

// overlap is the number of code points of the derived text that two spans have in common.
func overlap(a, b, c, d int64) int64 { return max(0, min(b, d)-max(a, c)) }

// evidence is that of words[lo:hi], with that of the marks at their ends.
func (f *remainder) evidence(lo, hi int) float64 {
	if lo == f.lo && hi == f.hi {
		return f.Score
	}
	a, b := &f.words[lo], &f.words[hi-1]
	bits := a.From + b.Upto - f.words[len(f.words)-1].Upto + a.Open + b.Close
	if a.Flags&match.Opened != 0 && b.Flags&match.Closed != 0 {
		bits += marks.BothBits
	}
	return bits
}

// enough reports whether words[lo:hi] of the match would be reported.
func (f *remainder) enough(lo, hi int, o Limits) bool {
	return lo < hi && hi-lo >= o.MinWords && f.evidence(lo, hi) >= f.needed
}

// beginAt is the word at which the match has the most evidence if it begins at code point d or after it, or hi.
func (f *remainder) beginAt(d int64) int {
	best, at := 0.0, f.hi
	for i := f.hi - 1; i >= f.lo; i-- {
		if w := &f.words[i]; w.Flags&match.MayBegin != 0 && int64(w.D0) >= d && (at == f.hi || w.From+w.Open >= best) {
			best, at = w.From+w.Open, i
		}
	}
	return at
}

// endAt is the number of words after which the match has the most evidence if it ends at code point d or before it, or lo.
func (f *remainder) endAt(d int64) int {
	best, at := 0.0, f.lo
	for i := f.lo; i < f.hi; i++ {
		if w := &f.words[i]; w.Flags&match.MayEnd != 0 && int64(w.D1) <= d && (at == f.lo || w.Upto+w.Close >= best) {
			best, at = w.Upto+w.Close, i+1
		}
	}
	return at
}

// cutBetween decides where left ends and right begins: hi words of left, and right from word lo
// on. ok is false where no cut leaves both enough.
func cutBetween(left, right *remainder, o Limits) (hi, lo int, ok bool) {
	// begins[i] is the best word from i on at which right may begin.
	begins := make([]int, right.hi+1)
	begins[right.hi] = right.hi
	for i := right.hi - 1; i >= right.lo; i-- {
		begins[i] = begins[i+1]
		if w := &right.words[i]; w.Flags&match.MayBegin != 0 {
			if k := begins[i]; k == right.hi || w.From+w.Open >= right.words[k].From+right.words[k].Open {
				begins[i] = i
			}
		}
	}
	best := 0.0
	next := right.lo
	try := func(j, i int) {
		if i == right.hi || !left.enough(left.lo, j, o) || !right.enough(i, right.hi, o) {
			return
		}
		value := left.evidence(left.lo, j) + right.evidence(i, right.hi) + breakBits(left, right, int64(left.words[j-1].D1), int64(right.words[i].D0))
		if !ok || value > best {
			hi, lo, best, ok = j, i, value, true
		}
	}
	try(left.endAt(right.DerivedBegin), right.lo)
	for j := left.lo; j < left.hi; j++ {
		w := &left.words[j]
		if w.Flags&match.MayEnd == 0 && j+1 < left.hi || int64(w.D1) <= right.DerivedBegin {
			continue
		}
		for next < right.hi && (right.words[next].Flags&match.Placed == 0 || right.words[next].D0 < w.D1) {
			next++
		}
		try(j+1, begins[next])
	}
	return hi, lo, ok
}

// part cuts the overlap of a and a stronger match beside it. If both may be cut, the cut is where
// the evidence of both is greatest; otherwise only a is cut. It reports whether a still has enough evidence.
func (a *remainder) part(best *remainder, both bool, o Limits) bool {
	if both {
		left, right := *a, *best
		if a.DerivedBegin >= best.DerivedBegin {
			left, right = right, left
		}
		hi, lo, ok := cutBetween(&left, &right, o)
		if ok && left.cutTo(left.lo, hi, o) && right.cutTo(lo, right.hi, o) {
			if a.DerivedBegin >= best.DerivedBegin {
				left, right = right, left
			}
			*a, *best = left, right
			return true
		}
	}
	return a.leave(best, o)
}

// leave cuts a to the words before or after another match, and reports whether they are enough.
func (a *remainder) leave(other *remainder, o Limits) bool {
	lo, hi := a.lo, a.hi
	if a.DerivedBegin < other.DerivedBegin {
		hi = a.endAt(other.DerivedBegin)
	} else {
		lo = a.beginAt(other.DerivedEnd)
	}
	return a.enough(lo, hi, o) && a.cutTo(lo, hi, o)
}

// around is what is left of a before and after a match within it.
func (a *remainder) around(within *remainder, o Limits) (sides []*remainder) {
	for _, w := range [][2]int{{a.lo, a.endAt(within.DerivedBegin)}, {a.beginAt(within.DerivedEnd), a.hi}} {
		if side := *a; side.enough(w[0], w[1], o) && side.cutTo(w[0], w[1], o) {
			sides = append(sides, &side)
		}
	}
	return sides
}

// breakBits is the evidence of the derived text between two quotations for their border.
func breakBits(left, right *remainder, from, to int64) (bits float64) {
	// A mark or a point before the gap belongs to it, because the letters end before it.
	gap := left.derived(from, min(to, left.DerivedEnd)) + right.derived(max(from, left.DerivedEnd), to)
	switch {
	case strings.Count(gap, "\n") > 1:
		bits = breakParagraph
	case strings.Contains(gap, "\n"):
		bits = breakLine
	}
	if strings.ContainsAny(gap, ".!?") {
		bits += breakSentence
	}
	return bits
}

// derived is the derived text from one code point to another, as far as the match has it.
func (f *remainder) derived(from, to int64) string {
	if f.runes == nil {
		f.runes, f.from = []rune(f.DerivedText), f.DerivedBegin
	}
	n := int64(len(f.runes))
	from, to = max(0, from-f.from), min(n, to-f.from)
	if from >= to {
		return ""
	}
	return string(f.runes[from:to])
}

// cutTo cuts the match to words[lo:hi]. It reports whether it is still similar to its source.
func (f *remainder) cutTo(lo, hi int, o Limits) bool {
	if lo == f.lo && hi == f.hi {
		return true
	}
	score := f.evidence(lo, hi)
	a, b := f.words[lo], f.words[hi-1]
	d, s := []rune(f.DerivedText), []rune(f.SourceText)
	d0, d1, s0, s1 := 0, len(d), 0, len(s)
	if lo > f.lo {
		d0, s0 = a.D0-int(f.DerivedBegin), a.S0-int(f.SourceBegin)
		for d0 > 0 && s0 > 0 && match.SamePoint(d[d0-1], s[s0-1]) {
			d0, s0 = d0-1, s0-1
		}
	}
	if hi < f.hi {
		d1, s1 = b.D1-int(f.DerivedBegin), b.S1-int(f.SourceBegin)
		for d1 < len(d) && s1 < len(s) && match.SamePoint(d[d1], s[s1]) {
			d1, s1 = d1+1, s1+1
		}
	}
	if d0 >= d1 || s0 >= s1 || d0 < 0 || s0 < 0 || d1 > len(d) || s1 > len(s) {
		return false
	}
	was := f.Alignment
	f.DerivedText, f.SourceText = string(d[d0:d1]), string(s[s0:s1])
	f.DerivedBegin, f.DerivedEnd = was.DerivedBegin+int64(d0), was.DerivedBegin+int64(d1)
	f.SourceBegin, f.SourceEnd = was.SourceBegin+int64(s0), was.SourceBegin+int64(s1)
	f.Parts = partsWithin(was.Parts, &f.Alignment)
	f.Marked = a.Flags&match.Opened != 0 && b.Flags&match.Closed != 0
	f.MatchedWords = 0
	for _, w := range f.words[lo:hi] {
		if w.Flags&match.WholeWord != 0 {
			f.MatchedWords++
		}
	}
	f.judge()
	if f.Similarity < o.MinSimilarity {
		f.Alignment = was
		return false
	}
	f.lo, f.hi, f.Score = lo, hi, score
	f.Confidence = Confidence(score - f.needed)
	f.ID = ID(&f.Alignment)
	return true
}

// partsWithin are the parts of a match within what is left of it; none if only one is.
func partsWithin(parts []commonplace.Part, a *commonplace.Alignment) (out []commonplace.Part) {
	for _, p := range parts {
		p.DerivedBegin, p.DerivedEnd = max(p.DerivedBegin, a.DerivedBegin), min(p.DerivedEnd, a.DerivedEnd)
		p.SourceBegin, p.SourceEnd = max(p.SourceBegin, a.SourceBegin), min(p.SourceEnd, a.SourceEnd)
		if p.DerivedBegin < p.DerivedEnd && p.SourceBegin < p.SourceEnd {
			out = append(out, p)
		}
	}
	if len(out) < 2 {
		return nil
	}
	return out
}

// judge sets the similarity and the kind of a match by its texts and parts.
func (f *remainder) judge() {
	parts := []match.Segment{{D1: len(f.DerivedText), S1: len(f.SourceText)}}
	if len(f.Parts) > 0 {
		dAt, sAt := commonplace.NewOffsets(f.DerivedText), commonplace.NewOffsets(f.SourceText)
		parts = parts[:0]
		for _, p := range f.Parts {
			parts = append(parts, match.Segment{
				D0: dAt.Byte(int(p.DerivedBegin - f.DerivedBegin)), D1: dAt.Byte(int(p.DerivedEnd - f.DerivedBegin)),
				S0: sAt.Byte(int(p.SourceBegin - f.SourceBegin)), S1: sAt.Byte(int(p.SourceEnd - f.SourceBegin))})
		}
	}
	f.Similarity, f.Kind = match.Judge(&f.Alignment, parts)
}
