package match

import (
	"math"

	"github.com/commonplace/commonplace/align/fold"
	"github.com/commonplace/commonplace/align/ngrams"
)

// A collection may have several editions of a book, and each copy makes the words of the
// others look common. So the copies of the passage are subtracted from the counts. Where
// copyRun successive triples of words all occur k times or more, they are k copies of one text.
// A common phrase is not a copy, because the words around it differ. Hence the run
// continues in the source beyond the alignment, and is long: of the words of single
// books 1 in 100 is in such a run by chance.

// copyRun is the number of successive triples.
const copyRun = 16

// In a small collection the copies of a passage are much of the text, so words in it follow
// one another as they would in no other text; and copies may be damaged, which breaks
// runs. There a triple of words is seldom repeated by chance. So where copyRepeated of
// copyRun successive triples are repeated, each word counts as if it stood alone, and
// without the copies. An idiom of five words repeats three triples.
const (
	smallWords   = 20_000 // a collection with fewer words is small
	copyRepeated = 6
)

// discountEditions sets the copies of each word, and its surprisal without them.
func (m *Matcher) discountEditions(words []word) {
	if m.Counts.Words < smallWords {
		m.discountCopies(words)
		return
	}
	common := false
	for i := range words {
		common = common || words[i].triple > 1
	}
	if !common {
		return
	}
	t := m.triples[:0]
	if words[0].triple > 1 {
		t = m.triplesBefore(t, int(words[0].begin))
	}
	first := len(t)
	for i := range words {
		t = append(t, words[i].triple)
	}
	last := len(t)
	if w := &words[len(words)-1]; w.triple > 1 {
		t = m.triplesAfter(t, w, 2)
	}
	m.triples = t
	for end := copyRun; end <= len(t); end++ {
		copies := t[end-1]
		for _, c := range t[end-copyRun : end] {
			copies = min(copies, c)
		}
		if copies < 2 {
			continue
		}
		for i := max(first, end-copyRun); i < min(last, end); i++ {
			w := &words[i-first]
			w.copies = max(w.copies, copies)
		}
	}
	for i := range words {
		if w := &words[i]; w.copies > 1 {
			w.surprisal = m.Counts.Surprisal(w.u, w.v, w.w, w.copies)
		}
	}
}

// discountCopies is discountEditions in a small collection.
func (m *Matcher) discountCopies(words []word) {
	t := m.triplesBefore(m.triples[:0], int(words[0].begin))
	first := len(t)
	for i := range words {
		t = append(t, words[i].triple)
	}
	last := len(t)
	t = m.triplesAfter(t, &words[len(words)-1], 0)
	m.triples = t
	done, repeated := first, 0
	for end := 1; end <= len(t); end++ {
		if t[end-1] > 1 {
			repeated++
		}
		if end > copyRun && t[end-copyRun-1] > 1 {
			repeated--
		}
		if repeated < copyRepeated {
			continue
		}
		for i := max(done, end-copyRun); i < min(last, end); i++ {
			w := &words[i-first]
			w.copies = max(1, w.triple, m.Counts.Gram(ngrams.PairHash(w.v, w.w)))
			w.surprisal = m.Counts.Surprisal(0, 0, w.w, w.copies)
			done = i + 1
		}
	}
}

// fewestCopies is how often the collection has the words under pairs from..to.
func fewestCopies(words []word, from, to int) int {
	fewest := uint32(math.MaxUint32)
	for i := range words {
		if w := &words[i]; int(w.last) > from && int(w.first) < to {
			fewest = min(fewest, w.copies)
		}
	}
	return int(fewest)
}

// triplesBefore appends the counts of the triples that end before symbol at of the window.
func (m *Matcher) triplesBefore(t []uint32, at int) []uint32 {
	s := m.win.Sym
	var starts [copyRun + 2]int
	n := 0
	for i := at - 1; i >= 0 && n < len(starts); i-- {
		if s[i]&fold.WordStart != 0 {
			starts[n] = i
			n++
		}
	}
	var u, v uint64
	for k := n - 1; k >= 0; k-- {
		w, _ := fold.WordHash(s[:len(s)+fold.Padding], starts[k])
		if k < n-2 {
			t = append(t, m.Counts.Gram(ngrams.TripleHash(u, v, w)))
		}
		u, v = v, w
	}
	return t
}

// triplesAfter appends the counts of the triples after word w, up to
// one that the collection has less often than least.
func (m *Matcher) triplesAfter(t []uint32, w *word, least uint32) []uint32 {
	s := m.win.Sym
	u, v := w.v, w.w
	for k, at := 0, int(w.end); k < copyRun && at < len(s); k++ {
		h, n := fold.WordHash(s[:len(s)+fold.Padding], at)
		c := m.Counts.Gram(ngrams.TripleHash(u, v, h))
		if c < least {
			break
		}
		t = append(t, c)
		u, v = v, h
		at += n
	}
	return t
}
