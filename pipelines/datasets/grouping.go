package datasets

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/label/group"
	"github.com/commonplace/commonplace/pipelines/cache"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/join"
	"github.com/commonplace/commonplace/pipelines/quotes"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// What is kept of these stages' work is named by their revisions, too.
const (
	worksRevision = 2
	groupRevision = 2
)

// Works finds the editions of one work among the sources.
type Works struct{}

func (Works) Identity() engine.Identity {
	return engine.Identity{
		Name: "works", Table: "works", Revision: worksRevision, Group: "label",
		Short: "find editions of one work",
		Unit:  "documents",
		Cache: []string{"works", "sketches"},
	}
}

func (Works) Enabled(c *config.Config) bool {
	return config.Makes(config.DataTriples, config.DataWindows, config.DataCounts)(c)
}

func (Works) Settings(*config.Config) any { return struct{}{} }

func (Works) Plan(ctx context.Context, p *engine.Planner) (engine.Deps, error) {
	return worksDeps(ctx, p, engine.Whole("documents"))
}

// EnsureInputs has workers sketch the sources of shards of which no sketches are kept.
func (Works) EnsureInputs(ctx context.Context, r engine.Request) error {
	documents, err := engine.CommitOf(ctx, r.Config.Out, "documents")
	if errors.Is(err, table.ErrNoRecord) { // the plan says so
		return nil
	}
	if err != nil {
		return err
	}
	var all []sketching
	for _, s := range documents.Shards {
		if s.Rows > 0 {
			all = append(all, sketching{From: storage.Join(table.Dir(r.Config.Out, "documents"), s.File), To: sketchesPath(r.Config.Out, s.SHA256)})
		}
	}
	return ensure(ctx, r, sketchings, all, func(s sketching) string { return s.To })
}

func (Works) Prune(ctx context.Context, c *config.Config, t engine.Task) error {
	return sweepWorks(ctx, c, t)
}

// Group says what must stay together in splits.
type Group struct{}

func (Group) Identity() engine.Identity {
	return engine.Identity{
		Name: "group", Table: "groups", Revision: groupRevision, Group: "label",
		Short: "group near-duplicate quotations",
		Unit:  "alignments",
		Cache: []string{"groups", "stretches"},
	}
}

func (Group) Enabled(c *config.Config) bool { return config.Makes(config.DataTriples)(c) }

func (Group) Settings(*config.Config) any { return struct{}{} }

func (Group) Plan(ctx context.Context, p *engine.Planner) (engine.Deps, error) {
	return groupsDeps(ctx, p, engine.And(engine.RequireSameShards("alignments"), engine.Whole("documents", "quotes", "alignments", "works")))
}

// EnsureInputs has workers read what is quoted of the sources, where it is not kept.
func (Group) EnsureInputs(ctx context.Context, r engine.Request) error {
	shards, err := quotedShards(ctx, r.Config.Out)
	if errors.Is(err, table.ErrNoRecord) { // the plan says so
		return nil
	}
	if err != nil {
		return err
	}
	return ensure(ctx, r, stretches, shards, func(s quotedShard) string { return s.To })
}

// ensure has workers make those files of the cache that are not kept, each of one element.
func ensure[T any](ctx context.Context, r engine.Request, made engine.Preparation[T], all []T, to func(T) string) error {
	kept, err := cache.Names(ctx, r.Config.Out)
	if err != nil {
		return err
	}
	missing := slices.DeleteFunc(all, func(one T) bool { return kept[path.Base(to(one))] })
	return made.Run(ctx, r, missing, 0)
}

func (Group) Prune(ctx context.Context, c *config.Config, t engine.Task) error {
	return sweepGroups(ctx, c, t)
}

// sketched is a source and its sketch, which is kept: to make it, all of the
// text is read.
type sketched struct {
	DocID  string `json:"doc_id"`
	Author string `json:"author"`
	Sketch []byte `json:"sketch"` // hashes, little-endian
}

// sketching is a shard of documents, and the file for its sketches.
type sketching struct {
	From string `json:"from"`
	To   string `json:"to"`
}

var sketchings = engine.NewPreparation("sketches", func(ctx context.Context, e sketching) error {
	for _, err := range sketchesOf(ctx, e.From, e.To) {
		return err
	}
	return nil
})

func sketchesPath(out, documents string) string {
	return cache.Path(out, "sketches", worksRevision, documents)
}

// sketchesOf are those of a shard of documents, which are made once.
func sketchesOf(ctx context.Context, path, kept string) iter.Seq2[sketched, error] {
	return cache.Lines[sketched](ctx, kept, func(put func(any) error) error {
		for doc, err := range quotes.TextOf(ctx, path, quotes.Quotable) {
			if err == nil {
				err = put(sketched{DocID: doc.ID, Author: doc.Author, Sketch: group.SketchOf(doc.Text).Bytes()})
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// worksOf compares all sources of a task's inputs.
func worksOf(ctx context.Context, t engine.Task) (_ []commonplace.Work, err error) {
	documents, err := engine.CommitOf(ctx, t.Out, "documents")
	if err != nil {
		return nil, err
	}
	finder, err := group.NewWorkFinder(storage.TempDir(ctx))
	if err != nil {
		return nil, storage.Mark(err)
	}
	defer func() { err = errors.Join(err, finder.Close()) }()
	authors := map[string]string{}
	var mu sync.Mutex
	err = engine.ForEach(ctx, documents.Shards, func(s table.ShardRecord) error {
		if s.Rows == 0 {
			return nil
		}
		from, kept := storage.Join(t.Folder("documents"), s.File), sketchesPath(t.Out, s.SHA256)
		for s, err := range sketchesOf(ctx, from, kept) {
			if err != nil {
				return err
			}
			sketch := group.ParseSketch(s.Sketch)
			mu.Lock()
			if s.Author != "" {
				authors[s.DocID] = s.Author
			}
			err = storage.Mark(finder.Add(s.DocID, sketch))
			mu.Unlock()
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	works, err := finder.Works()
	group.KeepAuthors(works, authors)
	return works, storage.Mark(err)
}

// partitionWorks partitions works by the shards of their documents.
func partitionWorks(ctx context.Context, t engine.Task) (*cache.Partitions, error) {
	return cache.Partition(ctx, worksPath(t), t.Of, func() (cache.RowsByShard, error) {
		works, err := worksOf(ctx, t)
		return func(put func(int, any) error) error {
			for _, w := range works {
				if err := put(table.ShardOf(w.DocID, t.Of), w); err != nil {
					return err
				}
			}
			return nil
		}, err
	})
}

func worksPath(t engine.Task) string {
	return cache.Path(t.Out, "works", worksRevision, t.Of, t.InputsKey("documents"))
}

// worksDeps makes a shard depend on what becomes of its documents: another book
// is work for the books of which it is an edition.
func worksDeps(ctx context.Context, p *engine.Planner, inputs engine.Inputs) (engine.Deps, error) {
	return p.Partitioned(ctx, inputs, []string{"documents"}, worksPath, func(t engine.Task) (*cache.Partitions, error) { return partitionWorks(ctx, t) })
}

func sweepWorks(ctx context.Context, _ *config.Config, t engine.Task) error {
	documents, err := engine.CommitOf(ctx, t.Out, "documents")
	if err != nil {
		return err
	}
	keep := map[string]bool{path.Base(worksPath(t)): true}
	for _, s := range documents.Shards {
		keep[path.Base(sketchesPath(t.Out, s.SHA256))] = true
	}
	return cache.Prune(ctx, cache.Dir(t.Out), keep, "works", "sketches")
}

func (Works) Make(ctx context.Context, t engine.Task) (table.TaskRecord, error) {
	d, err := partitionWorks(ctx, t)
	if err != nil {
		return table.TaskRecord{}, err
	}
	return engine.WriteShard(ctx, t, table.Works, func(o *engine.Output[commonplace.Work]) error {
		for w, err := range cache.Rows[commonplace.Work](ctx, d, t.Shard) {
			if err != nil {
				return err
			}
			o.In++
			if err := o.Put(w); err != nil {
				return err
			}
			o.Taken++
		}
		return nil
	})
}

// readWorks names the work of every source in shards of works.
func readWorks(ctx context.Context, paths ...string) (map[string]string, error) {
	works := map[string]string{}
	for _, path := range paths {
		for w, err := range table.Works.Rows(ctx, path, "doc_id", "work") {
			if err != nil {
				return nil, err
			}
			works[w.DocID] = w.Work
		}
	}
	return works, nil
}

// groupsPath is the file with the groups as they are partitioned by the sources.
func groupsPath(t engine.Task) string {
	return cache.Path(t.Out, "groups", groupRevision, t.Of, t.Inputs)
}

// partitionGroups groups all alignments of a task's inputs.
func partitionGroups(ctx context.Context, t engine.Task) (_ *cache.Partitions, err error) {
	var grouping *group.Grouping
	defer func() {
		if grouping != nil {
			err = errors.Join(err, grouping.Close())
		}
	}()
	return cache.Partition(ctx, groupsPath(t), t.Of, func() (cache.RowsByShard, error) {
		var err error
		if grouping, err = groupingOf(ctx, t); err != nil {
			return nil, err
		}
		alignments, err := engine.CommitOf(ctx, t.Out, "alignments")
		return func(put func(int, any) error) error {
			for k, path := range t.Paths("alignments") {
				if alignments.Shards[k].Rows == 0 {
					continue
				}
				for a, err := range table.Alignments.Rows(ctx, path, "alignment_id", "quote_id", "source_id", "source_begin", "source_end") {
					if err == nil {
						err = ctx.Err()
					}
					if err != nil {
						return err
					}
					g, err := grouping.Of(a)
					if err != nil {
						return storage.Mark(err)
					}
					if err := put(k, g); err != nil {
						return err
					}
				}
			}
			return nil
		}, err
	})
}

// groupsDeps makes a shard depend on the groups of its own alignments.
func groupsDeps(ctx context.Context, p *engine.Planner, inputs engine.Inputs) (engine.Deps, error) {
	return p.Partitioned(ctx, inputs, []string{"documents", "quotes", "alignments", "works"}, groupsPath, func(t engine.Task) (*cache.Partitions, error) { return partitionGroups(ctx, t) })
}

// groupingOf reads what is grouped. The caller closes it.
func groupingOf(ctx context.Context, t engine.Task) (_ *group.Grouping, err error) {
	works, err := readWorks(ctx, t.Paths("works")...)
	if err != nil {
		return nil, err
	}
	grouper := group.NewGrouper(works, storage.TempDir(ctx))
	defer func() { err = errors.Join(err, grouper.Close()) }()
	for _, path := range t.Paths("quotes") {
		for q, err := range table.Quotes.Rows(ctx, path, "quote_id", "text") {
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				return nil, err
			}
			if err := grouper.Quote(q); err != nil {
				return nil, storage.Mark(err)
			}
		}
	}
	shards, err := quotedShards(ctx, t.Out)
	if err != nil {
		return nil, err
	}
	var mu sync.Mutex
	err = engine.ForEach(ctx, shards, func(s quotedShard) error {
		for region, err := range s.regions(ctx) {
			if err != nil {
				return err
			}
			mu.Lock()
			err = storage.Mark(grouper.Region(region))
			mu.Unlock()
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	grouping, err := grouper.Group(ctx)
	return grouping, storage.Mark(err)
}

// quotedShard is a shard in which something is quoted; the stretches that are
// quoted are kept, since to make them all texts are read.
type quotedShard struct {
	Documents  string `json:"documents"`
	Alignments string `json:"alignments"`
	To         string `json:"to"`
}

var stretches = engine.NewPreparation("stretches", func(ctx context.Context, s quotedShard) error {
	for _, err := range s.regions(ctx) {
		return err
	}
	return nil
})

// regions are the quoted stretches, which are made once.
func (s quotedShard) regions(ctx context.Context) iter.Seq2[group.Region, error] {
	return cache.Lines[group.Region](ctx, s.To, func(put func(any) error) error {
		return regionsOf(ctx, s.Documents, s.Alignments, put)
	})
}

func quotedShards(ctx context.Context, out string) ([]quotedShard, error) {
	documents, err := engine.CommitOf(ctx, out, "documents")
	if err != nil {
		return nil, err
	}
	alignments, err := engine.CommitOf(ctx, out, "alignments")
	if err != nil {
		return nil, err
	}
	if len(alignments.Shards) != len(documents.Shards) { // the plan refuses them
		return nil, nil
	}
	var shards []quotedShard
	for k, a := range alignments.Shards {
		if a.Rows > 0 {
			d := documents.Shards[k]
			shards = append(shards, quotedShard{
				storage.Join(table.Dir(out, "documents"), d.File), storage.Join(table.Dir(out, "alignments"), a.File),
				cache.Path(out, "stretches", groupRevision, d.SHA256, a.SHA256),
			})
		}
	}
	return shards, nil
}

func sweepGroups(ctx context.Context, _ *config.Config, t engine.Task) error {
	shards, err := quotedShards(ctx, t.Out)
	if err != nil {
		return err
	}
	keep := map[string]bool{path.Base(groupsPath(t)): true}
	for _, s := range shards {
		keep[path.Base(s.To)] = true
	}
	return cache.Prune(ctx, cache.Dir(t.Out), keep, "groups", "stretches")
}

// regionsOf puts the quoted stretches of a shard's sources.
func regionsOf(ctx context.Context, documents, alignments string, put func(any) error) error {
	rows := join.Open(ctx, table.Alignments, alignments, func(a *commonplace.Alignment) string { return a.SourceID },
		"alignment_id", "quote_id", "derived_id", "derived_begin", "derived_end", "source_id", "source_begin", "source_end")
	defer rows.Stop()
	for doc, err := range table.Documents.Rows(ctx, documents, "doc_id", "text", "characters") {
		if err != nil {
			return err
		}
		found, err := rows.Of(doc.ID)
		if err != nil {
			return err
		}
		for _, region := range group.Regions(doc, found) {
			if err := put(region); err != nil {
				return err
			}
		}
	}
	return rows.End()
}

func (Group) Make(ctx context.Context, t engine.Task) (table.TaskRecord, error) {
	d, err := partitionGroups(ctx, t)
	if err != nil {
		return table.TaskRecord{}, err
	}
	return engine.WriteShard(ctx, t, table.Groups, func(o *engine.Output[commonplace.Group]) error {
		rows := join.OpenRows(d.Path, cache.Rows[commonplace.Group](ctx, d, t.Shard), func(g *commonplace.Group) string { return g.DocID })
		defer rows.Stop()
		return rows.Each(func(_ string, of []commonplace.Group) error {
			slices.SortFunc(of, func(a, b commonplace.Group) int { // alignments has those of one span in another order
				return cmp.Or(cmp.Compare(a.SourceBegin, b.SourceBegin), cmp.Compare(a.SourceEnd, b.SourceEnd), strings.Compare(a.AlignmentID, b.AlignmentID))
			})
			for _, g := range of {
				o.In++
				o.Taken++
				if err := o.Put(g); err != nil {
					return err
				}
			}
			return nil
		})
	})
}
