package ranking

import (
	"context"
	"fmt"
	"slices"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/pipelines/cache"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/join"
	"github.com/commonplace/commonplace/pipelines/runner"
	"github.com/commonplace/commonplace/table"
)

// rankRevision is that of the rows and of the order that they are found in.
const rankRevision = 3

// Rank places every passage within its document and over all.
type Rank struct{}

func (Rank) Identity() engine.Identity {
	return engine.Identity{
		Name: "rank", Table: "rankings", Revision: rankRevision,
		Short: "rank passages by score",
		Unit:  "passages",
		Cache: []string{"order", "balance"},
	}
}

func (Rank) Enabled(c *config.Config) bool { return Score{}.Enabled(c) }

func (Rank) Settings(*config.Config) any { return struct{}{} }

func (Rank) Plan(context.Context, *engine.Planner) (engine.Deps, error) {
	return engine.Deps{Inputs: engine.And(engine.SameShard("passages", "quote_counts", "scores"), engine.Whole("scores"))}, nil
}

func (Rank) Setup(ctx context.Context, r engine.Request, t engine.Task) error {
	return prepareOrder(ctx, r, t)
}

func (Rank) Prune(ctx context.Context, _ *config.Config, t engine.Task) error {
	return cache.Prune(ctx, cache.Dir(t.Out), nil, "order", "balance")
}

// Make finds the places of a shard's scores among those of all shards.
func (Rank) Make(ctx context.Context, t engine.Task) (table.TaskRecord, error) {
	in, err := ordersOf(ctx, t)
	if err != nil {
		return table.TaskRecord{}, err
	}
	return engine.WriteShard(ctx, t, table.Rankings, func(o *engine.Output[commonplace.Ranking]) error {
		if done, err := reviseRankings(ctx, t, in, o); done || err != nil {
			return err
		}
		return rankDocuments(ctx, t, t.Path("scores"), in, o)
	})
}

// reviseRankings takes yesterday's shard, if it was made of the same passages,
// counts and scores: with another book in the library only the places over all
// are others. The rest of the shard is copied, which costs a tenth.
func reviseRankings(ctx context.Context, t engine.Task, in orders, o *engine.Output[commonplace.Ranking]) (bool, error) {
	if t.NoReuse {
		return false, nil
	}
	yesterday, err := table.Current(ctx, table.Home(t.Out))
	if err != nil || yesterday == t.Out { // the first build
		return false, nil
	}
	was, err := engine.CommitOf(ctx, yesterday, "rankings")
	if err != nil || len(was.Shards) != t.Of {
		return false, nil
	}
	inputs := slices.Clone(t.Inputs)
	for i := range inputs {
		if inputs[i].Of > 0 {
			inputs[i].SHA256 = was.Inputs[inputs[i].Table]
		}
	}
	shard := was.Shards[t.Shard]
	base := was.ShardPaths(yesterday)[t.Shard]
	if shard.Fingerprint != t.FingerprintWith(rankRevision, inputs, "") {
		return false, nil
	}
	room := min(shard.Rows, 1<<20) // of a record that lies, no more
	places, keys := make([]placed, 0, room), make([]float64, 0, room)
	err = eachPlaced(ctx, t.Path("scores"), in.overall, func(p placed) error {
		places, keys = append(places, p), append(keys, p.key)
		return nil
	})
	if err != nil {
		return false, err
	}
	balanced, err := in.balanced.Places(keys)
	if err != nil {
		return false, err
	}
	done, err := o.Rows.Revise(base, shard.SHA256, []string{"rank_overall", "rank_balanced", "percentile"}, func(yield func(commonplace.Ranking, error) bool) {
		for i, p := range places {
			if !yield(commonplace.Ranking{RankOverall: p.Rank, RankBalanced: balanced[i].Rank, Percentile: p.Percentile}, nil) {
				return
			}
		}
	})
	if done {
		o.In, o.Taken = shard.Rows, shard.Rows
		runner.Count(o.Ctx, "revised", 1)
	}
	return done, err
}

// rankDocuments joins passages, scores and counts, document by document.
func rankDocuments(ctx context.Context, t engine.Task, scores string, in orders, o *engine.Output[commonplace.Ranking]) error {
	passages := join.Open(ctx, table.Passages, t.Path("passages"), func(p *commonplace.Passage) string { return p.DocID })
	defer passages.Stop()
	scored := join.Open(ctx, table.Scores, scores, func(s *commonplace.Score) string { return s.DocID }, "doc_id", "index", "score", "best_begin", "best_end", "best_text", "best_score", "reasons")
	defer scored.Stop()
	counts := join.Open(ctx, table.QuoteCounts, t.Path("quote_counts"), func(c *commonplace.QuoteCount) string { return c.DocID }, "doc_id", "index", "count")
	defer counts.Stop()
	err := passages.Each(func(docID string, of []commonplace.Passage) error {
		s, err := scored.Of(docID)
		if err != nil {
			return err
		}
		c, err := counts.Of(docID)
		if err != nil {
			return err
		}
		if len(s) > len(of) || len(c) != len(of) {
			return fmt.Errorf("document %q has %d passages, %d scores and %d counts; run again with --force to rebuild them", docID, len(of), len(s), len(c))
		}
		return rankDocument(of, s, c, in, o)
	})
	if err != nil {
		return err
	}
	if err := scored.End(); err != nil {
		return err
	}
	return counts.End()
}

func rankDocument(of []commonplace.Passage, s []commonplace.Score, c []commonplace.QuoteCount, in orders, o *engine.Output[commonplace.Ranking]) error {
	values := make([]float64, len(s))
	for i := range s {
		values[i] = s[i].Score
	}
	places, err := standings(values, in.overall)
	if err != nil {
		return err
	}
	keys := make([]float64, len(places))
	for i, p := range places {
		keys[i] = p.key
	}
	balanced, err := in.balanced.Places(keys)
	if err != nil {
		return err
	}
	next := 0 // passage
	for i := range s {
		for next < len(of) && of[next].Index < s[i].Index { // it is among the rejects of score
			next++
		}
		p := of[min(next, len(of)-1)]
		if s[i].Index != p.Index || c[next].Index != p.Index {
			return fmt.Errorf("passage %s: scores or quote_counts come from another segmentation; run again with --force to rebuild them", p.ID)
		}
		place := places[i]
		o.In++
		if err := o.Put(commonplace.Ranking{
			PassageID: p.ID, DocID: p.DocID, Index: p.Index, Begin: p.Begin, End: p.End, Text: p.Text,
			Score: values[i], RankInDocument: place.within, RankOverall: place.Rank, RankBalanced: balanced[i].Rank, Percentile: place.Percentile,
			QuoteCount: c[next].Count,
			BestBegin:  s[i].BestBegin, BestEnd: s[i].BestEnd, BestText: s[i].BestText, BestScore: s[i].BestScore,
			Reasons: s[i].Reasons,
		}); err != nil {
			return err
		}
		o.Taken++
		next++
	}
	return nil
}
