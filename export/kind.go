package export

import (
	"context"
	"errors"
	"fmt"

	"github.com/commonplace/commonplace/table"
)

// kind is a table as one configuration of the dataset: T is its row, U the row
// that is written.
type kind[T, U any] struct {
	table  *table.Table[T]
	row    func(*T) U
	labels map[string][]string // names of classes, by column
	split  func(*T) string     // nil: all is train

	texts    func(r *rights, row *T) bool // whether its texts may be given on; nil: it has none
	withhold func(*T)                     // empties them

	keys  func(*job) []*key
	watch func(s *gathered, row *T) // fills keys and statistics

	squad func(*T) question
	conll func(*T) (tokens, tags []string)
}

// anyKind is a kind whatever its rows are.
type anyKind interface {
	name() string
	description() table.Description
	features() features
	takes(format string) bool
	export(ctx context.Context, j *job) (*gathered, error)
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

// measure adds to the distribution of that name.
func (g *gathered) measure(what string, x float64) { g.distribution(what, 1).add(x) }

// share is the same for numbers from 0 to 1.
func (g *gathered) share(what string, x float64) { g.distribution(what, 1000).add(x) }

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

func (g *gathered) count(what, word string) {
	for _, t := range g.Tallies {
		if t.What == what {
			t.Of[word]++
			return
		}
	}
	g.Tallies = append(g.Tallies, &tally{what, map[string]int64{word: 1}})
}

// perDocument sums up over the rows of a document, which follow one another.
func (g *gathered) perDocument(doc, what string, x float64) {
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

func (k kind[T, U]) name() string                   { return k.table.Name }
func (k kind[T, U]) description() table.Description { return k.table.Describe() }
func (k kind[T, U]) features() features {
	return features{table.Sheet[U](k.table.Name).Describe().Columns, k.labels}
}

func (k kind[T, U]) takes(format string) bool {
	switch format {
	case SQuAD:
		return k.squad != nil
	case CoNLL:
		return k.conll != nil
	}
	return format != RELiC
}

// export streams the table into the files of its splits.
func (k kind[T, U]) export(ctx context.Context, j *job) (*gathered, error) {
	g := &gathered{Name: k.table.Name, Commit: j.commits[k.table.Name], Dates: dates{}}
	if k.keys != nil {
		g.Keys = k.keys(j)
	}
	sheet := table.Sheet[U](k.table.Name).With("huggingface", k.features().json())
	out := &splits[T, U]{kind: k, job: j, sheet: sheet, gathered: g, open: map[string]*splitFiles[T, U]{}}
	defer out.abort()
	for i, path := range g.Commit.ShardPaths(j.run) {
		n := int64(0)
		for row, err := range k.table.Rows(path) {
			if err != nil {
				return nil, err
			}
			if n++; n%1024 == 0 {
				if err := ctx.Err(); err != nil {
					return nil, err
				}
			}
			if k.watch != nil {
				k.watch(g, &row)
			}
			open := k.texts == nil || k.texts(j.rights, &row)
			if !open {
				k.withhold(&row)
				g.Withheld++
			}
			if err := out.write(&row, open); err != nil {
				return nil, err
			}
		}
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

// errChanged says that a table is not what its record says.
var errChanged = errors.New("the table is not what its record says")

// sameRows is [errChanged] where a shard has not as many rows as its record says.
func sameRows(path string, has, want int64) error {
	if has == want {
		return nil
	}
	return fmt.Errorf("%s: %w: it has %d rows, its record says %d: run `commonplace verify`", path, errChanged, has, want)
}
