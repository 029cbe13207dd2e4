package engine

import (
	"bytes"
	"context"
	"sync"

	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// lastCommits are the commit records that this process has read, by file: each
// task asks for some, and to decode one that names thousands of shards takes
// longer than many tasks do.
var lastCommits struct {
	sync.Mutex
	bytes  map[string][]byte
	commit map[string]table.Commit
}

// CommitOf is a table's commit record, which the caller must not change.
func CommitOf(ctx context.Context, out, name string) (table.Commit, error) {
	path := table.CommitPath(out, name)
	b, err := storage.ReadFile(ctx, path)
	if err != nil {
		return table.ReadCommit(ctx, storage.Default, out, name) // it says what is wrong
	}
	lastCommits.Lock()
	defer lastCommits.Unlock()
	if bytes.Equal(lastCommits.bytes[path], b) {
		return lastCommits.commit[path], nil
	}
	c, err := table.ReadCommit(ctx, storage.Default, out, name)
	if err != nil {
		return c, err
	}
	if lastCommits.bytes == nil {
		lastCommits.bytes, lastCommits.commit = map[string][]byte{}, map[string]table.Commit{}
	}
	lastCommits.bytes[path], lastCommits.commit[path] = b, c
	return c, nil
}
