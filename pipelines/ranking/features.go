package ranking

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/commonplace/commonplace/eval"
	"github.com/commonplace/commonplace/infer/features"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// Features compares the features of the most with those of the least quoted
// passages: of all, or where sample is not 0 of about so many of each group, taken
// at equal distances.
func (v Evaluation) Features(ctx context.Context, sample int) (eval.AttributeResult, error) {
	dir := v.Dir
	var none eval.AttributeResult
	counts, err := committed(ctx, dir, table.QuoteCounts.Name)
	if err != nil {
		return none, err
	}
	passages, err := committed(ctx, dir, table.Passages.Name)
	if err != nil {
		return none, err
	}
	if len(passages.Shards) != len(counts.Shards) {
		return none, fmt.Errorf("%s: passages has %d shards, quote_counts %d: build them in one run", dir, len(passages.Shards), len(counts.Shards))
	}
	// The table of a run says whether its texts are Latin.
	var s featureSettings
	if c, err := table.ReadCommit(ctx, storage.Default, dir, table.Attributes.Name); err == nil {
		if err := json.Unmarshal(c.Config, &s); err != nil {
			return none, err
		}
	}
	_, r, err := attributesOf(ctx, s.names(), passages.ShardPaths(dir), counts.ShardPaths(dir), sample)
	if err == nil {
		err = r.TooFew()
	}
	if err != nil {
		return none, fmt.Errorf("%w: %s: %w", ErrNothing, dir, err)
	}
	return r, nil
}

// FeaturesMade is the comparison that the run made itself, in its table
// attributes; made says whether there is one of the run's present counts.
func (v Evaluation) FeaturesMade(ctx context.Context) (r eval.AttributeResult, made bool, err error) {
	commits, err := table.Commits(ctx, storage.Default, v.Dir)
	if err != nil {
		return r, false, err
	}
	c, made := commits[table.Attributes.Name]
	if !made || table.Outdated(commits, table.Attributes.Name) != "" {
		return r, false, nil
	}
	for _, path := range c.ShardPaths(v.Dir) {
		for a, err := range table.Attributes.Rows(ctx, path) {
			if err != nil {
				return r, false, err
			}
			r.Most, r.AtLeast, r.Least, r.AtMost = int(a.MostCount), a.AtLeast, int(a.LeastCount), a.AtMost
			r.Attributes = append(r.Attributes, eval.Attribute{Name: a.Name, Most: a.Most, Least: a.Least, T: a.T, P: a.P, Arrows: a.Arrows, Test: a.Test})
			if a.Test != eval.NoTest {
				r.Tests++
			}
		}
	}
	if err := r.TooFew(); err != nil {
		return r, true, fmt.Errorf("%w: %s: %w", ErrNothing, v.Dir, err)
	}
	return r, true, nil
}

// attributesOf compares the features of passages by their counts, shard by
// shard. n is the number of passages; where they cannot be distinguished the error
// is [ErrNothing].
func attributesOf(ctx context.Context, names, passages, counts []string, sample int) (n int64, r eval.AttributeResult, err error) {
	many := map[int64]int64{}
	for _, path := range counts {
		for c, err := range table.Values[int64](ctx, table.QuoteCounts, path, "count") {
			if err != nil {
				return 0, r, err
			}
			many[c]++
			n++
		}
	}
	a, err := eval.NewAttributes(names, many)
	if err != nil {
		return n, r, fmt.Errorf("%w: %w", ErrNothing, err)
	}
	a.Sample(sample)
	for k, path := range passages {
		if err := addAttributes(ctx, a, names, path, counts[k]); err != nil {
			return n, r, err
		}
	}
	if r, err = a.Result(); err != nil {
		return n, r, fmt.Errorf("%w: %w", ErrNothing, err)
	}
	return n, r, nil
}

// addAttributes takes the passages of one shard.
func addAttributes(ctx context.Context, a *eval.Attributes, names []string, passages, counts string) error {
	quoted := countsOf(ctx, counts)
	defer quoted.Stop()
	reader, err := features.NewReader(names)
	if err != nil {
		return err
	}
	vector := make([]float32, len(names))
	for p, err := range table.Passages.Rows(ctx, passages, "passage_id", "text", "position", "places") {
		if err != nil {
			return err
		}
		n, found, err := quoted.One(p.ID)
		if err == nil && !found {
			err = fmt.Errorf("%s: passage %s has no quote count: build both in one run", passages, p.ID)
		}
		if err != nil {
			return err
		}
		if !a.Takes(n.Count) {
			continue // before its words are tagged, which is what takes time
		}
		if err := reader.Read(&p, vector); err != nil {
			return err
		}
		a.Add(n.Count, vector)
	}
	return nil
}
