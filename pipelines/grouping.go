package pipelines

import (
	"context"
	"slices"
	"strings"

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

// sketched are a shard's sources.
type sketched struct {
	ids      []string
	sketches []label.Sketch
}

// worksOf compares all sources of a task's inputs.
func worksOf(ctx context.Context, t Task) ([]commonplace.Work, error) {
	return allWorks.of(inputsKey(t, "documents"), func() ([]commonplace.Work, error) {
		all, err := eachShard(ctx, t.paths("documents"), func(path string) (sketched, error) {
			var s sketched
			for doc, err := range table.Documents.Rows(path, "doc_id", "text", "characters", "role") {
				if err != nil {
					return s, err
				}
				if !quotable(&doc) {
					continue
				}
				s.ids, s.sketches = append(s.ids, doc.ID), append(s.sketches, label.SketchOf(doc.Text))
			}
			return s, nil
		})
		if err != nil {
			return nil, err
		}
		byID := map[string]label.Sketch{}
		var ids []string
		for _, s := range all {
			for i, id := range s.ids {
				ids, byID[id] = append(ids, id), s.sketches[i]
			}
		}
		slices.Sort(ids)
		sketches := make([]label.Sketch, len(ids))
		for i, id := range ids {
			sketches[i] = byID[id]
		}
		return label.Works(ids, sketches), nil
	})
}

// eachShard does something with every shard, several at once, and gives what
// came of them in the shards' order.
func eachShard[T any](ctx context.Context, paths []string, do func(path string) (T, error)) ([]T, error) {
	results := make([]T, len(paths))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(4)
	for i, path := range paths {
		g.Go(func() (err error) {
			if err = ctx.Err(); err == nil {
				results[i], err = do(path)
			}
			return err
		})
	}
	return results, g.Wait()
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
	return allGrouping.of(key.String(), func() (*label.Grouping, error) {
		quotes, err := readQuotes(t)
		if err != nil {
			return nil, err
		}
		works, err := readWorks(t.paths("works")...)
		if err != nil {
			return nil, err
		}
		alignments := t.paths("alignments")
		documents := t.paths("documents")
		shards := make([]string, len(documents))
		for i := range shards {
			shards[i] = documents[i] + "\x00" + alignments[i]
		}
		all, err := eachShard(ctx, shards, func(pair string) ([]label.Stretch, error) {
			documents, alignments, _ := strings.Cut(pair, "\x00")
			return stretchesOf(documents, alignments)
		})
		return label.NewGrouping(quotes, slices.Concat(all...), works), err
	})
}

// stretchesOf are the quoted stretches of a shard's sources.
func stretchesOf(documents, alignments string) ([]label.Stretch, error) {
	rows := follow(table.Alignments, alignments, func(a *commonplace.Alignment) string { return a.SourceID },
		"alignment_id", "quote_id", "source_id", "source_begin", "source_end")
	defer rows.stop()
	var all []label.Stretch
	for doc, err := range table.Documents.Rows(documents, "doc_id", "text", "characters") {
		if err != nil {
			return nil, err
		}
		found, err := rows.of(doc.ID)
		if err != nil {
			return nil, err
		}
		all = append(all, label.Stretches(doc, found)...)
	}
	return all, rows.end()
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
			g := grouping.Of(a)
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
