package pipelines

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/label"
	"github.com/commonplace/commonplace/table"
)

// worksStage finds the editions of one work among the sources.
var worksStage = &stage{
	name: "works", table: "works", revision: 1, command: "label",
	short:    "find editions of one work",
	unit:     "documents",
	wanted:   makes(dataTriples, dataWindows, dataCounts),
	settings: func(*Config) any { return struct{}{} },
	inputs:   whole("documents"),
	make:     makeWorks,
}

// groupStage says what must stay together in splits.
var groupStage = &stage{
	name: "group", table: "groups", revision: 1, command: "label",
	short:    "group what says the same",
	unit:     "alignments",
	wanted:   makes(dataTriples),
	settings: func(*Config) any { return struct{}{} },
	inputs:   whole("documents", "quotes", "alignments", "works"),
	make:     makeGroups,
}

var (
	allWorks    kept[[]commonplace.Work]
	allGrouping kept[*label.Grouping]
)

// worksOf compares all sources of a task's inputs.
func worksOf(ctx context.Context, t Task) ([]commonplace.Work, error) {
	return allWorks.of(inputsKey(t, "documents"), func() (_ []commonplace.Work, err error) {
		finder, err := label.NewWorkFinder()
		if err != nil {
			return nil, stored(err)
		}
		defer func() { err = errors.Join(err, finder.Close()) }()
		var mu sync.Mutex
		err = eachShard(ctx, t.paths("documents"), func(path string) error {
			for doc, err := range table.Documents.Rows(path, "doc_id", "text", "characters", "role") {
				if err != nil {
					return err
				}
				if !quotable(&doc) {
					continue
				}
				sketch := label.SketchOf(doc.Text)
				mu.Lock()
				err := finder.Add(doc.ID, sketch)
				mu.Unlock()
				if err != nil {
					return stored(err)
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		works, err := finder.Works()
		return works, stored(err)
	})
}

// stored says of an error of temporary files that it is the storage's.
func stored(err error) error {
	if err == nil || errors.Is(err, context.Canceled) {
		return err
	}
	return fmt.Errorf("%w: %w", table.ErrStorage, err)
}

// eachShard does something with every shard, several at once.
func eachShard(ctx context.Context, paths []string, do func(path string) error) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(4)
	for _, path := range paths {
		g.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			return do(path)
		})
	}
	return g.Wait()
}

func makeWorks(ctx context.Context, t Task) (table.TaskRecord, error) {
	rows, err := worksOf(ctx, t)
	if err != nil {
		return table.TaskRecord{}, err
	}
	return output(ctx, t, table.Works, func(o *out[commonplace.Work]) error {
		for _, w := range rows {
			if table.ShardOf(w.DocID, t.Of) != t.Shard {
				continue
			}
			o.in++
			if err := o.put(w); err != nil {
				return err
			}
			o.taken++
		}
		return nil
	})
}

// readWorks names the work of every source in shards of works.
func readWorks(paths ...string) (map[string]string, error) {
	works := map[string]string{}
	for _, path := range paths {
		for w, err := range table.Works.Rows(path, "doc_id", "work") {
			if err != nil {
				return nil, err
			}
			works[w.DocID] = w.Work
		}
	}
	return works, nil
}

// groupingOf groups all alignments of a task's inputs.
func groupingOf(ctx context.Context, t Task) (*label.Grouping, error) {
	var key strings.Builder
	for _, in := range t.Inputs {
		key.WriteString(in.SHA256)
	}
	return allGrouping.of(key.String(), func() (_ *label.Grouping, err error) {
		works, err := readWorks(t.paths("works")...)
		if err != nil {
			return nil, err
		}
		grouper := label.NewGrouper(works)
		defer func() { err = errors.Join(err, grouper.Close()) }()
		for _, path := range t.paths("quotes") {
			for q, err := range table.Quotes.Rows(path, "quote_id", "text") {
				if err == nil {
					err = ctx.Err()
				}
				if err != nil {
					return nil, err
				}
				if err := grouper.Quote(q); err != nil {
					return nil, stored(err)
				}
			}
		}
		if err := showStretches(ctx, t, grouper); err != nil {
			return nil, err
		}
		grouping, err := grouper.Group(ctx)
		return grouping, stored(err)
	})
}

// showStretches shows a grouper what is quoted of the sources of all shards.
func showStretches(ctx context.Context, t Task, grouper *label.Grouper) error {
	documents, alignments := t.paths("documents"), t.paths("alignments")
	shards := make([]string, len(documents))
	for i := range shards {
		shards[i] = documents[i] + "\x00" + alignments[i]
	}
	var mu sync.Mutex
	return eachShard(ctx, shards, func(pair string) error {
		documents, alignments, _ := strings.Cut(pair, "\x00")
		return eachStretches(documents, alignments, func(all []label.Stretch) error {
			mu.Lock()
			defer mu.Unlock()
			for _, s := range all {
				if err := grouper.Stretch(s); err != nil {
					return stored(err)
				}
			}
			return nil
		})
	})
}

// eachStretches gives the quoted stretches of each source of a shard.
func eachStretches(documents, alignments string, do func([]label.Stretch) error) error {
	rows := follow(table.Alignments, alignments, func(a *commonplace.Alignment) string { return a.SourceID },
		"alignment_id", "quote_id", "source_id", "source_begin", "source_end")
	defer rows.stop()
	for doc, err := range table.Documents.Rows(documents, "doc_id", "text", "characters") {
		if err != nil {
			return err
		}
		found, err := rows.of(doc.ID)
		if err != nil {
			return err
		}
		if err := do(label.Stretches(doc, found)); err != nil {
			return err
		}
	}
	return rows.end()
}

func makeGroups(ctx context.Context, t Task) (table.TaskRecord, error) {
	grouping, err := groupingOf(ctx, t)
	if err != nil {
		return table.TaskRecord{}, err
	}
	return output(ctx, t, table.Groups, func(o *out[commonplace.Group]) error {
		var last commonplace.Group
		var waiting []commonplace.Group // rows of one span: alignments has them in another order
		flush := func() error {
			slices.SortFunc(waiting, func(a, b commonplace.Group) int { return strings.Compare(a.AlignmentID, b.AlignmentID) })
			for _, g := range waiting {
				if err := o.put(g); err != nil {
					return err
				}
			}
			waiting = waiting[:0]
			return nil
		}
		for a, err := range table.Alignments.Rows(t.paths("alignments")[t.Shard], "alignment_id", "quote_id", "source_id", "source_begin", "source_end") {
			if err != nil {
				return err
			}
			o.in++
			o.taken++
			g, err := grouping.Of(a)
			if err != nil {
				return stored(err)
			}
			if g.DocID != last.DocID || g.SourceBegin != last.SourceBegin || g.SourceEnd != last.SourceEnd {
				if err := flush(); err != nil {
					return err
				}
			}
			waiting, last = append(waiting, g), g
		}
		return flush()
	})
}
