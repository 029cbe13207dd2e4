package quotes

import (
	"bufio"
	"context"
	"errors"
	"io/fs"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align"
	"github.com/commonplace/commonplace/pipelines/cache"
	"github.com/commonplace/commonplace/storage"
)

// part is an index part: the sources of some neighbouring shards.
type part struct {
	first, end int // shards
	path       string
	key        string // of its contents
}

// pieces are into how many the collection is cut for pieces of about so many bytes.
// It is a power of two, so that it stays while a collection grows by less than double,
// and a new book changes one piece.
func (c collection) pieces(bytes int64, most int) int {
	var all int64
	for _, s := range c.shards {
		all += s.Bytes
	}
	most = min(most, len(c.shards))
	n := 1
	for n < most && all > int64(n)*bytes {
		n *= 2
	}
	return min(n, most)
}

// parts cut the collection into parts of about the size that the config asks for.
func (c collection) parts() []part {
	n := c.pieces(c.partBytes, len(c.shards))
	parts := make([]part, n)
	for i := range parts {
		p := part{first: i * len(c.shards) / n, end: (i + 1) * len(c.shards) / n}
		p.key = storage.Key(c.counts.Key, alignRevision, c.sums(p.first, p.end))
		p.path = storage.Join(c.folder, "part-"+p.key)
		parts[i] = p
	}
	return parts
}

// sums are the hashes of some shards.
func (c collection) sums(first, end int) []string {
	var sums []string
	for _, s := range c.shards[first:end] {
		sums = append(sums, s.SHA256)
	}
	return sums
}

// open maps a part into memory. It is made if it is not there.
func (c collection) open(ctx context.Context, p part) (*align.Part, error) {
	stats, err := c.stats(ctx)
	if err != nil {
		return nil, err
	}
	// Several tasks of this process want the same part: one makes it.
	build := func() error { return c.build(ctx, p, stats) }
	if err := cache.Once(ctx, p.path, build); err != nil {
		return nil, err
	}
	opened, err := align.OpenPart(cache.LocalFile(ctx, p.path), stats, c.o)
	if err == nil {
		return opened, nil
	}
	cache.Remove(ctx, p.path) // damaged: it can always be made again
	if err := cache.Once(ctx, p.path, build); err != nil {
		return nil, err
	}
	return align.OpenPart(cache.LocalFile(ctx, p.path), stats, c.o)
}

// build writes an index part, unless it is there.
func (c collection) build(ctx context.Context, p part, stats *align.Stats) error {
	if err := cache.Ensure(ctx, p.path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return cache.Publish(ctx, p.path, func(w *bufio.Writer) error {
		var failed error
		_, err := align.BuildPart(storage.TempDir(ctx), w, func(yield func(commonplace.Document) bool) {
			for shard := p.first; shard < p.end; shard++ {
				for doc, err := range c.textOf(ctx, shard, Quotable) {
					if failed = err; err != nil || !yield(doc) {
						return
					}
				}
			}
		}, stats, c.o)
		return errors.Join(failed, err)
	})
}
