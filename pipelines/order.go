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
	"io/fs"
	"os"

	"github.com/commonplace/commonplace/rank"
	"github.com/commonplace/commonplace/table"
)

// The scores of all shards are put in order once, in a file of the run's folder
// index, before the tasks begin; each of them finds the places of its own there.

// heldOrder is the last file of scores in order that this process has held to its sum.
var heldOrder kept[*rank.Order]

// orderOf opens the file with all scores in order, which are the bytes of it but
// the last four, the CRC-32C of them. It is made if it is not there or damaged.
func orderOf(ctx context.Context, t Task) (*rank.Order, error) {
	path := table.Join(t.Out, indexFolder, "order-"+keyOf(rankRevision, inputsKey(t, "scores")))
	state := ""
	if info, err := os.Stat(indexFile(path)); err == nil {
		state = fmt.Sprint(path, info.Size(), info.ModTime())
	}
	return heldOrder.of(state, func() (*rank.Order, error) {
		scores, err := commitOf(t.Out, "scores")
		if err != nil {
			return nil, err
		}
		if order, err := openOrder(path, scores.Rows); err == nil || errors.Is(err, table.ErrStorage) {
			return order, err
		}
		if err := makeOrder(ctx, path, t.paths("scores")); err != nil {
			return nil, err
		}
		return openOrder(path, scores.Rows)
	})
}

func prepareOrder(ctx context.Context, t Task) error {
	_, err := orderOf(ctx, t)
	return err
}

// castagnoli is the polynomial for which machines have an instruction.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// openOrder opens a file and holds it to the number of scores and to the sum at its
// end. It stays open as long as the order is used.
func openOrder(path string, scores int64) (order *rank.Order, err error) {
	if err := haveIndex(path); err != nil {
		return nil, err
	}
	f, err := os.Open(indexFile(path))
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			f.Close()
		}
	}()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	size := rank.OrderBytes(scores)
	if info.Size() != size+crc32.Size {
		return nil, fmt.Errorf("%s is damaged: it has %d bytes, and %d scores have %d", path, info.Size(), scores, size+crc32.Size)
	}
	sum := crc32.New(castagnoli)
	if _, err := io.Copy(sum, io.NewSectionReader(f, 0, size)); err != nil {
		return nil, err
	}
	end, err := io.ReadAll(io.NewSectionReader(f, size, crc32.Size))
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(end, sum.Sum(nil)) {
		return nil, fmt.Errorf("%s is damaged", path)
	}
	return rank.OpenOrder(f, size)
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
		err := rank.WriteOrder(io.MultiWriter(w, sum), scores)
		if p := (*fs.PathError)(nil); errors.As(err, &p) && !errors.Is(err, table.ErrStorage) { // of the sorter's files
			err = stored(err)
		}
		if err != nil {
			return err
		}
		_, err = w.Write(sum.Sum(nil))
		return err
	})
}
