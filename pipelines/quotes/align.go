package quotes

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"slices"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/pipelines/cache"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/join"
	"github.com/commonplace/commonplace/sorting"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// Align finds the quotes of the lists in the sources, and adds to each
// source what the derived documents quote of it.
type Align struct{}

func (Align) Identity() engine.Identity {
	return engine.Identity{
		Name: "align", Table: "alignments", Revision: alignRevision,
		Short: "find quotations in the sources",
		Unit:  "documents",
		Rows:  true,
		Cache: []string{"counts", "matches"}, Because: countsOfAll,
	}
}

func (Align) Enabled(c *config.Config) bool { return c.HasSources() }

func (Align) Settings(c *config.Config) any { return c.Align }

func (Align) EnsureInputs(ctx context.Context, r engine.Request) error {
	return keepSpreadCounts(ctx, r)
}

func (Align) External(ctx context.Context, p *engine.Planner) (engine.External, error) {
	return lookForCounts(ctx, p.Config)
}

// Plan makes a shard depend on what is quoted of it: another derived document is
// work for the sources that it quotes.
func (Align) Plan(ctx context.Context, p *engine.Planner) (engine.Deps, error) {
	inputs := engine.And(engine.SameShard("documents"), engine.Whole("quotes"))
	if a := p.Config.Align; a.Counts == "" || a.MaxFalse > 0 { // all documents say what is rare, and what the lists' habit is
		inputs = engine.And(inputs, engine.Whole("documents"))
	}
	if !anyQuoting(p.Config) {
		return engine.Deps{Inputs: inputs, Concerns: func(int) string { return noMatches }}, nil
	}
	inputs = engine.And(inputs, engine.Whole("matches"))
	return p.Partitioned(ctx, inputs, []string{"matches"}, matchesPath, func(t engine.Task) (*cache.Partitions, error) { return partitionMatches(ctx, t) })
}

// countsOfAll says why every shard depends on all documents, where it does.
var countsOfAll = map[string]string{"documents": "the word counts of all documents, which align.counts would keep as they are"}

// noMatches is the SHA-256 of a section of the partitioned matches that is empty, so
// that a source that nobody quotes is the same with derived documents and without.
const noMatches = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

// Setup makes the collection's counts, if there are quotes to be looked for.
func (Align) Setup(ctx context.Context, r engine.Request, t engine.Task) error {
	quotes, err := engine.CommitOf(ctx, t.Out, "quotes")
	if err != nil || quotes.Rows == 0 {
		return err
	}
	return makeCounts(ctx, r, t)
}

func (Align) Prune(ctx context.Context, c *config.Config, t engine.Task) error {
	return sweepIndex(ctx, c, t)
}

func (Align) Make(ctx context.Context, t engine.Task) (table.TaskRecord, error) {
	var s config.Align
	if err := t.Decode(&s); err != nil {
		return table.TaskRecord{}, err
	}
	c, err := collectionOf(ctx, t, s)
	if err != nil {
		return table.TaskRecord{}, err
	}
	list, err := c.list(ctx, t)
	if err != nil {
		return table.TaskRecord{}, err
	}
	matches, done, err := matchesOf(ctx, t)
	if err != nil {
		return table.TaskRecord{}, err
	}
	defer done()
	return engine.WriteShard(ctx, t, table.Alignments, func(o *engine.Output[commonplace.Alignment]) error {
		for doc, err := range TextOf(ctx, t.Path("documents"), func(*commonplace.Document) bool { return true }) {
			if err != nil {
				return err
			}
			o.In++
			o.Taken++
			if !Quotable(&doc) {
				continue
			}
			matched, err := matches.Of(doc.ID)
			if err != nil {
				return err
			}
			listed := list.Find(doc)
			for i := range listed {
				listed[i].SourceMetadata = doc.FieldsNamed(s.Metadata)
			}
			rows := slices.Concat(listed, matched)
			slices.SortFunc(rows, bySource)
			for _, a := range rows {
				if err := o.Put(a); err != nil {
					return err
				}
			}
		}
		return matches.End()
	})
}

// matchesPath is the file with the matches as they are partitioned by source.
func matchesPath(t engine.Task) string {
	return cache.Path(t.Out, "matches", alignRevision, t.Of, t.InputsKey("matches"))
}

// partitionMatches partitions the matches in derived documents by the shards of their sources.
func partitionMatches(ctx context.Context, t engine.Task) (*cache.Partitions, error) {
	return cache.Partition(ctx, matchesPath(t), t.Of, func() (cache.RowsByShard, error) {
		c, err := engine.CommitOf(ctx, t.Out, "matches")
		if err != nil {
			return nil, err
		}
		return func(put func(int, any) error) error {
			for k, path := range t.Paths("matches") {
				if c.Shards[k].Rows == 0 {
					continue
				}
				for a, err := range table.Matches.Rows(ctx, path) {
					if err == nil {
						err = ctx.Err()
					}
					if err != nil {
						return err
					}
					if err := put(table.ShardOf(a.SourceID, t.Of), a); err != nil {
						return err
					}
				}
			}
			return nil
		}, nil
	})
}

// matchesOf are the finds of the task's sources in derived documents, by source.
// They come in the order of the derived documents, and there may be more of
// them than memory holds. The caller calls done at the end.
func matchesOf(ctx context.Context, t engine.Task) (of *join.Reader[commonplace.Alignment], done func(), err error) {
	if t.InputsKey("matches") == "" {
		none := func(func(commonplace.Alignment, error) bool) {}
		of = join.OpenRows("matches", none, func(a *commonplace.Alignment) string { return a.SourceID })
		return of, of.Stop, nil
	}
	d, err := partitionMatches(ctx, t)
	if err != nil {
		return nil, nil, err
	}
	sorter := sorting.Sorter{Dir: storage.TempDir(ctx)}
	for a, err := range cache.Rows[commonplace.Alignment](ctx, d, t.Shard) {
		if err == nil {
			err = storage.Mark(sorter.Add([]byte(a.SourceID), storage.MustJSON(a)))
		}
		if err != nil {
			sorter.Close()
			return nil, nil, err
		}
	}
	of = join.OpenRows(d.Path, func(yield func(commonplace.Alignment, error) bool) {
		err := sorter.Each(func(_, row []byte) error {
			var a commonplace.Alignment
			if err := json.Unmarshal(row, &a); err != nil {
				return err
			}
			if !yield(a, nil) {
				return io.EOF
			}
			return nil
		})
		if err != nil && err != io.EOF {
			yield(commonplace.Alignment{}, storage.Mark(err))
		}
	}, func(a *commonplace.Alignment) string { return a.SourceID })
	return of, func() {
		of.Stop()
		sorter.Close()
	}, nil
}

// bySource is the order of the table alignments.
func bySource(a, b commonplace.Alignment) int {
	return cmp.Or(cmp.Compare(a.SourceID, b.SourceID), cmp.Compare(a.SourceBegin, b.SourceBegin), cmp.Compare(a.SourceEnd, b.SourceEnd),
		cmp.Compare(a.QuoteID, b.QuoteID), cmp.Compare(a.DerivedID, b.DerivedID), cmp.Compare(a.DerivedBegin, b.DerivedBegin))
}
