package report

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/chart"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// gatherer reads a run's tables, each once or twice, several shards at once.
type gatherer struct {
	ctx     context.Context // of the call of Write
	dir     string
	options Options

	commits  map[string]table.Commit
	chosen   map[string]bool       // passages that the page holds
	passages map[string][]*passage // of a document, in order
	shares   map[int64]int64       // passages by how often they are quoted
	strips   map[string]*strip
	page     *page
}

// place is what decides whether a passage is on the page.
type place struct {
	id          string
	rank, count int64
	score       float64
	begin       int64
}

func byRank(a, b place) int {
	return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.id, b.id))
}

func byCount(a, b place) int { return cmp.Or(cmp.Compare(b.count, a.count), byRank(a, b)) }

func (g *gatherer) gather() (*page, error) {
	g.chosen = map[string]bool{}
	g.shares = map[int64]int64{}
	g.passages = map[string][]*passage{}
	g.strips = map[string]*strip{}
	g.page = &page{Title: g.options.Title}
	for _, step := range []func() error{g.readCommits, g.choose, g.readTexts, g.readAlignments, g.describe, g.readNames, g.readRejects} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return g.page, g.finish()
}

// step says how far the gathering is.
func (g *gatherer) step(what string, shard int) {
	if g.options.Progress != nil {
		g.options.Progress(what, shard, g.shards())
	}
}

// readCommits finds what tables there are. A page needs rankings, or without a model
// passages and quote_counts.
func (g *gatherer) readCommits() error {
	var err error
	if g.commits, err = table.Whole(g.ctx, storage.Default, g.dir); err != nil {
		return err
	}
	var order []table.Commit
	for _, t := range table.All() {
		if c, there := g.commits[t.Describe().Name]; there {
			order = append(order, c)
		}
	}
	_, g.page.Ranked = g.commits[table.Rankings.Name]
	_, counted := g.commits[table.QuoteCounts.Name]
	_, cut := g.commits[table.Passages.Name]
	if !g.page.Ranked && !(counted && cut) {
		return fmt.Errorf("%s: the page needs the table rankings, or passages and quote_counts; run `commonplace build` with a config that asks for them", table.Home(g.dir))
	}
	_, matched := g.commits[table.Matches.Name]
	g.page.Sought = matched || g.commits[table.Quotes.Name].Rows > 0
	g.page.Flow = flowOf(order)
	return nil
}

// eachShard does something with every shard of the rows, several at once.
func (g *gatherer) eachShard(what string, do func(shard int) error) error {
	g.step(what, 0)
	group, ctx := errgroup.WithContext(g.ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	var mu sync.Mutex
	done := 0
	for shard := range g.shards() {
		group.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			err := do(shard)
			mu.Lock()
			defer mu.Unlock()
			done++
			g.step(what, done)
			return err
		})
	}
	return group.Wait()
}

// choice is what decides which passages and books the page holds. Those of shards add up
// to that of all, in any order.
type choice struct {
	top, quoted *best[place]
	books       *best[*strip]
	numbers     numbers
	shares      map[int64]int64 // passages by how often they are quoted
}

func (g *gatherer) newChoice() *choice {
	return &choice{
		top:     &best[place]{n: g.options.Top, order: byRank},
		quoted:  &best[place]{n: g.options.Top, order: byCount},
		books:   &best[*strip]{n: g.options.Books, order: byInterest},
		numbers: numbers{lowest: math.Inf(1), highest: math.Inf(-1)},
		shares:  map[int64]int64{},
	}
}

// read takes the numbers of a shard's rankings.
func (c *choice) read(g *gatherer, shard int) error {
	s := &c.numbers
	var book *stripMaker
	for r, err := range g.rows(shard, "passage_id", "doc_id", "begin", "end", "score", "rank_overall", "percentile", "quote_count") {
		if err != nil {
			return err
		}
		if book == nil || book.docID != r.DocID {
			if book != nil {
				c.books.add(book.strip())
			}
			book = newStripMaker(r.DocID)
			s.documents++
		}
		p := place{r.PassageID, r.RankOverall, r.QuoteCount, r.Score, r.Begin}
		s.passages++
		s.counts.Add(r.QuoteCount, 1)
		c.shares[r.QuoteCount]++
		if r.QuoteCount > 0 {
			s.quoted++
			c.quoted.add(p)
		}
		if !math.IsInf(r.Score, 0) && !math.IsNaN(r.Score) {
			s.lowest = min(s.lowest, r.Score)
			s.highest = max(s.highest, r.Score)
			if r.Percentile < 0.99 {
				s.usual = max(s.usual, r.Score)
			}
		}
		if g.page.Ranked {
			c.top.add(p)
		}
		book.add(r, p)
	}
	if book != nil {
		c.books.add(book.strip())
	}
	return nil
}

// add takes what was chosen of another shard.
func (c *choice) add(other *choice) {
	for _, p := range other.top.items {
		c.top.add(p)
	}
	for _, p := range other.quoted.items {
		c.quoted.add(p)
	}
	for _, b := range other.books.items {
		c.books.add(b)
	}
	for n, times := range other.shares {
		c.shares[n] += times
	}
	a, b := &c.numbers, &other.numbers
	a.documents, a.passages, a.quoted = a.documents+b.documents, a.passages+b.passages, a.quoted+b.quoted
	a.lowest, a.highest, a.usual = min(a.lowest, b.lowest), max(a.highest, b.highest), max(a.usual, b.usual)
	for i, n := range b.counts {
		a.counts[i] += n
	}
}

// choose reads the numbers of all rankings and decides which passages and books
// the page holds.
func (g *gatherer) choose() error {
	all := g.newChoice()
	var mu sync.Mutex
	err := g.eachShard("reading the ranks", func(shard int) error {
		c := g.newChoice()
		if err := c.read(g, shard); err != nil {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		all.add(c)
		return nil
	})
	if err != nil {
		return err
	}
	g.page.numbers, g.shares = all.numbers, all.shares
	for _, p := range all.top.sorted() {
		g.chosen[p.id] = true
	}
	for _, p := range all.quoted.sorted() {
		g.chosen[p.id] = true
	}
	for _, b := range all.books.sorted() {
		g.strips[b.DocID] = b
		g.page.Strips = append(g.page.Strips, b)
		for _, p := range slices.Concat(b.best, b.quoted) {
			g.chosen[p.id] = true
		}
	}
	return nil
}

// maxPoints is the longest text of a passage on the page, in code points.
const maxPoints = 8000

// readTexts reads the rankings again, now with texts, and keeps the chosen ones
// with the ends of their neighbours.
func (g *gatherer) readTexts() error {
	s := &g.page.numbers
	if !g.page.Ranked {
		s.lowest, s.usual = 0, 1
	}
	s.scores = chart.RoundHistogram(s.lowest, s.usual, 40)
	s.lengths = chart.NewHistogram(0, 400, 40)
	var mu sync.Mutex
	return g.eachShard("reading the texts", func(shard int) error {
		scores, lengths := chart.RoundHistogram(s.lowest, s.usual, 40), chart.NewHistogram(0, 400, 40)
		var passages []*passage
		var last commonplace.Ranking
		var waiting *passage // for the words after it
		for r, err := range g.rows(shard) {
			if err != nil {
				return err
			}
			scores.Add(r.Score)
			lengths.Add(float64(countWords(r.Text)))
			if waiting != nil && r.DocID == waiting.docID {
				waiting.After = after(last, r)
			}
			waiting = nil
			if g.chosen[r.PassageID] {
				p := newPassage(r)
				if last.DocID == r.DocID {
					p.Before = before(last, r)
				}
				passages = append(passages, p)
				waiting = p
			}
			last = r
		}
		mu.Lock()
		defer mu.Unlock()
		s.scores.Join(scores)
		s.lengths.Join(lengths)
		g.page.Passages = append(g.page.Passages, passages...)
		for _, p := range passages {
			g.passages[p.docID] = append(g.passages[p.docID], p)
		}
		return nil
	})
}
