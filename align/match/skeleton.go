package match

// People who quote change few words, and leave most of a sentence as it was. Where every third or fourth word is another
// one, the rest is a sentence's skeleton: a turn of phrase, a parody, a formula of law or of a table. Its words are
// too many for chance, and it is no quotation all the same.
const (
	skeletonMissed = 3 // replaced words from which it may be one
	skeletonEach   = 6 // one word in so many is replaced
	skeletonOthers = 3 // letters without partner beside a word of which most letters are not equal
	skeletonRun    = 7 // words in a row at most that are left: where every fourth is replaced, one may be alike by chance
)

// replacedIn counts the source words under pairs[from:to] for which the derived side has another (what it leaves out does not count), and the longest
// row of words between them.
func replacedIn(words []word, from, to int) (replaced, longest int) {
	run := 0
	for i := range words {
		w := &words[i]
		switch {
		case int(w.last) <= from || int(w.first) >= to:
		case replacedBy(w, unmatchedAfter(words, i)):
			replaced, run = replaced+1, 0
		default:
			run++
			longest = max(longest, run)
		}
	}
	return replaced, longest
}

// unmatchedAfter is the derived letters without partner at the beginning of the next word.
func unmatchedAfter(words []word, i int) int32 {
	if i+1 == len(words) {
		return 0
	}
	return words[i+1].unmatched
}

// replacedBy reports whether the derived side has another word for w: few of its letters are equal, or not most of them where as
// many others stand there. What is left out is not replaced.
func replacedBy(w *word, after int32) bool {
	share := float64(w.matched) / float64(w.end-w.begin)
	switch {
	case w.gain(w.matched) < variant:
		return w.last > w.first || after > 0
	case share < otherShare:
		return max(w.unmatched, after) >= skeletonOthers
	}
	return false
}

// Skeleton reports whether the chain has only the skeleton of its source.
func (c *Chain) Skeleton() bool {
	replaced, longest := 0, 0
	for i := range c.Pieces {
		replaced, longest = replaced+c.Pieces[i].replaced, max(longest, c.Pieces[i].longest)
	}
	return replaced >= skeletonMissed && skeletonEach*replaced >= c.Touched() && longest <= skeletonRun
}
