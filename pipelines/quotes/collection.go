package quotes

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align"
	"github.com/commonplace/commonplace/align/pairs"
	"github.com/commonplace/commonplace/pipelines/cache"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// The aligner needs more than tables: counts of the collection's words
// (counts.go), index parts of its documents (parts.go), and what each part gave
// for each shard of derived documents (finds.go). They are files in the run's
// cache, each named by what it is made from, so that any worker can make
// one that is missing, two that make the same one do no harm, and a grown
// collection finds again what it has in common with yesterday's.

// alignRevision grows when the aligner would find other rows.
const alignRevision = 26

// collection is the source side of a run as the aligner sees it.
type collection struct {
	folder    string // of its files
	documents string // folder of the table documents
	shards    []table.ShardRecord
	partBytes int64
	counts    counts
	o         align.Options
	use       string // of the derived documents
	pairs     pairs.Rules
	metadata  []string // fields of both documents that matches hold
	inflected string   // language whose endings are hidden from the search; empty for the search as always
}

// inflections are the collection without the endings of its words, which is a collection of its own:
// other words are rare in it, and it has other seeds. nil if the config does not ask for it, or c is this collection.
func (c collection) inflections(s config.Align) *collection {
	if s.Inflected == "" || c.inflected != "" {
		return nil
	}
	key := storage.Key(c.sums(0, len(c.shards)), alignRevision, c.o.OldestFirst, s.Inflected)
	c.counts = counts{Key: key, File: storage.Join(c.folder, "counts-"+key), own: true}
	c.inflected = s.Inflected
	c.o.Ignore = c.o.Ignore.Uninflected(s.Inflected)
	return &c
}

// textOf are the documents of a shard as this collection compares them.
func (c collection) textOf(ctx context.Context, shard int, wanted func(*commonplace.Document) bool) func(yield func(commonplace.Document, error) bool) {
	return func(yield func(commonplace.Document, error) bool) {
		for doc, err := range TextOf(ctx, c.path(shard), wanted) {
			if c.inflected != "" {
				doc = align.Uninflected(doc, c.inflected)
			}
			if !yield(doc, err) {
				return
			}
		}
	}
}

// alignTask is what a task of the aligner's stages knows beside its settings.
type alignTask struct {
	Counts    counts   `json:"counts"`
	PartBytes int64    `json:"part_bytes"`
	Ignore    *phrases `json:"ignore,omitempty"`
}

// collectionOf describes the source side of a task's run.
func collectionOf(ctx context.Context, t engine.Task, s config.Align) (collection, error) {
	var a alignTask
	if err := json.Unmarshal(t.Extra, &a); err != nil {
		return collection{}, err
	}
	documents, err := engine.CommitOf(ctx, t.Out, "documents")
	if err != nil {
		return collection{}, err
	}
	if a.Counts.Key == "" { // of these documents
		a.Counts.Key = storage.Key(documents.Fingerprint(), alignRevision, s.Pairs.Order)
		a.Counts.File = storage.Join(cache.Dir(t.Out), "counts-"+a.Counts.Key)
		a.Counts.own = true
	}
	ignore, err := a.Ignore.read(ctx)
	if err != nil {
		return collection{}, err
	}
	options := s.Options()
	options.Ignore = ignore
	return collection{
		folder:    cache.Dir(t.Out),
		documents: t.Folder("documents"),
		shards:    documents.Shards,
		partBytes: a.PartBytes,
		counts:    a.Counts,
		o:         options,
		use:       s.Use,
		pairs:     s.Pairs,
		metadata:  s.Metadata,
	}, nil
}

// path is a shard of the documents.
func (c collection) path(shard int) string { return storage.Join(c.documents, c.shards[shard].File) }

// Quotable says that a document is searched for quotations of it.
func Quotable(d *commonplace.Document) bool { return d.Role != "derived" }

// Quoting says that a document is searched for quotations in it.
func Quoting(d *commonplace.Document) bool { return d.Role == "derived" || d.Role == "both" }

// anyQuoting says that some documents of the run are searched for quotations in them.
func anyQuoting(c *config.Config) bool {
	for _, s := range c.Sources {
		if Quoting(&commonplace.Document{Role: s.Role}) {
			return true
		}
	}
	return false
}

// TextOf are the documents of a shard with their text, and with what describes them.
func TextOf(ctx context.Context, path string, wanted func(*commonplace.Document) bool) func(yield func(commonplace.Document, error) bool) {
	return func(yield func(commonplace.Document, error) bool) {
		for doc, err := range table.Documents.Rows(ctx, path, append(slices.Clone(describing), "ebook", "text", "characters", "role")...) {
			if err == nil && !wanted(&doc) {
				continue
			}
			if !yield(doc, err) {
				return
			}
		}
	}
}

// sweepIndex removes the files of collections other than the task's.
func sweepIndex(ctx context.Context, cfg *config.Config, t engine.Task) error {
	c, err := collectionOf(ctx, t, cfg.Align)
	if err != nil {
		return err
	}
	keep := map[string]bool{filepath.Base(matchesPath(t)): true}
	for x := &c; x != nil; x = x.inflections(cfg.Align) {
		keep[filepath.Base(x.counts.File)] = true
		for _, p := range x.parts() {
			keep[filepath.Base(p.path)] = true
			for shard := range x.shards {
				keep[filepath.Base(x.findsPath(p, shard))] = true
			}
		}
	}
	return cache.Prune(ctx, c.folder, keep, "counts", "part", "finds", "matches")
}
