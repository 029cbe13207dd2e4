package match

import (
	"github.com/commonplace/commonplace/align/edit"
	"github.com/commonplace/commonplace/align/fold"
	"github.com/commonplace/commonplace/align/ngrams"
)

// Evidence of an alignment in bits: how surprising it would be to find these
// words of the source by chance. Each source word counts with its surprisal
// (package ngrams), by the fraction of its letters that the derived side has. Source
// words that are missing, and words that only the derived side has, count against it.
const (
	missedWord    = 7.0 // bits against, for a missing source word
	missedNext    = 3.5 // and for each further one after it
	unmatchedFew  = 1.0 // bits against one or two derived letters without partner
	unmatchedBase = 4.0 // and against a longer run of them
	unmatchedEach = 0.3 // with each of its letters
	unmatchedMost = 12.0
	unmatchedFree = 6 // letters that replace a missed word before them

	minShare   = 0.5  // fraction of its letters that a damaged word needs to count
	otherShare = 0.7  // the same where the derived side has another word of the language
	variant    = -2.0 // evidence of such a word, which may be a variant spelling
	repeated   = 6.0  // evidence at most of a word that came just before
	damageBits = 14.9 // surprisal from which a word is likelier damaged than another word
)

// word is one source word that an alignment touches.
type word struct {
	begin, end int32   // symbols in the window
	first      int32   // index of its first pair, or of the next pair where it has none
	last       int32   // index after its last pair
	matched    int32   // equal pairs
	surprisal  float64 // in bits, after the two words before
	u, v, w    uint64
	ignored    bool   // it stands in a phrase that is no evidence
	other      bool   // the derived side has another word of the language here
	unmatched  int32  // derived letters without partner before its last pair
	missed     int32  // successive missed source words before it
	triple     uint32 // count of it and the two words before in the collection
	copies     uint32 // of the passage in the collection
	added      uint32 // what they add to the counts of the word and of its context, at most
}

// gain is the evidence of the word with n equal pairs. If the derived side has no word
// of the language there, it is hardly anything but a damaged one; a word of the
// language may be another word.
func (w *word) gain(n int32) float64 {
	share := float64(n) / float64(w.end-w.begin)
	switch {
	case share == 1 && !w.other:
		return w.surprisal
	case w.other && share < otherShare || share < minShare:
		if w.missed > 0 {
			return -missedNext
		}
		return -missedWord
	case w.other:
		return variant
	}
	return w.surprisal*share - missedWord*(1-share)
}

// unmatchedCost is the bits against n derived letters without partner, after so
// many missed source words.
func unmatchedCost(n, missed int32) float64 {
	n -= unmatchedFree * missed
	if n <= 0 {
		return 0
	}
	if n <= 2 {
		return unmatchedFew
	}
	return min(unmatchedMost, unmatchedBase+unmatchedEach*float64(n))
}

// readWords lists the source words under pairs, which are in order.
func (m *Matcher) readWords(pairs []edit.Pair) []word {
	m.words = m.words[:0]
	if len(pairs) == 0 {
		return nil
	}
	d, s := m.Derived.Sym, m.win.Sym
	pad := s[:len(s)+fold.Padding]
	at := int(pairs[0].S)
	for at > 0 && s[at]&fold.WordStart == 0 {
		at--
	}
	// The two words before give the first one its context.
	u, v := m.context(at)
	// The counts are read in a separate loop, so that the reads of memory overlap.
	stop := int(pairs[len(pairs)-1].S)
	touched := uint32(0)
	for at <= stop {
		h, n := fold.WordHash(pad, at)
		w := word{begin: int32(at), end: int32(at + n), u: u, v: v, w: h, copies: 1, added: 1, triple: m.Counts.Gram(ngrams.TripleHash(u, v, h))}
		touched += m.Counts.Gram(ngrams.PairHash(v, h)) + m.Counts.WordCount(h)
		m.words = append(m.words, w)
		u, v = v, h
		at += n
	}
	m.touched += touched
	k := 0
	for i := range m.words {
		w := &m.words[i]
		w.first, w.surprisal = int32(k), m.Counts.Surprisal(w.u, w.v, w.w, 1)
		for ; k < len(pairs) && pairs[k].S < w.end; k++ {
			p := pairs[k]
			if k > 0 {
				w.unmatched += m.unmatched(pairs[k-1].D+1, p.D)
			}
			if d[p.D]&fold.Mask == s[p.S]&fold.Mask {
				w.matched++
			}
		}
		w.last = int32(k)
		w.other = w.matched > 0 && m.otherWord(w, pairs)
	}
	m.discountEditions(m.words)
	for i := range m.words {
		w := &m.words[i]
		for _, b := range m.words[max(0, i-8):i] {
			if b.w == w.w {
				w.surprisal = min(w.surprisal, repeated)
			}
		}
		if i > 0 && m.words[i-1].gain(m.words[i-1].matched) < 0 {
			w.missed = m.words[i-1].missed + 1
		}
	}
	m.ignorePhrases(pairs)
	return m.words
}

// unmatched is the number of derived symbols from..to outside square brackets.
func (m *Matcher) unmatched(from, to int32) int32 {
	n := max(0, to-from)
	if m.Marks.Inserted != nil {
		for _, in := range m.Marks.Inserted[min(from, to):to] {
			if in {
				n--
			}
		}
	}
	return n
}

// unmatchedWithin is the number of derived symbols between pairs.
func (m *Matcher) unmatchedWithin(pairs []edit.Pair) (n int32) {
	for k := 1; k < len(pairs); k++ {
		n += m.unmatched(pairs[k-1].D+1, pairs[k].D)
	}
	return n
}

// otherWord reports whether the derived word at w's pairs is another word than w,
// and one of the collection. A word rarer than damage is more likely a damaged one
// (damageBits).
func (m *Matcher) otherWord(w *word, pairs []edit.Pair) bool {
	d := m.Derived.Sym
	p := pairs[w.first]
	at := int(p.D)
	for at > m.DLo && d[at]&fold.WordStart == 0 {
		at--
	}
	h, n := fold.WordHash(d[:len(d)+fold.Padding], at)
	if h == w.w {
		return false
	}
	// Words that are cut at the end of the alignment, joined or broken cannot be compared.
	if last := int(pairs[w.last-1].D); last >= at+n || n < 2 || m.joined(at, n, int(p.S)-(int(p.D)-at)) {
		return false
	}
	return m.Counts.WordBits(h) < damageBits
}

// joined reports whether the window has the n symbols of the derived word at at from
// symbol s on, as several words: today for to-day.
func (m *Matcher) joined(at, n, s int) bool {
	if s < 0 || s+n > len(m.win.Sym) || m.win.Sym[s]&fold.WordStart == 0 || s+n < len(m.win.Sym) && m.win.Sym[s+n]&fold.WordStart == 0 {
		return false
	}
	for i := range n {
		if m.Derived.Sym[at+i]&fold.Mask != m.win.Sym[s+i]&fold.Mask {
			return false
		}
	}
	return true
}

// context is the hashes of the two words of the window before symbol at.
func (m *Matcher) context(at int) (u, v uint64) {
	s := m.win.Sym
	pad := s[:len(s)+fold.Padding]
	back := func(at int) int {
		at--
		for at > 0 && s[at]&fold.WordStart == 0 {
			at--
		}
		return at
	}
	if at > 0 {
		b := back(at)
		v, _ = fold.WordHash(pad, b)
		if b > 0 {
			u, _ = fold.WordHash(pad, back(b))
		}
	}
	return u, v
}

// weigh sums the evidence of pairs[from:to] over words; the context of the first
// two words is outside the alignment and does not count.
func (m *Matcher) weigh(words []word, pairs []edit.Pair, from, to int) (bits float64, matched, inside int) {
	d, s := m.Derived.Sym, m.win.Sym
	for i := range words {
		w := &words[i]
		if int(w.last) <= from {
			continue
		}
		if int(w.first) >= to {
			break
		}
		v := *w
		switch {
		case v.ignored:
		case inside == 0:
			v.surprisal = max(v.surprisal, m.Counts.Surprisal(0, 0, w.w, w.added))
		case inside == 1:
			v.surprisal = max(v.surprisal, m.Counts.Surprisal(0, w.v, w.w, w.added))
		}
		n := w.matched
		if int(w.first) < from || int(w.last) > to {
			n = 0
			for _, p := range pairs[max(int(w.first), from):min(int(w.last), to)] {
				if d[p.D]&fold.Mask == s[p.S]&fold.Mask {
					n++
				}
			}
		}
		cut := int(w.last) >= to && pairs[to-1].S+1 < w.end || int(w.first) <= from && pairs[from].S > w.begin
		if cut {
			bits += v.part(n)
		} else {
			bits += v.gain(n)
		}
		if inside > 0 {
			bits -= unmatchedCost(w.unmatched, w.missed)
		} else {
			bits -= unmatchedCost(m.unmatchedWithin(pairs[max(int(w.first), from):min(int(w.last), to)]), 0)
		}
		if n == w.end-w.begin {
			matched++
		}
		inside++
	}
	return bits, matched, inside
}

// part is the evidence of n letters of a word that the derived side cuts short.
func (w *word) part(n int32) float64 {
	return 0.7 * w.surprisal * float64(n) / float64(w.end-w.begin)
}
