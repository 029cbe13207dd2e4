package quotes

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align"
	"github.com/commonplace/commonplace/pipelines/cache"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/storage"
)

// Workers count the words of a large collection, each those of some neighbouring shards.
// Then they merge the files of counts, some at a time, until one is left. Counts
// merge in any order, so they are those that one machine would have counted.
const (
	countedMost  = 512 // elements
	countsAtOnce = 4   // in one process: each holds 83 MB
	mergedAtOnce = 16  // files that one element merges
	countedParts = 16  // index parts in one element, 512 MB of documents on disk: its counts take up to 83 MB there
)

// wordCount is one element: shards to be counted, or files of counts to be merged.
type wordCount struct {
	Out      string          `json:"out"`
	Settings json.RawMessage `json:"settings"`
	Extra    json.RawMessage `json:"extra"`
	First    int             `json:"first,omitempty"` // shard
	End      int             `json:"end,omitempty"`   // shard after the last
	From     []string        `json:"from,omitempty"`  // files, in place of shards
	To       string          `json:"to"`              // file of the cache

	Inflected bool `json:"inflected,omitempty"` // words without their endings
}

var wordCounts = engine.NewPreparation("counts", func(ctx context.Context, e wordCount) error {
	if err := cache.Ensure(ctx, e.To); err == nil { // made by a build that was killed
		return nil
	}
	t := engine.Task{Out: e.Out, Settings: e.Settings, Extra: e.Extra}
	var s config.Align
	if err := t.Decode(&s); err != nil {
		return err
	}
	c, err := collectionOf(ctx, t, s)
	if err != nil {
		return err
	}
	if e.Inflected {
		c = *c.inflections(s)
	}
	if len(e.From) > 0 {
		_, err = c.mergeTo(ctx, e.From, e.To)
	} else {
		_, err = c.countTo(ctx, e.First, e.End, e.To)
	}
	return err
})

// spreadCount has workers count the whole collection, and writes the counts. It returns those
// that it counts here.
func (c collection) spreadCount(ctx context.Context, r engine.Request, t engine.Task, path string) (*align.Stats, error) {
	level := c.wordCounts(t)
	if len(level) == 1 && c.countedHere(r.Config.Runner) {
		return c.countTo(ctx, 0, len(c.shards), path)
	}
	return nil, c.workersCount(ctx, r, level, path)
}

// countedHere says who counts a collection that is one element: this process, if it is a worker
// itself, or there is one index part, which takes less time than a job.
func (c collection) countedHere(r config.Runner) bool { return !r.Elsewhere() || len(c.parts()) == 1 }

// workersCount has workers count all elements and merge the files. Workers write into the
// run's folder, so counts that the config keeps elsewhere are copied from there.
func (c collection) workersCount(ctx context.Context, r engine.Request, level []wordCount, path string) error {
	for len(level) > mergedAtOnce {
		if err := wordCounts.Run(ctx, r, level, countsAtOnce); err != nil {
			return err
		}
		level = mergings(level)
	}
	all := mergings(level)[0]
	all.To = c.counts.File
	if err := cache.Remove(ctx, all.To); err != nil && !errors.Is(err, fs.ErrNotExist) { // damaged, or of another machine
		return err
	}
	if err := wordCounts.RunThen(ctx, r, level, all, countsAtOnce); err != nil || path == all.To {
		return err
	}
	from, err := storage.OpenInput(ctx, all.To)
	if err != nil {
		return storage.Mark(err)
	}
	defer from.Close()
	return cache.Publish(ctx, path, func(w *bufio.Writer) error {
		_, err := io.Copy(w, from)
		return err
	})
}

// wordCounts cut the collection into elements. As with index parts, their number is a
// power of two.
func (c collection) wordCounts(t engine.Task) []wordCount {
	n := c.pieces(countedParts*c.partBytes, countedMost)
	all := make([]wordCount, n)
	for i := range all {
		first, end := i*len(c.shards)/n, (i+1)*len(c.shards)/n
		all[i] = wordCount{
			Out: t.Out, Settings: t.Settings, Extra: t.Extra, First: first, End: end, Inflected: c.inflected != "",
			To: cache.Path(t.Out, "counts", alignRevision, c.o.OldestFirst, c.inflected, c.sums(first, end)),
		}
	}
	return all
}

// mergings merge what some elements at a time have written.
func mergings(level []wordCount) []wordCount {
	var next []wordCount
	for some := range slices.Chunk(level, mergedAtOnce) {
		e := some[0]
		e.First, e.End, e.From = 0, 0, filesOf(some)
		e.To = cache.Path(e.Out, "counts", e.From)
		next = append(next, e)
	}
	return next
}

func filesOf(level []wordCount) []string {
	var files []string
	for _, e := range level {
		files = append(files, e.To)
	}
	return files
}

// mergeTo adds up files of counts and writes the sum.
func (c collection) mergeTo(ctx context.Context, files []string, path string) (*align.Stats, error) {
	all := align.NewStats(c.o)
	for _, file := range files {
		stats, err := readStats(ctx, file)
		if err == nil {
			err = all.Merge(stats)
		}
		if errors.Is(err, config.ErrInvalid) { // it is damaged: the next build counts these again
			err = errors.Join(err, cache.Remove(ctx, file))
		}
		if err != nil {
			return nil, err
		}
	}
	return all, writeStats(ctx, all, path)
}

// countTo counts the source documents of some shards and writes the counts. One goroutine
// reads while the other counts: counts take 83 MB, too much to give each its own.
func (c collection) countTo(ctx context.Context, first, end int, path string) (*align.Stats, error) {
	stats := align.NewStats(c.o)
	docs := make(chan commonplace.Document, 1)
	g, reading := errgroup.WithContext(ctx)
	g.Go(func() error {
		defer close(docs)
		for shard := first; shard < end; shard++ {
			for doc, err := range c.textOf(reading, shard, Quotable) {
				if err != nil {
					return err
				}
				select {
				case docs <- doc:
				case <-reading.Done():
					return reading.Err()
				}
			}
		}
		return nil
	})
	for doc := range docs {
		stats.Count(doc)
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	return stats, writeStats(ctx, stats, path)
}

func writeStats(ctx context.Context, stats *align.Stats, path string) error {
	return cache.Publish(ctx, path, func(w *bufio.Writer) error {
		_, err := stats.WriteTo(w)
		return err
	})
}
