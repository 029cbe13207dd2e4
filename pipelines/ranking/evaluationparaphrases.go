package ranking

import (
	"context"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/eval"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/table"
)

// The system of the rows about paraphrases, and its metrics.
const (
	paraphrasesSystem = "paraphrases"
	wordOverlap       = "word overlap"
	faithfulness      = "faithfulness"
)

// paraphrases are, of each split, how many words contexts share with their paraphrases, and how
// much of these the contexts support (RA-MTR, Appendix D).
func (s evaluateSettings) paraphrases(ctx context.Context, paths []string) (map[string][]commonplace.Evaluation, error) {
	values := map[[2]string][]float64{}
	for _, path := range paths {
		for p, err := range table.Paraphrases.Rows(ctx, path, "overlap", "faithfulness", "split") {
			if err != nil {
				return nil, err
			}
			values[[2]string{p.Split, wordOverlap}] = append(values[[2]string{p.Split, wordOverlap}], p.Overlap)
			if p.Faithfulness != nil {
				values[[2]string{p.Split, faithfulness}] = append(values[[2]string{p.Split, faithfulness}], *p.Faithfulness)
			}
		}
	}
	rows := map[string][]commonplace.Evaluation{}
	for _, split := range s.Splits {
		for _, metric := range []string{wordOverlap, faithfulness} {
			of := values[[2]string{split, metric}]
			if len(of) == 0 {
				continue
			}
			mean := eval.Mean(of)
			low, high := eval.Bootstrap(of, s.Confidence, s.Resamples, s.Seed)
			row := commonplace.Evaluation{Dataset: config.DataTriples, Split: split, System: paraphrasesSystem, Metric: metric, Value: &mean, Low: &low, High: &high, N: int64(len(of))}
			row.Paper, row.PaperValue = eval.PaperFigure(row.Dataset, row.System, row.Metric)
			rows[split] = append(rows[split], row)
		}
	}
	return rows, nil
}
