package ranking

import (
	"context"
	"errors"
	"iter"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/rank"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// Change is what became of a passage.
type Change = rank.Change

// Kinds of change.
const (
	Risen  = rank.Risen
	Fallen = rank.Fallen
	Same   = rank.Same
	New    = rank.New
	Gone   = rank.Gone
)

// Diff walks what became of every passage from one version of a run's rankings
// to the current one: from those of another run's folder, or, without one, from
// the version before.
func Diff(ctx context.Context, out, against string) iter.Seq2[Change, error] {
	return func(yield func(Change, error) bool) {
		// Rankings that are stale would be compared as if they were today's.
		if _, err := table.Whole(ctx, storage.Default, out); err != nil {
			yield(Change{}, err)
			return
		}
		was, is, err := versions(ctx, out, against)
		if err != nil {
			yield(Change{}, err)
			return
		}
		for k := range is {
			for c, err := range rank.Changes(rankingsOf(ctx, was[k]), rankingsOf(ctx, is[k])) {
				if !yield(c, err) || err != nil {
					return
				}
			}
		}
	}
}

// versions are the shards of the two rankings.
func versions(ctx context.Context, out, against string) (was, is []string, err error) {
	now, err := table.ReadCommit(ctx, storage.Default, out, table.Rankings.Name)
	if err != nil {
		return nil, nil, err
	}
	var old table.Commit
	if against == "" {
		old, against, err = table.Before(ctx, out, now)
		if errors.Is(err, table.ErrNoRecord) {
			return nil, nil, config.Refusef("%s keeps no version with other rankings: build again when the collection has changed, or name another run to compare with; rankings.keep says how many versions are kept", table.Home(out))
		}
	} else {
		old, err = table.ReadCommit(ctx, storage.Default, against, table.Rankings.Name)
	}
	if err != nil {
		return nil, nil, err
	}
	if len(old.Shards) != len(now.Shards) {
		return nil, nil, config.Refusef("one ranking has %s and the other %d: build both with the same shards: N", commonplace.CountOf(len(old.Shards), "shard"), len(now.Shards))
	}
	return old.ShardPaths(against), now.ShardPaths(out), nil
}

func rankingsOf(ctx context.Context, path string) iter.Seq2[commonplace.Ranking, error] {
	return table.Rankings.Rows(ctx, path, "passage_id", "doc_id", "index", "text", "best_text", "score", "rank_overall", "rank_in_document", "percentile", "quote_count")
}
