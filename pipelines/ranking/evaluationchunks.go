package ranking

import (
	"slices"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/eval"
)

// chunkJaccard is the Jaccard index of the words of the first candidate and of the passage that
// has most of the quotation (RA-MTR, section 8.2, figure 5): the candidates may be chunks
// (recommend.segment).
const chunkJaccard = "Jaccard"

// chunks judges the first candidate of a system that has ranked some.
func (f *tally) chunks(system string, p pool, a asked, rows []commonplace.Recommendation) {
	right := p.wordsOfRight(a)
	for _, r := range rows {
		if r.Place == 1 && r.Index < int64(len(p.candidates)) && right != nil {
			f.value(system, chunkJaccard, eval.Jaccard(p.words(int(r.Index)), right))
		}
	}
}

// chunksOf judges those that a baseline has first.
func (f *tally) chunksOf(system string, scores []float64, p pool, a asked) {
	if right := p.wordsOfRight(a); right != nil {
		f.value(system, chunkJaccard, eval.OfBest(scores, func(i int) float64 { return eval.Jaccard(p.words(i), right) }))
	}
}

// wordsOfRight are those of the passage that has most of the quotation; nil: there is none.
func (p pool) wordsOfRight(a asked) []string {
	if a.paragraph != "" {
		return wordsOnce(a.paragraph)
	}
	i := slices.IndexFunc(p.candidates, func(c offered) bool { return c.id == a.span.candidate })
	if a.span.candidate == "" || i < 0 {
		return nil
	}
	return p.words(i)
}

// words are those of a candidate, read once.
func (p pool) words(i int) []string {
	if p.search.words == nil {
		p.search.words = make([][]string, len(p.candidates))
		for i, c := range p.candidates {
			p.search.words[i] = wordsOnce(c.text)
		}
	}
	return p.search.words[i]
}

// wordsOnce are a text's words, sorted, each once.
func wordsOnce(text string) []string {
	return slices.Compact(slices.Sorted(slices.Values(wordsOf(text))))
}
