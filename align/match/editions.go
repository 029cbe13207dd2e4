package match

import (
	"math"
	"slices"

	"github.com/commonplace/commonplace/align/fold"
	"github.com/commonplace/commonplace/align/ngrams"
)

// A collection may have several copies of a passage: editions of a book, or texts that
// quote it. Each copy makes the words of the others look common. So what the copies add
// to the counts is subtracted. Two rules find copies.
//
// Runs: where copyRun successive triples of words all occur k times or more, they are k
// copies of one text. A common phrase is not a copy, because the words around it differ.
// Hence the run continues in the source beyond the alignment, and is long: of the words of
// single books 1 in 100 is in such a run by chance.
//
// Damaged copies: one wrong letter makes three triples rarer and ends a run. So fewer of
// copyRun triples suffice in a collection where chance seldom repeats so many
// (fewestRepeats). Only triples of the alignment count: around it a common phrase stands
// beside others.

const (
	copyRun      = 16     // successive triples that are read together
	leastRepeats = 6      // of them that must be repeated: an idiom of five words repeats three
	leastWords   = 20_000 // words of a collection in which so few suffice
)

// discountEditions sets the copies of each word, and its surprisal without them.
func (m *Matcher) discountEditions(words []word) {
	repeated := 0
	for i := range words {
		if words[i].triple > 1 {
			repeated++
		}
	}
	if repeated == 0 {
		return
	}
	m.discountRuns(words)
	if fewest := fewestRepeats(m.Counts.Words); repeated >= fewest {
		discountDamaged(words, fewest)
	}
	for i := range words {
		if w := &words[i]; w.added > 1 {
			w.surprisal = m.Counts.Surprisal(w.u, w.v, w.w, w.added)
		}
	}
}

// discountRuns sets the copies of words in runs of repeated triples.
func (m *Matcher) discountRuns(words []word) {
	t := m.triples[:0]
	if words[0].triple > 1 {
		t = m.triplesBefore(t, int(words[0].begin))
	}
	first := len(t)
	for i := range words {
		t = append(t, words[i].triple)
	}
	if w := &words[len(words)-1]; w.triple > 1 {
		t = m.triplesAfter(t, w)
	}
	m.triples = t
	for end := copyRun; end <= len(t); end++ {
		if copies := slices.Min(t[end-copyRun : end]); copies > 1 {
			for i := max(first, end-copyRun); i < min(first+len(words), end); i++ {
				w := &words[i-first]
				w.copies = max(w.copies, copies)
				w.added = w.copies
			}
		}
	}
}

// discountDamaged sets what the copies add where fewest of copyRun triples are repeated.
func discountDamaged(words []word, fewest int) {
	var last [copyRun]uint32
	sorted := last[:0] // counts of the last triples, the least first
	for end := 1; end <= len(words); end++ {
		if end > copyRun {
			k, _ := slices.BinarySearch(sorted, words[end-copyRun-1].triple)
			sorted = slices.Delete(sorted, k, k+1)
		}
		k, _ := slices.BinarySearch(sorted, words[end-1].triple)
		sorted = slices.Insert(sorted, k, words[end-1].triple)
		if len(sorted) < fewest {
			continue
		}
		copies := sorted[len(sorted)-fewest]
		if copies < 2 {
			continue
		}
		// More copies have a word or a pair undamaged than a triple: up to half as many
		// again, if one letter in 30 is wrong.
		for i := max(0, end-copyRun); i < end; i++ {
			words[i].added = max(words[i].added, copies+copies/2)
		}
	}
}

// fewestRepeats is how many of copyRun triples must be repeated to be of copies, in a
// collection of so many words. We measured novels that were cut to texts of 300 words.
// Of their rows of copyRun triples, 7 in 1,000 have 6 that are repeated in 20,000 words.
// In larger collections 1 to 3 in 1,000 have so many as this gives: 9 in 60,000 words, 12
// in 200,000, 14 in 600,000 and 16 in 2,000,000. If it kept to 7 in 1,000, by two more for
// each threefold, salutations of speeches would be found (bench/RESULTS.md).
func fewestRepeats(words int64) int {
	n := math.Ceil(leastRepeats + 2.5*math.Log(float64(words)/leastWords)/math.Log(3))
	return int(min(max(n, leastRepeats), copyRun))
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
// one that is not repeated.
func (m *Matcher) triplesAfter(t []uint32, w *word) []uint32 {
	s := m.win.Sym
	u, v := w.v, w.w
	for k, at := 0, int(w.end); k < copyRun && at < len(s); k++ {
		h, n := fold.WordHash(s[:len(s)+fold.Padding], at)
		c := m.Counts.Gram(ngrams.TripleHash(u, v, h))
		if c < 2 {
			break
		}
		t = append(t, c)
		u, v = v, h
		at += n
	}
	return t
}
