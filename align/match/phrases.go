package match

import (
	"cmp"
	"slices"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align/edit"
	"github.com/commonplace/commonplace/align/fold"
)

// Phrases are rows of words that are no evidence, such as a formula of address: a match
// of nothing else is none.
type Phrases struct {
	byFirst map[uint64][][]uint64 // hashes of their words, by the first
	longest int                   // words
}

// NewPhrases are phrases by their letters and digits. Those without any are passed over.
func NewPhrases(texts []string) *Phrases {
	p := &Phrases{byFirst: map[uint64][][]uint64{}}
	var f fold.Text
	for _, text := range texts {
		f.Fold(text, 0, len(text))
		if words := hashes(f.Sym, 0, len(f.Sym), nil); len(words) > 0 {
			p.byFirst[words[0]] = append(p.byFirst[words[0]], words)
			p.longest = max(p.longest, len(words))
		}
	}
	return p
}

// hashes appends those of the words that begin at symbols from..to.
func hashes(sym []byte, from, to int, list []uint64) []uint64 {
	pad := sym[:len(sym)+fold.Padding]
	for at := from; at < to; {
		h, n := fold.WordHash(pad, at)
		list = append(list, h)
		at += n
	}
	return list
}

// in marks the words of a row that stand in a phrase. It returns nil if none does.
func (p *Phrases) in(words []uint64) (marked []bool) {
	for i, first := range words {
		for _, phrase := range p.byFirst[first] {
			if len(phrase) > len(words)-i || !slices.Equal(phrase, words[i:i+len(phrase)]) {
				continue
			}
			if marked == nil {
				marked = make([]bool, len(words))
			}
			for k := range phrase {
				marked[i+k] = true
			}
		}
	}
	return marked
}

// Spans appends where phrases stand in a text, as spans of its symbols, in order and apart.
func (p *Phrases) Spans(sym []byte, spans []commonplace.Span) []commonplace.Span {
	if p == nil {
		return spans
	}
	at := 0
	var words []uint64
	var lengths []int
	for pad := sym[:len(sym)+fold.Padding]; at < len(sym); {
		h, n := fold.WordHash(pad, at)
		words, lengths = append(words, h), append(lengths, n)
		at += n
	}
	at = 0
	for i, in := range p.in(words) {
		switch last := len(spans) - 1; {
		case in && last >= 0 && spans[last].End == at:
			spans[last].End += lengths[i]
		case in:
			spans = append(spans, commonplace.Span{Begin: at, End: at + lengths[i]})
		}
		at += lengths[i]
	}
	return spans
}

// inPhrases says that a derived symbol stands in a phrase of the derived text.
func (m *Matcher) inPhrases(d int32) bool {
	i, _ := slices.BinarySearchFunc(m.Ignored, int(d)+1, func(s commonplace.Span, end int) int { return cmp.Compare(s.End, end) })
	return i < len(m.Ignored) && m.Ignored[i].Begin <= int(d)
}

// ignorePhrases takes the evidence from the words that stand in a phrase, in the source or in
// the derived text: one of them may be damaged. A phrase may begin before the alignment and
// end behind it.
func (m *Matcher) ignorePhrases(pairs []edit.Pair) {
	if m.Ignore == nil || len(m.words) == 0 {
		return
	}
	for i := range m.words {
		w := &m.words[i]
		if w.last > w.first && m.inPhrases(pairs[w.first].D) && m.inPhrases(pairs[w.last-1].D) {
			w.ignored, w.surprisal = true, 0
		}
	}
	m.ignoreOfSource()
}

// ignoreOfSource does so for phrases of the source.
func (m *Matcher) ignoreOfSource() {
	s := m.win.Sym
	from := int(m.words[0].begin)
	for range m.Ignore.longest - 1 {
		if from == 0 {
			break
		}
		for from--; from > 0 && s[from]&fold.WordStart == 0; from-- {
		}
	}
	last := &m.words[len(m.words)-1]
	to := int(last.end)
	for n := 0; to < len(s) && n < m.Ignore.longest-1; n++ {
		to += fold.WordLength(s[:len(s)+fold.Padding], to)
	}
	before := len(hashes(s, from, int(m.words[0].begin), nil))
	for i, in := range m.Ignore.in(hashes(s, from, min(to, len(s)), nil)) {
		if k := i - before; in && k >= 0 && k < len(m.words) {
			m.words[k].ignored, m.words[k].surprisal = true, 0
		}
	}
}
