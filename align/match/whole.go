package match

import (
	"slices"

	"github.com/commonplace/commonplace/align/fold"
)

// An entry of a list is a whole, so it matters which of its words have no partner in the source.

// partner says what a symbol of a listed quote has in the source.
type partner uint8

const (
	paired    partner = 1 << iota // a letter
	equal                         // the same letter
	supported                     // the same letter, of a word that is evidence
)

// partnersIn are the partners of the symbols under pairs[from:to].
func (m *Matcher) partnersIn(words []word, from, to int) []partner {
	d0 := m.pairs[from].D
	out := make([]partner, m.pairs[to-1].D+1-d0)
	for i := range words {
		w := &words[i]
		says := w.gain(w.matched) > variant
		for _, p := range m.pairs[min(to, max(from, int(w.first))):min(to, max(from, int(w.last)))] {
			out[p.D-d0] = paired
			if m.Derived.Sym[p.D]&fold.Mask == m.win.Sym[p.S]&fold.Mask {
				if out[p.D-d0] |= equal; says {
					out[p.D-d0] |= supported
				}
			}
		}
	}
	return out
}

// Missing counts the words of a listed quote that the source does not have, and those that it may have, but
// damaged: they are rare, and most of their letters have partners. A word of which two thirds of the letters support the match
// is there, and so is one that the end of the quote cuts. Words in square brackets do not count, because people who quote insert them.
func (m *Matcher) Missing(c *Chain) (missing, damaged int) {
	at := 0 // of the pieces, which are in order
	for i := m.DLo; i < m.DHi; {
		end := i + 1
		for end < m.DHi && m.Derived.Sym[end]&fold.WordStart == 0 {
			end++
		}
		for at < len(c.Pieces) && c.Pieces[at].D1 <= i {
			at++
		}
		var pairs, same, says int
		for k := at; k < len(c.Pieces) && c.Pieces[k].D0 < end; k++ {
			p := &c.Pieces[k]
			if p.D1 <= i {
				continue
			}
			for _, s := range p.partners[max(i, p.D0)-p.D0 : min(end, p.D1)-p.D0] {
				pairs, same, says = pairs+int(s&paired), same+int(s&equal/equal), says+int(s&supported/supported)
			}
		}
		n := end - i
		switch {
		case 3*says >= 2*n, (i == m.DLo || end == m.DHi) && same == n, m.Marks.Inserted != nil && !slices.Contains(m.Marks.Inserted[i:end], false):
		case 2*pairs >= n && m.rareAt(i):
			damaged++
		default:
			missing++
		}
		i = end
	}
	return missing, damaged
}

// rareAt reports whether the word of the derived side at symbol i is likelier damaged than another word.
func (m *Matcher) rareAt(i int) bool {
	h, _ := fold.WordHash(m.Derived.Sym[:len(m.Derived.Sym)+fold.Padding], i)
	return m.Counts.WordBits(h) >= damageBits
}
