package quotes

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/worker"
	"github.com/commonplace/commonplace/storage"
)

// counts say where the counts of words are, which tell the aligner what is rare.
// They are those of the build's own sources, or a file that is kept while the
// collection grows: what was found in a book yesterday is then found today too,
// and only new texts have to be looked at.
type counts struct {
	File string `json:"file,omitempty"`
	Key  string `json:"key,omitempty"` // of their contents: of a file that is kept, its SHA-256
	own  bool   // of the build's own sources, and can be made again
}

// keepCounts has the file of counts made that the config names, if it is not there.
func keepCounts(ctx context.Context, cfg *config.Config, count func(c collection, t engine.Task, path string) (*align.Stats, error)) error {
	path := cfg.Align.Counts
	if path == "" {
		return nil
	}
	if _, err := storage.Default.Size(ctx, path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	t := engine.Task{Out: cfg.Out, Settings: config.Canonical(cfg.Align), Extra: storage.MustJSON(alignTask{PartBytes: cfg.Align.PartBytes})}
	c, err := collectionOf(ctx, t, cfg.Align)
	if err != nil {
		return err
	}
	_, err = count(c, t, path)
	return err
}

// keepSpreadCounts has workers make them.
func keepSpreadCounts(ctx context.Context, r engine.Request) error {
	return keepCounts(ctx, r.Config, func(c collection, t engine.Task, path string) (*align.Stats, error) {
		return c.spreadCount(ctx, r, t, path)
	})
}

// makeCounts makes the collection's counts before the tasks that need them run: the
// first of each worker would else count all of it.
func makeCounts(ctx context.Context, r engine.Request, t engine.Task) error {
	var s config.Align
	if err := t.Decode(&s); err != nil {
		return err
	}
	c, err := collectionOf(ctx, t, s)
	if err != nil {
		return err
	}
	if err := checkFields(ctx, r.Config, c); err != nil { // the documents are there now
		return err
	}
	for x := &c; x != nil; x = x.inflections(s) {
		count := func() (*align.Stats, error) { return x.spreadCount(ctx, r, t, x.counts.File) }
		if r.Config.Runner.Elsewhere() { // this machine needs none of them
			_, err = x.readOr(ctx, count)
		} else {
			_, err = x.statsOr(ctx, count)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// lookForCounts is what the aligner's stages read beside tables.
func lookForCounts(ctx context.Context, c *config.Config) (engine.External, error) {
	task, pending := alignTask{PartBytes: c.Align.PartBytes}, false
	if path := c.Align.Counts; path != "" {
		sum, err := storage.SumOf(ctx, path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // else they are made before the stage
			return engine.External{}, fmt.Errorf("%w: %s: align.counts: %w", config.ErrInvalid, c.File(), err)
		}
		task.Counts, pending = counts{File: path, Key: sum}, err != nil
		if err := checkVersion(ctx, path); !pending && err != nil { // now, and not after hours of other stages
			return engine.External{}, err
		}
	}
	contents, parts := task.Counts.Key, engine.OnePart("word counts of align.counts", task.Counts.Key)
	rules := ""
	var err error
	if task.Ignore, err = lookForPhrases(ctx, c); err != nil {
		return engine.External{}, err
	}
	if task.Ignore != nil {
		rules = task.Ignore.Sum
		contents = storage.Key(contents, rules)
		ignored := engine.OnePart("phrases of "+c.Written("align.ignore"), task.Ignore.Sum)
		maps.Copy(ignored, parts)
		parts = ignored
	}
	return engine.External{
		Contents: func(int, int) string { return contents },
		Parts:    parts,
		Rules:    rules,
		Extra:    func(int, int) json.RawMessage { return storage.MustJSON(task) },
		Pending:  pending,
	}, nil
}

// checkVersion refuses counts that another release wrote in another format.
func checkVersion(ctx context.Context, path string) error {
	f, err := storage.OpenInput(ctx, path)
	if err != nil {
		return storage.Wrap("read", path, err)
	}
	defer f.Close()
	if version, reads, other := align.OtherStatsVersion(f); other {
		return fmt.Errorf("%w: align.counts: %s has format %s, and this program reads format %s: remove it, and the next build counts the sources again and aligns every document anew", storage.ErrFormat, path, version, reads)
	}
	return nil
}

// collectionStats and quoteList are what a worker has read of the last collection.
var (
	collectionStats worker.Memo[*align.Stats]
	inflectedStats  worker.Memo[*align.Stats] // of the words without endings
	quoteList       worker.Memo[*align.QuoteList]
)

// stats are the collection's counts.
func (c collection) stats(ctx context.Context) (*align.Stats, error) {
	return c.statsOr(ctx, func() (*align.Stats, error) { return c.countTo(ctx, 0, len(c.shards), c.counts.File) })
}

// statsOr are the collection's counts, which are made again if they are not there or damaged.
func (c collection) statsOr(ctx context.Context, count func() (*align.Stats, error)) (*align.Stats, error) {
	read := func() (*align.Stats, error) {
		stats, err := c.readOr(ctx, count)
		if err == nil && stats == nil { // workers have counted
			stats, err = c.counts.read(ctx)
		}
		return stats, err
	}
	if c.inflected != "" {
		return inflectedStats.Get(ctx, c.counts.Key, read)
	}
	return collectionStats.Get(ctx, c.counts.Key, read)
}

// readOr reads the counts, or what count returns if they are not there or damaged.
func (c collection) readOr(ctx context.Context, count func() (*align.Stats, error)) (*align.Stats, error) {
	stats, err := c.counts.read(ctx)
	if err == nil && stats.OldestFirst() != c.o.OldestFirst {
		return nil, fmt.Errorf("%w: align.counts: %s was made with another order of align.pairs or reuse, and names other copies of boilerplate: remove it, and the next build counts the sources again", config.ErrInvalid, c.counts.File)
	}
	if err != nil && !errors.Is(err, storage.ErrRefused) && c.counts.own {
		return count()
	}
	return stats, err
}

// read reads the file; one that is kept has to be as it was listed.
func (c counts) read(ctx context.Context) (stats *align.Stats, err error) {
	if c.own {
		return readStats(ctx, c.File)
	}
	err = engine.ReadUnchanged(ctx, c.File, c.Key, func(name string) (err error) {
		stats, err = readStats(ctx, name)
		return err
	})
	return stats, err
}

func readStats(ctx context.Context, path string) (*align.Stats, error) {
	f, err := storage.OpenInput(ctx, path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		err = storage.Mark(err)
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	stats, err := align.ReadStats(f)
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", config.ErrInvalid, path, err)
	}
	return stats, nil
}

// list is the quotes of a task's inputs, ready to be looked for.
func (c collection) list(ctx context.Context, t engine.Task) (*align.QuoteList, error) {
	key := storage.Key(c.counts.Key, t.InputsKey("quotes"), t.Settings)
	if c.o.MaxFalse > 0 { // the list's habit is learnt from all documents
		key = storage.Key(key, c.shards)
	}
	return quoteList.Get(ctx, key, func() (*align.QuoteList, error) {
		quotes, err := readQuotes(ctx, t)
		if err != nil {
			return nil, err
		}
		stats, err := c.stats(ctx)
		if err != nil {
			return nil, err
		}
		list, err := align.NewQuoteList(quotes, stats, c.o)
		if err != nil {
			return nil, err
		}
		return list, list.Learn(func(yield func(commonplace.Document, error) bool) {
			for shard := range c.shards {
				for doc, err := range TextOf(ctx, c.path(shard), Quotable) {
					if !yield(doc, err) {
						return
					}
				}
			}
		})
	})
}
