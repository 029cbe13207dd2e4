package report

import (
	"fmt"
	"iter"
	"math"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/table"
)

// shards is how many shards the rows have.
func (g *gatherer) shards() int {
	if g.page.Ranked {
		return len(g.commits[table.Rankings.Name].Shards)
	}
	return len(g.commits[table.QuoteCounts.Name].Shards)
}

// rows are the rankings of a shard, with some columns or all. Where nothing was scored
// they are the passages with their counts: without a score, and the more often one was
// quoted the better its rank.
func (g *gatherer) rows(shard int, columns ...string) iter.Seq2[commonplace.Ranking, error] {
	if g.page.Ranked {
		return table.Rankings.Rows(g.ctx, g.commits[table.Rankings.Name].ShardPaths(g.dir)[shard], columns...)
	}
	return func(yield func(commonplace.Ranking, error) bool) {
		next, stop := iter.Pull2(table.QuoteCounts.Rows(g.ctx, g.commits[table.QuoteCounts.Name].ShardPaths(g.dir)[shard]))
		defer stop()
		for p, err := range table.Passages.Rows(g.ctx, g.commits[table.Passages.Name].ShardPaths(g.dir)[shard]) {
			n, refused, ok := next()
			switch {
			case err == nil && refused != nil:
				err = refused
			case err == nil && (!ok || n.PassageID != p.ID):
				err = fmt.Errorf("%s: quote_counts has no row of %s: run `commonplace build` first", table.Home(g.dir), p.ID)
			}
			if !yield(commonplace.Ranking{PassageID: p.ID, DocID: p.DocID, Index: p.Index, Begin: p.Begin, End: p.End, Text: p.Text,
				Score: math.NaN(), RankOverall: -n.Count, QuoteCount: n.Count}, err) || err != nil {
				return
			}
		}
	}
}
