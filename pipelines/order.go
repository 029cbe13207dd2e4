package pipelines

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"os"

	"github.com/commonplace/commonplace/rank"
	"github.com/commonplace/commonplace/table"
)

// The scores of all shards are put in order once, in a file of the run's folder
// index, where the task of every shard finds the places of its own.

// heldOrder is the last file of scores in order that this process has held to its sum.
var heldOrder kept[struct{}]

// openOrder opens the file with all scores in order, which are the bytes of it
// but the last four, the CRC-32C of them. It is made if it is not there or damaged.
func openOrder(ctx context.Context, t Task) (*os.File, int64, error) {
	scores, err := commitOf(t.Out, "scores")
	if err != nil {
		return nil, 0, err
	}
	path := table.Join(t.Out, indexFolder, "order-"+keyOf(inputsKey(t, "scores")))
	size := rank.OrderBytes(scores.Rows)
	state := ""
	if info, err := os.Stat(indexFile(path)); err == nil {
		state = fmt.Sprint(path, info.Size(), info.ModTime())
	}
	_, err = heldOrder.of(state, func() (none struct{}, err error) {
		if haveIndex(path) == nil && checkOrder(indexFile(path), size) == nil {
			return none, nil
		}
		return none, makeOrder(ctx, path, t.paths("scores"))
	})
	if err != nil {
		return nil, 0, err
	}
	f, err := os.Open(indexFile(path))
	return f, size, err
}

// castagnoli is the polynomial for which machines have an instruction.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// checkOrder holds a file with so many bytes of scores to the sum at its end.
func checkOrder(path string, size int64) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	sum := crc32.New(castagnoli)
	if _, err := io.Copy(sum, io.NewSectionReader(f, 0, size)); err != nil {
		return err
	}
	end, err := io.ReadAll(io.NewSectionReader(f, size, math.MaxInt64-size))
	if err == nil && !bytes.Equal(end, sum.Sum(nil)) {
		err = errors.New("damaged")
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
	return publish(path, func(w *bufio.Writer) error {
		sum := crc32.New(castagnoli)
		if err := rank.WriteOrder(io.MultiWriter(w, sum), scores); err != nil {
			return err
		}
		_, err := w.Write(sum.Sum(nil))
		return err
	})
}
