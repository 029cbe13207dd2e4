package pipelines

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/singleflight"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align"
	"github.com/commonplace/commonplace/table"
)

// The aligner needs two things of the whole collection: counts of its words, and
// an index part for each shard of its documents. Both are files in the run's
// folder index, named by what they are made from, so that any worker can make
// one that is missing and two that make the same one do no harm.

const indexFolder = "index"

// alignRevision grows when the aligner would find other rows.
const alignRevision = 3

// collection is the source side of a task's run.
type collection struct {
	folder string
	key    string   // of the documents and the aligner's settings
	shards []string // paths of the documents
	o      align.Options
	use    string // of the derived documents
}

// collectionOf describes the source side; the task's inputs hold all documents.
func collectionOf(t Task, s AlignConfig) collection {
	sum := sha256.Sum256([]byte(inputsKey(t, "documents") + string(mustJSON(s)) + strconv.Itoa(alignRevision)))
	return collection{
		folder: filepath.Join(t.Out, indexFolder),
		key:    hex.EncodeToString(sum[:8]),
		shards: t.paths("documents"),
		o:      s.options(),
		use:    s.Use,
	}
}

// quotable says that a document is searched for quotations of it.
func quotable(d *commonplace.Document) bool { return d.Role != "derived" }

// quoting says that a document is searched for quotations in it.
func quoting(d *commonplace.Document) bool { return d.Role == "derived" || d.Role == "both" }

// collections keeps what this process has loaded of the last collection.
var collections struct {
	sync.Mutex
	key   string
	stats *align.Stats
	lists map[string]*align.QuoteList // by the key of their quotes
}

// stats are the counts over all source documents.
func (c collection) stats(ctx context.Context) (*align.Stats, error) {
	collections.Lock()
	defer collections.Unlock()
	return c.statsLocked(ctx)
}

func (c collection) statsLocked(ctx context.Context) (*align.Stats, error) {
	if collections.key == c.key {
		return collections.stats, nil
	}
	path := filepath.Join(c.folder, "stats-"+c.key)
	stats, err := readStats(path)
	if err != nil { // not there, or damaged: it can always be made again
		if stats, err = c.count(ctx); err == nil {
			err = c.publish(path, func(w *bufio.Writer) error {
				_, err := stats.WriteTo(w)
				return err
			})
		}
	}
	if err != nil {
		return nil, err
	}
	collections.key, collections.stats, collections.lists = c.key, stats, map[string]*align.QuoteList{}
	return stats, nil
}

func readStats(path string) (*align.Stats, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return align.ReadStats(bufio.NewReaderSize(f, 1<<20))
}

// count counts the documents of all shards. One goroutine reads while the other
// counts: counts take 84 MB, too much to give each worker its own.
func (c collection) count(ctx context.Context) (*align.Stats, error) {
	stats := align.NewStats(c.o)
	docs := make(chan commonplace.Document, 1)
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error {
		defer close(docs)
		for _, path := range c.shards {
			for doc, err := range sourcesOf(path) {
				if err != nil {
					return err
				}
				select {
				case docs <- doc:
				case <-ctx.Done():
					return ctx.Err()
				}
			}
		}
		return nil
	})
	for doc := range docs {
		stats.Count(doc)
	}
	return stats, g.Wait()
}

// sourcesOf are the source documents of a shard.
func sourcesOf(path string) func(yield func(commonplace.Document, error) bool) {
	return func(yield func(commonplace.Document, error) bool) {
		for doc, err := range table.Documents.Rows(path, "doc_id", "text", "characters", "role") {
			if err == nil && !quotable(&doc) {
				continue
			}
			if !yield(doc, err) {
				return
			}
		}
	}
}

// list is the quotes of a task's inputs, ready to be looked for.
func (c collection) list(ctx context.Context, t Task) (*align.QuoteList, error) {
	quotes, err := readQuotes(t)
	if err != nil {
		return nil, err
	}
	collections.Lock()
	defer collections.Unlock()
	stats, err := c.statsLocked(ctx)
	if err != nil {
		return nil, err
	}
	key := inputsKey(t, "quotes")
	if l := collections.lists[key]; l != nil {
		return l, nil
	}
	l, err := align.NewQuoteList(quotes, stats, c.o)
	if err != nil {
		return nil, err
	}
	collections.lists[key] = l
	return l, nil
}

// part opens the index part of one shard of documents, which is made if it is
// not there.
func (c collection) part(ctx context.Context, shard int) (*align.Part, error) {
	stats, err := c.stats(ctx)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(c.folder, fmt.Sprintf("part-%05d-%s", shard, c.key))
	// Several tasks of this process want the same part: one makes it.
	build := func() (any, error) { return nil, c.build(path, shard, stats) }
	if _, err, _ = building.Do(path, build); err != nil {
		return nil, err
	}
	part, err := align.OpenPart(path, stats, c.o)
	if err == nil {
		return part, nil
	}
	os.Remove(path) // damaged: it can always be made again
	if _, err, _ = building.Do(path, build); err != nil {
		return nil, err
	}
	return align.OpenPart(path, stats, c.o)
}

var building singleflight.Group

// build writes an index part, unless it is there.
func (c collection) build(path string, shard int, stats *align.Stats) error {
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return c.publish(path, func(w *bufio.Writer) error {
		var failed error
		_, err := align.BuildPart(w, func(yield func(commonplace.Document) bool) {
			for doc, err := range sourcesOf(c.shards[shard]) {
				if failed = err; err != nil || !yield(doc) {
					return
				}
			}
		}, stats, c.o)
		return errors.Join(failed, err)
	})
}

func (c collection) publish(path string, write func(*bufio.Writer) error) error {
	if err := os.MkdirAll(c.folder, 0o755); err != nil {
		return fmt.Errorf("make %s: %w: %w", c.folder, table.ErrStorage, err)
	}
	return atomicFile(path, func(f *os.File) error {
		w := bufio.NewWriterSize(f, 1<<20)
		if err := write(w); err != nil {
			return err
		}
		return w.Flush()
	})
}

// sweepIndex removes the index files of other collections than the task's.
func sweepIndex(t Task, s AlignConfig) error {
	c := collectionOf(t, s)
	entries, err := os.ReadDir(c.folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), "-"+c.key) {
			err = errors.Join(err, os.Remove(filepath.Join(c.folder, e.Name())))
		}
	}
	return err
}
