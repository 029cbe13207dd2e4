package pipelines

import (
	"context"
	"fmt"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/rank"
	"github.com/commonplace/commonplace/table"
)

// rankStage places every passage within its document and over all.
var rankStage = &stage{
	name: "rank", table: "rankings", revision: 1,
	short:    "rank passages by score",
	unit:     "passages",
	wanted:   documented,
	settings: func(c *Config) any { return struct{}{} },
	inputs:   and(sameShard("passages", "quote_counts"), every("scores")),
	make:     makeRankings,
}

// makeRankings reads the score column of every shard and all columns of its own:
// a passage's place over all needs only counts of higher scores.
func makeRankings(ctx context.Context, t Task) (table.TaskRecord, error) {
	scores := t.paths("scores")
	var own []float64
	for score, err := range table.Values[float64](table.Scores, scores[t.Shard], "score") {
		if err != nil {
			return table.TaskRecord{}, err
		}
		own = append(own, score)
	}
	overall, err := rank.NewCounter(own)
	if err != nil {
		return table.TaskRecord{}, err
	}
	for _, path := range scores {
		for score, err := range table.Values[float64](table.Scores, path, "score") {
			if err != nil {
				return table.TaskRecord{}, err
			}
			if err := overall.Add(score); err != nil {
				return table.TaskRecord{}, err
			}
		}
	}
	return output(ctx, t, table.Rankings, func(o *out[commonplace.Ranking]) error {
		return rankDocuments(t, scores[t.Shard], overall, o)
	})
}

// rankDocuments joins passages, scores and counts, document by document.
func rankDocuments(t Task, scores string, overall *rank.Counter, o *out[commonplace.Ranking]) error {
	passages := follow(table.Passages, t.path("passages"), func(p *commonplace.Passage) string { return p.DocID })
	defer passages.stop()
	scored := follow(table.Scores, scores, func(s *commonplace.Score) string { return s.DocID }, "doc_id", "index", "score")
	defer scored.stop()
	counts := follow(table.QuoteCounts, t.path("quote_counts"), func(c *commonplace.QuoteCount) string { return c.DocID }, "doc_id", "index", "count")
	defer counts.stop()
	for passages.more {
		if passages.err != nil {
			return passages.err
		}
		docID := passages.row.DocID
		of, err := passages.of(docID)
		if err != nil {
			return err
		}
		s, err := scored.of(docID)
		if err != nil {
			return err
		}
		c, err := counts.of(docID)
		if err != nil {
			return err
		}
		if len(s) != len(of) || len(c) != len(of) {
			return fmt.Errorf("document %q has %d passages, %d scores and %d counts; run again with --force to make them anew", docID, len(of), len(s), len(c))
		}
		if err := rankDocument(of, s, c, overall, o); err != nil {
			return err
		}
	}
	if err := scored.end(); err != nil {
		return err
	}
	return counts.end()
}

func rankDocument(of []commonplace.Passage, s []commonplace.Score, c []commonplace.QuoteCount, overall *rank.Counter, o *out[commonplace.Ranking]) error {
	values := make([]float64, len(s))
	for i := range s {
		values[i] = s[i].Score
	}
	within, err := rank.WithinDocument(values)
	if err != nil {
		return err
	}
	for i, p := range of {
		if s[i].Index != p.Index || c[i].Index != p.Index {
			return fmt.Errorf("passage %s: scores or counts of another cut; run again with --force to make them anew", p.ID)
		}
		place := overall.Place(values[i])
		o.in++
		if err := o.put(commonplace.Ranking{
			PassageID: p.ID, DocID: p.DocID, Index: p.Index, Begin: p.Begin, End: p.End, Text: p.Text,
			Score: values[i], RankInDocument: within[i], RankOverall: place.Rank, Percentile: place.Percentile,
			QuoteCount: c[i].Count,
		}); err != nil {
			return err
		}
		o.taken++
	}
	return nil
}
