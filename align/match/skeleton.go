package match

// People who quote change few words, and leave most of a sentence as it was. Where every third or fourth word is another
// one, the rest is a sentence's skeleton: a turn of phrase, a parody, a formula of law or of a table. Its words are
// too many for chance, and it is no quotation all the same.
const (
	skeletonMissed = 3 // replaced words from which it may be one
	skeletonEach   = 5 // one word in so many is replaced
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
		case w.gain(w.matched) < variant && (w.last > w.first || i+1 < len(words) && words[i+1].unmatched > 0):
			replaced, run = replaced+1, 0
		default:
			run++
			longest = max(longest, run)
		}
	}
	return replaced, longest
}

// Skeleton reports whether the chain has only the skeleton of its source.
func (c *Chain) Skeleton() bool {
	replaced, longest := 0, 0
	for i := range c.Pieces {
		replaced, longest = replaced+c.Pieces[i].replaced, max(longest, c.Pieces[i].longest)
	}
	return replaced >= skeletonMissed && skeletonEach*replaced >= c.Touched() && longest <= skeletonRun
}
