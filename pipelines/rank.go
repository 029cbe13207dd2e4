package pipelines

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/rank"
	"github.com/commonplace/commonplace/table"
)

// rankStage places every passage within its document and over all.
var rankStage = &stage{
	name: "rank", table: "rankings", revision: 2,
	short:    "rank passages by score",
	unit:     "passages",
	wanted:   documented,
	settings: func(c *Config) any { return struct{}{} },
	inputs:   and(sameShard("passages", "quote_counts"), whole("scores")),
	make:     makeRankings,
	sweep:    func(_ *Config, t Task) error { return removeOrders(t.Out) },
}

// makeRankings finds the places of a shard's scores among those of all shards,
// which one of the tasks has put in order.
func makeRankings(ctx context.Context, t Task) (table.TaskRecord, error) {
	f, err := openOrder(ctx, t)
	if err != nil {
		return table.TaskRecord{}, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return table.TaskRecord{}, err
	}
	overall, err := rank.OpenOrder(f, info.Size())
	if err != nil {
		return table.TaskRecord{}, err
	}
	return output(ctx, t, table.Rankings, func(o *out[commonplace.Ranking]) error {
		return rankDocuments(t, t.paths("scores")[t.Shard], overall, o)
	})
}

// openOrder opens the file with all scores in order. It is made if it is not
// there or has another length.
func openOrder(ctx context.Context, t Task) (*os.File, error) {
	scores, err := table.ReadCommit(table.Storage, t.Out, "scores")
	if err != nil {
		return nil, err
	}
	path := table.Join(t.Out, indexFolder, "order-"+keyOf(inputsKey(t, "scores")))
	_, err, _ = building.Do(path, func() (any, error) {
		if haveIndex(path) == nil {
			if info, err := os.Stat(indexFile(path)); err == nil && info.Size() == rank.OrderBytes(scores.Rows) {
				return nil, nil
			}
		}
		return nil, makeOrder(ctx, path, t.paths("scores"))
	})
	if err != nil {
		return nil, err
	}
	return os.Open(indexFile(path))
}

// removeOrders removes the files of scores in order.
func removeOrders(out string) error {
	dir := table.Join(out, indexFolder)
	names, err := table.Storage.List(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, name := range names {
		if strings.HasPrefix(name, "order-") {
			err = errors.Join(err, removeIndex(table.Join(dir, name)))
		}
	}
	return err
}

func makeOrder(ctx context.Context, path string, shards []string) error {
	scores := func(yield func(float64, error) bool) {
		for _, shard := range shards {
			for score, err := range table.Values[float64](table.Scores, shard, "score") {
				if !yield(score, cmp.Or(err, ctx.Err())) {
					return
				}
			}
		}
	}
	return publish(path, func(w *bufio.Writer) error { return rank.WriteOrder(w, filepath.Dir(indexFile(path)), scores) })
}

// rankDocuments joins passages, scores and counts, document by document.
func rankDocuments(t Task, scores string, overall *rank.Order, o *out[commonplace.Ranking]) error {
	passages := follow(table.Passages, t.path("passages"), func(p *commonplace.Passage) string { return p.DocID })
	defer passages.stop()
	scored := follow(table.Scores, scores, func(s *commonplace.Score) string { return s.DocID }, "doc_id", "index", "score", "reasons")
	defer scored.stop()
	counts := follow(table.QuoteCounts, t.path("quote_counts"), func(c *commonplace.QuoteCount) string { return c.DocID }, "doc_id", "index", "count")
	defer counts.stop()
	err := passages.each(func(docID string, of []commonplace.Passage) error {
		s, err := scored.of(docID)
		if err != nil {
			return err
		}
		c, err := counts.of(docID)
		if err != nil {
			return err
		}
		if len(s) != len(of) || len(c) != len(of) {
			return fmt.Errorf("document %q has %d passages, %d scores and %d counts; run again with --force to make them anew", docID, len(of), len(s), len(c))
		}
		return rankDocument(of, s, c, overall, o)
	})
	if err != nil {
		return err
	}
	if err := scored.end(); err != nil {
		return err
	}
	return counts.end()
}

func rankDocument(of []commonplace.Passage, s []commonplace.Score, c []commonplace.QuoteCount, overall *rank.Order, o *out[commonplace.Ranking]) error {
	values := make([]float64, len(s))
	for i := range s {
		values[i] = s[i].Score
	}
	within, err := rank.WithinDocument(values)
	if err != nil {
		return err
	}
	for i, p := range of {
		if s[i].Index != p.Index || c[i].Index != p.Index {
			return fmt.Errorf("passage %s: scores or counts of another cut; run again with --force to make them anew", p.ID)
		}
		place, err := overall.Place(values[i])
		if err != nil {
			return err
		}
		o.in++
		if err := o.put(commonplace.Ranking{
			PassageID: p.ID, DocID: p.DocID, Index: p.Index, Begin: p.Begin, End: p.End, Text: p.Text,
			Score: values[i], RankInDocument: within[i], RankOverall: place.Rank, Percentile: place.Percentile,
			QuoteCount: c[i].Count, Reasons: s[i].Reasons,
		}); err != nil {
			return err
		}
		o.taken++
	}
	return nil
}
