// Command labels multiplies the tables that datasets are made from, to measure
// how the cost of labels and exports grows.
//
//	go run ./bench/labels FROM TO COPIES
//
// FROM is the folder of a run, TO a new one. Each copy has ids of its own, and its
// words exchanged for others of the same length that are about as frequent, in
// another way in each: no offset moves, the vocabulary is the same, and two copies
// have no more runs of words in common than two books.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"maps"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/bench/measure"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// copier makes one copy.
type copier struct {
	prefix string
	words  map[string]string
	texts  map[string]*commonplace.Offsets // of the copy's documents and quotes, by id
}

// word is what is exchanged: offsets stay since both are as long.
var word = regexp.MustCompile(`[A-Za-z]+`)

// bucket is how many words of one length, neighbours in frequency, are exchanged
// among each other.
const bucket = 16

func newCopier(n int, vocabulary []string) *copier {
	c := &copier{fmt.Sprintf("copy%03d-", n), map[string]string{}, map[string]*commonplace.Offsets{}}
	r := rand.New(rand.NewPCG(1, uint64(n)))
	for from := 0; from < len(vocabulary); {
		to := from + 1
		for to < len(vocabulary) && to < from+bucket && len(vocabulary[to]) == len(vocabulary[from]) {
			to++
		}
		for i, k := range r.Perm(to - from) {
			c.words[vocabulary[from+i]] = vocabulary[from+k]
		}
		from = to
	}
	return c
}

// vocabularyOf are the words of a run in lower case, by length and then by
// frequency.
func vocabularyOf(ctx context.Context, run string) []string {
	counts := map[string]int{}
	count := func(text string) {
		for _, w := range word.FindAllString(text, -1) {
			counts[strings.ToLower(w)]++
		}
	}
	each(ctx, run, table.Documents, func(d commonplace.Document) { count(d.Text) })
	each(ctx, run, table.Quotes, func(q commonplace.Quote) { count(q.Text) })
	return slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
}

func (c *copier) id(id string) string {
	if id == "" {
		return ""
	}
	return c.prefix + id
}

// text exchanges the words; capitals stay where they are.
func (c *copier) text(s string) string {
	return word.ReplaceAllStringFunc(s, func(w string) string {
		other := []byte(c.words[strings.ToLower(w)])
		for i := range other {
			if w[i] < 'a' {
				other[i] -= 'a' - 'A'
			}
		}
		return string(other)
	})
}

// slice is a part of a text of the copy.
func (c *copier) slice(id string, begin, end int64) string {
	return c.texts[id].Slice(commonplace.Span{Begin: int(begin), End: int(end)})
}

func (c *copier) alignment(a *commonplace.Alignment) {
	a.ID, a.QuoteID, a.DerivedID, a.SourceID = c.id(a.ID), c.id(a.QuoteID), c.id(a.DerivedID), c.id(a.SourceID)
	a.SourceText = c.slice(a.SourceID, a.SourceBegin, a.SourceEnd)
	a.DerivedText = c.slice(cmp.Or(a.QuoteID, a.DerivedID), a.DerivedBegin, a.DerivedEnd)
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("labels: ")
	if len(os.Args) != 4 {
		log.Fatal("usage: labels FROM TO COPIES")
	}
	from, to := os.Args[1], os.Args[2]
	copies, err := strconv.Atoi(os.Args[3])
	measure.Check(err)
	var copiers []*copier
	vocabulary := vocabularyOf(context.Background(), from)
	for n := range copies {
		copiers = append(copiers, newCopier(n, vocabulary))
	}
	multiply(context.Background(), from, to, copiers, table.Documents, func(d *commonplace.Document) string { return d.ID }, func(c *copier, d *commonplace.Document) {
		d.ID, d.Text = c.id(d.ID), c.text(d.Text)
		c.texts[d.ID] = commonplace.NewOffsets(d.Text)
	})
	multiply(context.Background(), from, to, copiers, table.Quotes, func(q *commonplace.Quote) string { return q.ID }, func(c *copier, q *commonplace.Quote) {
		q.ID, q.Text = c.id(q.ID), c.text(q.Text)
		c.texts[q.ID] = commonplace.NewOffsets(q.Text)
	})
	multiply(context.Background(), from, to, copiers, table.Passages, func(p *commonplace.Passage) string { return p.DocID }, func(c *copier, p *commonplace.Passage) {
		p.DocID = c.id(p.DocID)
		p.ID, p.Text = commonplace.PassageID(p.DocID, p.Index), c.slice(p.DocID, p.Begin, p.End)
	})
	multiply(context.Background(), from, to, copiers, table.Matches, func(a *commonplace.Alignment) string { return a.DerivedID }, (*copier).alignment)
	multiply(context.Background(), from, to, copiers, table.Alignments, func(a *commonplace.Alignment) string { return a.SourceID }, (*copier).alignment)
}

// each walks the rows of a table; one that is not there has none.
func each[T any](ctx context.Context, run string, t *table.Table[T], do func(T)) {
	commit, err := table.ReadCommit(ctx, storage.Local, run, t.Name)
	if errors.Is(err, table.ErrNoRecord) {
		return
	}
	measure.Check(err)
	for _, path := range commit.ShardPaths(run) {
		for row, err := range t.Rows(ctx, path) {
			measure.Check(err)
			do(row)
		}
	}
}

// multiply writes the copies of a table; shard is the id that a row's shard
// follows from.
func multiply[T any](ctx context.Context, from, to string, copiers []*copier, t *table.Table[T], shard func(*T) string, change func(*copier, *T)) {
	commit, err := table.ReadCommit(ctx, storage.Local, from, t.Name)
	if errors.Is(err, table.ErrNoRecord) {
		return
	}
	measure.Check(err)
	var writers []*table.Writer[T]
	for k := range commit.Shards {
		w, err := t.Create(ctx, table.Dir(to, t.Name), k, len(commit.Shards))
		measure.Check(err)
		defer w.Abort()
		writers = append(writers, w)
	}
	for _, c := range copiers {
		var rows []T
		each(ctx, from, t, func(row T) {
			change(c, &row)
			rows = append(rows, row)
		})
		slices.SortStableFunc(rows, func(a, b T) int { return strings.Compare(shard(&a), shard(&b)) })
		for i := range rows {
			k := table.ShardOf(shard(&rows[i]), len(writers))
			if len(writers) == 1 {
				k = 0
			}
			measure.Check(writers[k].Write(rows[i]))
		}
	}
	var tasks []table.TaskRecord
	for _, w := range writers {
		record, err := w.Close()
		measure.Check(err)
		tasks = append(tasks, table.TaskRecord{Table: t.Name, Shard: record})
	}
	made, err := table.NewCommit(t.Name, commit.Stage, commit.Revision, json.RawMessage("{}"), map[string]string{}, tasks)
	measure.Check(err)
	measure.Check(table.WriteCommit(ctx, storage.Local, to, made))
}
