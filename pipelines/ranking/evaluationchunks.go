package ranking

import (
	"context"
	"slices"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/eval"
	"github.com/commonplace/commonplace/table"
)

// chunkJaccard is the Jaccard index of the words of the first candidate and of the passage that
// has most of the quotation (RA-MTR, section 8.2, figure 5), for candidates that are no
// paragraphs, such as chunks that overlap.
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
			p.search.words[i] = wordsOf(c.text)
		}
	}
	return p.search.words[i]
}

// The system of the rows about paraphrases, and its metric.
const (
	paraphrasesSystem = "paraphrases"
	wordOverlap       = "word overlap"
)

// paraphrases are, of each split, how many words contexts share with their paraphrases (RA-MTR,
// Appendix D): the fewer, the harder is retrieval.
func (s evaluateSettings) paraphrases(ctx context.Context, paths []string) (map[string][]commonplace.Evaluation, error) {
	values := map[string][]float64{}
	for _, path := range paths {
		for p, err := range table.Paraphrases.Rows(ctx, path, "overlap", "split") {
			if err != nil {
				return nil, err
			}
			values[p.Split] = append(values[p.Split], p.Overlap)
		}
	}
	rows := map[string][]commonplace.Evaluation{}
	for split, of := range values {
		mean := eval.Mean(of)
		low, high := eval.Bootstrap(of, s.Confidence, s.Resamples, s.Seed)
		row := commonplace.Evaluation{Dataset: "triples", Split: split, System: paraphrasesSystem, Metric: wordOverlap, Value: &mean, Low: &low, High: &high, N: int64(len(of))}
		row.Paper, row.PaperValue = eval.PaperFigure(row.Dataset, row.System, row.Metric)
		rows[split] = append(rows[split], row)
	}
	return rows, nil
}
