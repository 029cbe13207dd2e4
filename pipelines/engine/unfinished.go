package engine

import (
	"context"
	"slices"
	"strings"

	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// Unfinished is how far the making of a table is that has no commit record.
type Unfinished struct {
	Made int       `json:"made"` // shards
	Of   int       `json:"of"`   // 0 where none is made yet
	At   []Waiting `json:"at"`   // shards that are not made, the largest first
}

// Waiting is a shard that is not made.
type Waiting struct {
	Shard  int     `json:"shard"`
	Begun  bool    `json:"begun"`            // a worker is writing it, or was when it died; not to be seen in a bucket
	Bytes  int64   `json:"bytes,omitempty"`  // of its documents; 0 where that says nothing
	Median float64 `json:"median,omitempty"` // how many times the median of all shards that is
}

// LookUnfinished reports which shards of a table are made, from the records of their
// tasks. It is called while a run works in the folder, or after one was killed.
func LookUnfinished(ctx context.Context, out, name string) (Unfinished, error) {
	var u Unfinished
	dir := table.Dir(out, name)
	made, of, err := shardsNamed(ctx, table.RecordsDir(out, name), trimRecord)
	if err != nil {
		return u, err
	}
	begun, ofBegun, err := shardsNamed(ctx, dir, func(file string) string {
		inner, _, _ := strings.Cut(strings.TrimPrefix(file, "."), ".parquet.")
		if !strings.HasSuffix(file, ".tmp") {
			return ""
		}
		return inner + ".parquet"
	})
	if err != nil {
		return u, err
	}
	u.Made, u.Of = len(made), max(of, ofBegun)
	var sizes []table.ShardRecord
	if documents, err := table.ReadCommit(ctx, storage.Default, out, "documents"); err == nil && len(documents.Shards) == u.Of {
		sizes = documents.Shards
	}
	for k := range u.Of {
		if made[k] {
			continue
		}
		w := Waiting{Shard: k, Begun: begun[k]}
		if sizes != nil {
			w.Bytes, w.Median = sizes[k].Bytes, float64(sizes[k].Bytes)/median(sizes)
		}
		u.At = append(u.At, w)
	}
	slices.SortStableFunc(u.At, func(a, b Waiting) int { return int(b.Bytes - a.Bytes) })
	return u, nil
}

// shardsNamed are the shards that the files of a folder are of, and how many the
// table has.
func shardsNamed(ctx context.Context, dir string, shard func(file string) string) (map[int]bool, int, error) {
	names, err := storage.List(ctx, dir)
	found, of := map[int]bool{}, 0
	for _, name := range names {
		if k, n, ok := table.ParseShardName(shard(name)); ok {
			found[k], of = true, n
		}
	}
	return found, of, err
}

func median(shards []table.ShardRecord) float64 {
	var sizes []int64
	for _, s := range shards {
		sizes = append(sizes, s.Bytes)
	}
	slices.Sort(sizes)
	return max(1, float64(sizes[len(sizes)/2]))
}
