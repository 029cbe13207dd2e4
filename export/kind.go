package export

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// kind is a table as one configuration of the dataset.
type kind struct{ *table.Exported }

// kinds are the tables that are exported, in the order of the card: datasets, and
// then what they are made from.
func kinds() []kind {
	var all []kind
	for _, t := range table.All() {
		if x := t.Exported(); x != nil {
			all = append(all, kind{x})
		}
	}
	slices.SortStableFunc(all, func(a, b kind) int { return cmp.Compare(a.Ground, b.Ground) })
	return all
}

// gathered is what one kind gave.
type gathered struct {
	Name          string
	Commit        table.Commit
	Splits        []*split // in the order of splitOrder
	Withheld      int64    // rows whose texts were left out
	Keys          []*key
	Dates         dates
	Distributions []*distribution
	Tallies       []*tally

	doc  string // the document of the row before
	here map[*distribution]float64
}

// tally counts rows by a word that they have.
type tally struct {
	What string
	Of   map[string]int64
}

// Rows is the number of all.
func (g *gathered) Rows() int64 {
	n := int64(0)
	for _, s := range g.Splits {
		n += s.Rows
	}
	return n
}

// Measure adds to the distribution of that name.
func (g *gathered) Measure(what string, x float64) { g.distribution(what, 1).add(x) }

// Share is the same for numbers from 0 to 1.
func (g *gathered) Share(what string, x float64) { g.distribution(what, 1000).add(x) }

func (g *gathered) distribution(what string, scale int64) *distribution {
	for _, d := range g.Distributions {
		if d.What == what {
			return d
		}
	}
	d := newDistribution(what, scale)
	g.Distributions = append(g.Distributions, d)
	return d
}

// Count adds a row to the tally of that name.
func (g *gathered) Count(what, word string) {
	for _, t := range g.Tallies {
		if t.What == what {
			t.Of[word]++
			return
		}
	}
	g.Tallies = append(g.Tallies, &tally{what, map[string]int64{word: 1}})
}

// PerDocument sums up over the rows of a document, which follow one another.
func (g *gathered) PerDocument(doc, what string, x float64) {
	if g.doc != doc {
		g.endDocument()
		g.doc = doc
	}
	if g.here == nil {
		g.here = map[*distribution]float64{}
	}
	g.here[g.distribution(what, 1)] += x
}

func (g *gathered) endDocument() {
	for _, d := range g.Distributions { // in order: sums of floats depend on it
		if x, ok := g.here[d]; ok {
			d.add(x)
		}
	}
	clear(g.here)
	g.doc = ""
}

func (k kind) features() features { return features{k.Columns, k.Classes} }

// takes tells whether the table's rows can be written in a format by themselves.
func (k kind) takes(format string) bool {
	switch format {
	case SQuAD:
		return k.SQuAD
	case CoNLL:
		return k.CoNLL
	}
	return format != RELiC && !slices.Contains(reuseFormats, format)
}

// export streams the table into the files of its splits.
func (k kind) export(ctx context.Context, j *job) (*gathered, error) {
	g := &gathered{Name: k.Name, Commit: j.commits[k.Name], Dates: dates{}}
	for _, w := range k.Keys {
		w.Weak = w.Weak || w.SplitBy != "" && w.SplitBy != splitBy(g.Commit)
		g.Keys = append(g.Keys, &key{Watched: w})
	}
	out := &splits{kind: k, job: j, gathered: g, open: map[string]*splitFiles{}}
	defer out.abort()
	for i, path := range g.Commit.ShardPaths(j.run) {
		n := int64(0)
		out.said = k.paraphrases(ctx, j, i)
		for row, err := range k.Rows(ctx, storage.Default, path) {
			if err != nil {
				return nil, err
			}
			if n++; n%1024 == 0 {
				if err := ctx.Err(); err != nil {
					return nil, err
				}
			}
			g.watch(k, row)
			texts := row.Allowed(j.rights)
			if !texts {
				row.Withhold()
				g.Withheld++
			}
			if err := out.write(ctx, row, texts); err != nil {
				return nil, err
			}
		}
		out.said.close()
		if err := sameRows(path, n, g.Commit.Shards[i].Rows); err != nil {
			return nil, err
		}
		j.done()
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	g.endDocument()
	if err := out.close(); err != nil {
		return nil, err
	}
	return g, nil
}

// watch takes a row's keys, day and statistics.
func (g *gathered) watch(k kind, row table.ExportedRow) {
	in := row.Split()
	for i, id := range row.Keys() {
		if id != "" {
			g.Keys[i].add(id, in)
		}
	}
	if k.Dated {
		g.Dates.add(in, row.Day())
	}
	row.Watch(g)
}

// errChanged says that a table is not what its record says.
var errChanged = errors.New("the table is not what its record says")

// sameRows is [errChanged] where a shard has not as many rows as its record says.
func sameRows(path string, has, want int64) error {
	if has == want {
		return nil
	}
	return fmt.Errorf("%s: %w: it has %d rows, its record says %d: run `commonplace verify`", path, errChanged, has, want)
}
