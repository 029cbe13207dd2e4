package ranking

import (
	"fmt"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/eval"
	"github.com/commonplace/commonplace/pipelines/config"
)

// standingOf is where the right answers of a context stand.
func standingOf(rows []commonplace.Recommendation) eval.Standing {
	var answers []eval.Answer
	for _, r := range rows {
		if r.Label == "yes" {
			answers = append(answers, eval.Answer{Better: int(r.Better), Tied: int(r.Tied)})
		}
	}
	first := rows[0]
	return eval.NewStanding(answers, int(first.Right), int(first.Ranked), int(first.Candidates))
}

// standingMetrics are those of each dataset's paper, by the names that it has for them.
var standingMetrics = map[string][]standingMetric{
	config.DataTriples: {accuracyAt(1), accuracyAt(3), accuracyAt(5), accuracyAt(20), precision("mAP")},
	config.DataQueries: {precision("mAP"), accuracyAt(1), accuracyAt(3), accuracyAt(5)},
	config.DataReplies: {precision("MAP"), hitsAt(1), hitsAt(3), {"NDCG@5", func(s eval.Standing) float64 { return s.NDCG(5) }}},
	config.DataWindows: {recallAt(1), recallAt(3), recallAt(5), recallAt(10), recallAt(50), recallAt(100), {"mean rank", eval.Standing.MeanRank}},
}

type standingMetric struct {
	name string
	of   func(eval.Standing) float64
}

func precision(name string) standingMetric {
	return standingMetric{name, eval.Standing.AveragePrecision}
}

func accuracyAt(k int) standingMetric {
	return standingMetric{fmt.Sprintf("Acc@%d", k), func(s eval.Standing) float64 { return s.AccuracyAt(k) }}
}

// hitsAt is what papers A and D call precision.
func hitsAt(k int) standingMetric {
	return standingMetric{fmt.Sprintf("P@%d", k), func(s eval.Standing) float64 { return s.AccuracyAt(k) }}
}

func recallAt(k int) standingMetric {
	return standingMetric{fmt.Sprintf("recall@%d", k), func(s eval.Standing) float64 { return s.RecallAt(k) }}
}
