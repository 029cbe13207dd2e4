package ranking

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"slices"

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
		for group := range was {
			for c, err := range rank.Changes(inOrder(ctx, was[group]), inOrder(ctx, is[group])) {
				if !yield(c, err) || err != nil {
					return
				}
			}
		}
	}
}

// versions are the shards of the two rankings, in groups that hold the same documents.
func versions(ctx context.Context, out, against string) (was, is [][]string, err error) {
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
	groups := commonDivisor(len(old.Shards), len(now.Shards))
	if most := max(len(old.Shards), len(now.Shards)) / groups; most > maxTogether {
		return nil, nil, config.Refusef("one ranking has %s and the other %d, so %d of them would have to be read at once, more than %d: build both with the same shards: N", commonplace.CountOf(len(old.Shards), "shard"), len(now.Shards), most, maxTogether)
	}
	return grouped(old.ShardPaths(against), groups), grouped(now.ShardPaths(out), groups), nil
}

// maxTogether bounds the memory and the open files of a group of shards.
const maxTogether = 256

// commonDivisor is the greatest that divides both.
func commonDivisor(a, b int) int {
	for b > 0 {
		a, b = b, a%b
	}
	return a
}

// grouped has the shards by their numbers modulo n. A document's number is a hash modulo how
// many shards there are, so what divides both numbers sorts the documents of both rankings
// into the same groups.
func grouped(shards []string, n int) [][]string {
	groups := make([][]string, n)
	for k, path := range shards {
		groups[k%n] = append(groups[k%n], path)
	}
	return groups
}

// inOrder merges the rows of shards, each sorted by document and index.
func inOrder(ctx context.Context, shards []string) iter.Seq2[commonplace.Ranking, error] {
	if len(shards) == 1 {
		return rankingsOf(ctx, shards[0])
	}
	return func(yield func(commonplace.Ranking, error) bool) {
		type reader struct {
			next func() (commonplace.Ranking, error, bool)
			row  commonplace.Ranking
		}
		var open []*reader
		for _, path := range shards {
			next, stop := iter.Pull2(rankingsOf(ctx, path))
			defer stop()
			open = append(open, &reader{next: next})
		}
		advance := func(r *reader) bool { // false: an error was given
			row, err, more := r.next()
			if err != nil {
				yield(row, err)
				return false
			}
			if r.row = row; !more {
				open = slices.DeleteFunc(open, func(o *reader) bool { return o == r })
			}
			return true
		}
		for _, r := range slices.Clone(open) {
			if !advance(r) {
				return
			}
		}
		for len(open) > 0 {
			first := slices.MinFunc(open, func(a, b *reader) int {
				return cmp.Or(cmp.Compare(a.row.DocID, b.row.DocID), cmp.Compare(a.row.Index, b.row.Index))
			})
			if !yield(first.row, nil) || !advance(first) {
				return
			}
		}
	}
}

func rankingsOf(ctx context.Context, path string) iter.Seq2[commonplace.Ranking, error] {
	return table.Rankings.Rows(ctx, path, "passage_id", "doc_id", "index", "text", "best_text", "score", "rank_overall", "rank_in_document", "percentile", "quote_count")
}
