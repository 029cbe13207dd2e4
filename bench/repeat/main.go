// Command repeat makes a large run of a small one: its documents over and over under
// other ids, with their passages, counts, scores, rankings and quotations. It is for
// measuring what reads a run, such as report, at a size that takes hours to score.
//
//	go run ./bench/repeat -run out/readers -to /tmp/large -documents 1869 -shards 64
//
// Of a run of text reuse, each round of copies has the matches of the originals.
//
// The copies' scores are those of the original, so ranks come in groups of equal ones.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"slices"
	"strings"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

func main() {
	run := flag.String("run", "", "folder of the small run")
	to := flag.String("to", "", "folder of the large run, which must not be there")
	documents := flag.Int("documents", 1869, "documents of the large run")
	shards := flag.Int("shards", 64, "shards of its tables")
	flag.Parse()
	if err := repeat(context.Background(), *run, *to, *documents, *shards); err != nil {
		log.Fatal(err)
	}
}

// repeater copies the tables of a run.
type repeater struct {
	ctx     context.Context
	from    map[string]table.Commit
	run, to string
	ids     [][]copied // of each shard, in order
}

// copied is a document under another id.
type copied struct{ of, id string }

func repeat(ctx context.Context, run, to string, documents, shards int) error {
	run, err := table.Current(ctx, run)
	if err != nil {
		return err
	}
	from, err := table.Whole(ctx, storage.Default, run)
	if err != nil {
		return err
	}
	r := repeater{ctx, from, run, to, make([][]copied, shards)}
	var names []string
	for _, path := range from[table.Documents.Name].ShardPaths(run) {
		for id, err := range table.Values[string](ctx, table.Documents, path, "doc_id") {
			if err != nil {
				return err
			}
			names = append(names, id)
		}
	}
	slices.Sort(names)
	for i := range documents {
		c := copied{names[i%len(names)], fmt.Sprintf("%s.%d", names[i%len(names)], i/len(names))}
		k := table.ShardOf(c.id, shards)
		r.ids[k] = append(r.ids[k], c)
	}
	for _, ids := range r.ids {
		slices.SortFunc(ids, func(a, b copied) int { return strings.Compare(a.id, b.id) })
	}
	if err := quotes(r); err != nil {
		return err
	}
	for _, write := range []func() error{
		func() error {
			return each(r, table.Documents, func(d *commonplace.Document) *string { return &d.ID }, nil)
		},
		func() error {
			return each(r, table.Passages, func(p *commonplace.Passage) *string { return &p.DocID }, func(p *commonplace.Passage) {
				p.ID = commonplace.PassageID(p.DocID, p.Index)
			})
		},
		func() error {
			return each(r, table.Alignments, func(a *commonplace.Alignment) *string { return &a.SourceID }, func(a *commonplace.Alignment) {
				a.ID = a.SourceID + a.ID
				if a.DerivedID != "" { // of text reuse: the copy of the same round
					a.DerivedID += a.SourceID[strings.LastIndexByte(a.SourceID, '.'):]
				}
			})
		},
		func() error {
			return each(r, table.QuoteCounts, func(c *commonplace.QuoteCount) *string { return &c.DocID }, func(c *commonplace.QuoteCount) {
				c.PassageID = commonplace.PassageID(c.DocID, c.Index)
			})
		},
		func() error {
			return each(r, table.Scores, func(s *commonplace.Score) *string { return &s.DocID }, func(s *commonplace.Score) {
				s.PassageID = commonplace.PassageID(s.DocID, s.Index)
			})
		},
		func() error {
			copies := int64((documents + len(names) - 1) / len(names))
			return each(r, table.Rankings, func(s *commonplace.Ranking) *string { return &s.DocID }, func(s *commonplace.Ranking) {
				s.PassageID = commonplace.PassageID(s.DocID, s.Index)
				s.RankOverall = (s.RankOverall-1)*copies + 1
				s.RankBalanced = (s.RankBalanced-1)*copies + 1
			})
		},
	} {
		if err := write(); err != nil {
			return err
		}
	}
	return nil
}

// quotes copies the lists as they are.
func quotes(r repeater) error {
	c, ok := r.from[table.Quotes.Name]
	if !ok {
		return nil
	}
	w := writing(r, table.Quotes)
	for k, path := range c.ShardPaths(r.run) {
		err := w.shard(k, len(c.Shards), func(write func(commonplace.Quote) error) error {
			for q, err := range table.Quotes.Rows(r.ctx, path) {
				if err != nil {
					return err
				}
				if err := write(q); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return w.commit(r)
}

// each writes a table with the rows of every document once for each of its copies.
func each[T any](r repeater, t *table.Table[T], id func(*T) *string, rename func(*T)) error {
	c, ok := r.from[t.Name]
	if !ok {
		return nil
	}
	rows := map[string][]T{}
	for _, path := range c.ShardPaths(r.run) {
		for row, err := range t.Rows(r.ctx, path) {
			if err != nil {
				return err
			}
			rows[*id(&row)] = append(rows[*id(&row)], row)
		}
	}
	w := writing(r, t)
	for k, copies := range r.ids {
		err := w.shard(k, len(r.ids), func(write func(T) error) error {
			for _, c := range copies {
				for _, row := range rows[c.of] {
					*id(&row) = c.id
					if rename != nil {
						rename(&row)
					}
					if err := write(row); err != nil {
						return err
					}
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return w.commit(r)
}

// writer writes the shards of one table.
type writer[T any] struct {
	ctx   context.Context
	t     *table.Table[T]
	to    string
	tasks []table.TaskRecord
}

func writing[T any](r repeater, t *table.Table[T]) *writer[T] {
	return &writer[T]{ctx: r.ctx, t: t, to: r.to}
}

func (w *writer[T]) shard(k, of int, rows func(write func(T) error) error) error {
	out, err := w.t.Create(w.ctx, table.Dir(w.to, w.t.Name), k, of)
	if err != nil {
		return err
	}
	defer out.Abort()
	if err := rows(out.Write); err != nil {
		return err
	}
	task := table.TaskRecord{Table: w.t.Name, Stage: w.t.Name}
	if task.Shard, err = out.Close(); err != nil {
		return err
	}
	w.tasks = append(w.tasks, task)
	return nil
}

// commit writes the commit record, which names the tables that were copied before.
func (w *writer[T]) commit(r repeater) error {
	was := r.from[w.t.Name]
	inputs := map[string]string{}
	for in := range was.Inputs {
		if c, err := table.ReadCommit(w.ctx, storage.Default, w.to, in); err == nil {
			inputs[in] = c.Fingerprint()
		}
	}
	c, err := table.NewCommit(w.t.Name, was.Stage, was.Revision, was.Config, inputs, w.tasks)
	if err != nil {
		return err
	}
	fmt.Printf("%-12s %9d rows\n", w.t.Name, c.Rows)
	return table.WriteCommit(w.ctx, storage.Default, w.to, c)
}
