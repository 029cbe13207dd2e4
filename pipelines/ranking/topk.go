package ranking

import (
	"context"
	"errors"
	"fmt"

	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// topK is how many of the first passages are compared with those of the version before.
const topK = 100

// Compare says how many of the first passages were not among the first of the version
// before: a night that changes most of them is worth a look.
func (Rank) Compare(ctx context.Context, out string) (map[string]int64, error) {
	now, err := table.ReadCommit(ctx, storage.Default, out, table.Rankings.Name)
	if err != nil {
		return nil, err
	}
	before, at, err := table.Before(ctx, out, now)
	if errors.Is(err, table.ErrNoRecord) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	was, err := firstOf(ctx, at, before)
	if err != nil {
		return nil, err
	}
	is, err := firstOf(ctx, out, now)
	if err != nil {
		return nil, err
	}
	added := int64(0)
	for id := range is {
		if !was[id] {
			added++
		}
	}
	key := fmt.Sprintf("top_%d", topK)
	return map[string]int64{key: int64(len(is)), key + "_new": added}, nil
}

// firstOf are the ids of a version's first passages.
func firstOf(ctx context.Context, out string, c table.Commit) (map[string]bool, error) {
	first := map[string]bool{}
	for _, path := range c.ShardPaths(out) {
		for r, err := range table.Rankings.Rows(ctx, path, "passage_id", "doc_id", "index", "rank_overall") {
			if err != nil {
				return nil, err
			}
			if r.RankOverall <= topK {
				first[r.PassageID] = true
			}
		}
	}
	return first, nil
}
