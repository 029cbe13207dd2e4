package engine

import (
	"bytes"
	"context"
	"sync"

	"github.com/commonplace/commonplace/pipelines/worker"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// lastCommits are the commit records that a worker has read, by file: each task asks
// for some, and to decode one that names thousands of shards takes longer than many
// tasks do. There are as many as the run has tables.
var lastCommits worker.Var[struct {
	sync.Mutex
	read map[string]readCommit
}]

type readCommit struct {
	bytes  []byte
	commit table.Commit
}

// CommitOf is a table's commit record, which the caller must not change.
func CommitOf(ctx context.Context, out, name string) (table.Commit, error) {
	path := table.CommitPath(out, name)
	b, err := storage.ReadFile(ctx, path)
	if err != nil {
		return table.ReadCommit(ctx, storage.Default, out, name) // it says what is wrong
	}
	last := lastCommits.Of(ctx)
	last.Lock()
	defer last.Unlock()
	if was, there := last.read[path]; there && bytes.Equal(was.bytes, b) {
		return was.commit, nil
	}
	c, err := table.ReadCommit(ctx, storage.Default, out, name)
	if err != nil {
		return c, err
	}
	if last.read == nil {
		last.read = map[string]readCommit{}
	}
	last.read[path] = readCommit{b, c}
	return c, nil
}
