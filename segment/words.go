package segment

import "iter"

// ByWords cuts every n words (RA-MTR, Appendix D, Algorithm 3: 200). A piece
// begins with its first word's first character and ends after its last word's
// last; the last piece of a text may hold fewer words.
func ByWords(n int) Cut {
	return func(text string) iter.Seq[Piece] {
		return func(yield func(Piece) bool) {
			i := skipSpace(text, 0)
			for i < len(text) {
				begin, end, words := i, i, 0
				for words < n && i < len(text) {
					end = wordEnd(text, i)
					words++
					i = skipSpace(text, end)
				}
				if !yield(Piece{Begin: begin, End: end, Words: words}) {
					return
				}
			}
		}
	}
}
