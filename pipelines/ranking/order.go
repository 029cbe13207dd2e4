package ranking

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"iter"
	"os"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/pipelines/cache"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/join"
	"github.com/commonplace/commonplace/pipelines/worker"
	"github.com/commonplace/commonplace/rank"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// The scores of all shards are put in order once, in a file of the run's cache,
// before the tasks begin; each of them finds the places of its own there.
// So are the keys of the order in which documents take turns, in another file.

// checkedOrder and checkedBalance are the last files that a worker has checked against their sums.
var checkedOrder, checkedBalance = new(worker.Memo[*rank.Order]), new(worker.Memo[*rank.Order])

// orders are those over all, and balanced.
type orders struct{ overall, balanced *rank.Order }

func ordersOf(ctx context.Context, t engine.Task) (o orders, err error) {
	o.overall, err = orderOf(ctx, t, "order", checkedOrder, scoresOf(ctx, t.Paths("scores")))
	if err == nil {
		o.balanced, err = orderOf(ctx, t, "balance", checkedBalance, balanceOf(ctx, t.Paths("scores"), o.overall))
	}
	return o, err
}

// orderOf opens a file with all values in order, which are the bytes of it but
// the last four, the CRC-32C of them. It is made if it is not there or damaged.
func orderOf(ctx context.Context, t engine.Task, kind string, held *worker.Memo[*rank.Order], values iter.Seq2[float64, error]) (*rank.Order, error) {
	path := orderPath(t, kind)
	state := ""
	for _, name := range []string{partsOf(path), path} {
		if info, err := os.Stat(cache.LocalFile(ctx, name)); err == nil {
			state = fmt.Sprint(name, info.Size(), info.ModTime())
			break
		}
	}
	return held.Get(ctx, state, func() (*rank.Order, error) {
		scores, err := engine.CommitOf(ctx, t.Out, "scores")
		if err != nil {
			return nil, err
		}
		if order, err := openOrder(ctx, path, scores.Rows); err == nil || errors.Is(err, storage.ErrRefused) {
			return order, err
		}
		if err := cache.Remove(ctx, partsOf(path)); err != nil { // of which one is damaged
			return nil, err
		}
		if err := makeOrder(ctx, path, values); err != nil {
			return nil, err
		}
		return openOrder(ctx, path, scores.Rows)
	})
}

// prepareOrder makes both orders before the tasks run, of a large library by workers.
func prepareOrder(ctx context.Context, r engine.Request, t engine.Task) error {
	scores, err := engine.CommitOf(ctx, t.Out, "scores")
	if err != nil {
		return err
	}
	if shards := t.Paths("scores"); scores.Rows > orderedScores && len(shards) > 1 {
		overall := orderPath(t, "order")
		sample := scoresOf(ctx, shards[:1])
		if err := spreadOrderTo(ctx, r, overall, "", shards, scores.Rows, sample); err != nil {
			return err
		}
		order, err := openOrder(ctx, overall, scores.Rows)
		if err != nil {
			return err
		}
		if err := spreadOrderTo(ctx, r, orderPath(t, "balance"), overall, shards, scores.Rows, balanceOf(ctx, shards[:1], order)); err != nil {
			return err
		}
	}
	_, err = ordersOf(ctx, t)
	return err
}

// spreadOrderTo has workers make the order of a path, unless it is there.
func spreadOrderTo(ctx context.Context, r engine.Request, path, overall string, shards []string, rows int64, sample iter.Seq2[float64, error]) error {
	if _, err := openOrder(ctx, path, rows); err == nil || errors.Is(err, storage.ErrRefused) {
		return err
	}
	parts, err := spreadOrder(ctx, r, path, overall, shards, rows, sample)
	if err != nil {
		return err
	}
	return cache.WriteLines(ctx, partsOf(path), parts)
}

// orderPath is where an order lies: the file itself, or beside it, in [partsOf], the
// names of the files that make it up.
func orderPath(t engine.Task, kind string) string {
	return storage.Join(cache.Dir(t.Out), kind+"-"+storage.Key(rankRevision, t.InputsKey("scores")))
}

func partsOf(path string) string { return besides(path, "parts", 0) }

// castagnoli is the polynomial for which machines have an instruction.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// openOrder opens an order and holds it to the number of scores and to the sum at the
// end of each file. They stay open as long as the order is used.
func openOrder(ctx context.Context, path string, scores int64) (order *rank.Order, err error) {
	parts, err := cache.ReadLines[string](ctx, partsOf(path))
	if errors.Is(err, storage.ErrRefused) {
		return nil, err
	}
	if err != nil { // none, or damaged
		parts = []string{path}
	}
	var opened []*os.File
	defer func() {
		if err != nil {
			for _, f := range opened {
				f.Close()
			}
		}
	}()
	var whole readerOfParts
	for _, part := range parts {
		f, size, err := openSorted(ctx, part)
		if err != nil {
			return nil, err
		}
		opened = append(opened, f)
		if err := checkSum(f, size); err != nil {
			return nil, fmt.Errorf("%s is damaged: %w", part, err)
		}
		whole.add(f, size)
	}
	if size := rank.OrderBytes(scores); whole.size() != size {
		return nil, fmt.Errorf("%s is damaged: it has %d bytes, and %d scores have %d", path, whole.size(), scores, size)
	}
	return rank.OpenOrder(&whole, whole.size())
}

// errSum says that a file has other bytes than were written.
var errSum = errors.New("its sum is another")

// checkSum holds the first bytes of a file to the sum that follows them.
func checkSum(f io.ReaderAt, size int64) error {
	if size < 0 {
		return errSum
	}
	sum := crc32.New(castagnoli)
	if _, err := io.Copy(sum, io.NewSectionReader(f, 0, size)); err != nil {
		return err
	}
	end, err := io.ReadAll(io.NewSectionReader(f, size, crc32.Size))
	if err == nil && !bytes.Equal(end, sum.Sum(nil)) {
		err = errSum
	}
	return err
}

// scoresOf are the scores of all shards.
func scoresOf(ctx context.Context, shards []string) iter.Seq2[float64, error] {
	return func(yield func(float64, error) bool) {
		for _, shard := range shards {
			for score, err := range table.Values[float64](ctx, table.Scores, shard, "score") {
				if !yield(score, err) {
					return
				}
			}
		}
	}
}

// placed is where a passage is: over all, in its document, and with which key
// in the balanced order.
type placed struct {
	rank.Place
	within int64
	key    float64
}

// standings are those of a document's passages.
func standings(scores []float64, overall *rank.Order) ([]placed, error) {
	within, err := rank.WithinDocument(scores)
	if err != nil {
		return nil, err
	}
	places, err := overall.Places(scores)
	if err != nil {
		return nil, err
	}
	out := make([]placed, len(scores))
	for i := range scores {
		key, err := rank.Balance(within[i], places[i].Rank, overall.Total())
		if err != nil {
			return nil, err
		}
		out[i] = placed{places[i], within[i], key}
	}
	return out, nil
}

// eachPlaced walks the passages of a shard of scores, document by document.
func eachPlaced(ctx context.Context, shard string, overall *rank.Order, do func(placed) error) error {
	scores := join.Open(ctx, table.Scores, shard, func(s *commonplace.Score) string { return s.DocID }, "doc_id", "score")
	defer scores.Stop()
	return scores.Each(func(_ string, rows []commonplace.Score) error {
		values := make([]float64, len(rows))
		for i := range rows {
			values[i] = rows[i].Score
		}
		places, err := standings(values, overall)
		if err != nil {
			return err
		}
		for _, p := range places {
			if err := do(p); err != nil {
				return err
			}
		}
		return nil
	})
}

// errEnough ends a walk whose rest is not needed.
var errEnough = errors.New("enough")

// balanceOf are the keys of all shards.
func balanceOf(ctx context.Context, shards []string, overall *rank.Order) iter.Seq2[float64, error] {
	return func(yield func(float64, error) bool) {
		for _, shard := range shards {
			err := eachPlaced(ctx, shard, overall, func(p placed) error {
				if !yield(p.key, nil) {
					return errEnough
				}
				return nil
			})
			if errors.Is(err, errEnough) {
				return
			}
			if err != nil {
				yield(0, err)
				return
			}
		}
	}
}

func makeOrder(ctx context.Context, path string, values iter.Seq2[float64, error]) error {
	scores := func(yield func(float64, error) bool) {
		for value, err := range values {
			if err == nil {
				err = ctx.Err()
			}
			if !yield(value, err) {
				return
			}
		}
	}
	return cache.Publish(ctx, path, func(w *bufio.Writer) error {
		sum := crc32.New(castagnoli)
		err := rank.WriteOrder(io.MultiWriter(w, sum), storage.TempDir(ctx), scores)
		if p := (*fs.PathError)(nil); errors.As(err, &p) && !errors.Is(err, storage.ErrRefused) { // of the sorter's files
			err = storage.Mark(err)
		}
		if err != nil {
			return err
		}
		_, err = w.Write(sum.Sum(nil))
		return err
	})
}
