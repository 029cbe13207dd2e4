package infer

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	ort "github.com/yalue/onnxruntime_go"

	"github.com/commonplace/commonplace/infer/tokenizer"
)

// window is how many texts are in memory as ids at once, and sorted by length.
const window = 2048

// textRunner runs a graph over tokenised texts.
type textRunner struct {
	graph   func(inputs, outputs []ort.Value) error
	inputs  int  // graph inputs: ids, mask, and types or decoder ids
	decoder bool // the third input is the decoder's ids
	outputs int
	pad     int64 // id that fills up, under a mask of 0
	shapes  shapes
	splits  bool // a batch that is too large for the device's memory is halved
	workers int
	counts  *counters
}

// item is one input of the graph.
type item struct {
	at      int // place among the texts of the call
	encoded tokenizer.Encoding
	target  []int64 // the decoder's ids, where the graph has them
}

// row is what the graph says of one input: for each output its numbers, and
// their shape without the batch.
type row struct {
	values [][]float32
	dims   [][]int64
}

// each encodes n texts, runs the graph over them and yields each one's row. It
// yields from several goroutines at once, each text once.
func (r *textRunner) each(ctx context.Context, n int, encode func(i int, to *item) error, yield func(it *item, out row) error) error {
	items := make([]item, min(n, window))
	for begin := 0; begin < n; begin += window {
		part := items[:min(window, n-begin)]
		err := r.parallel(len(part), func(i int) error {
			part[i].at = begin + i
			if err := encode(begin+i, &part[i]); err != nil {
				return err
			}
			r.counts.add(&part[i])
			return nil
		})
		if err != nil {
			return err
		}
		batches := r.batches(part)
		err = r.parallel(len(batches), func(i int) error {
			if err := ctx.Err(); err != nil {
				return err
			}
			b := batches[i]
			return r.run(b, r.rowsOf(b[0]), yield)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// parallel calls f for 0 to n-1 from the runner's workers and returns the error
// of the lowest number that failed.
func (r *textRunner) parallel(n int, f func(i int) error) error {
	errs := make([]error, n)
	var next, wait = make(chan int), sync.WaitGroup{}
	stop := make(chan struct{})
	var once sync.Once
	for range min(max(1, r.workers), n) {
		wait.Go(func() {
			for i := range next {
				if errs[i] = f(i); errs[i] != nil {
					once.Do(func() { close(stop) })
				}
			}
		})
	}
feed:
	for i := range n {
		select {
		case next <- i:
		case <-stop:
			break feed
		}
	}
	close(next)
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// shapeOf is the (rounded) lengths of an item's input and target.
func (r *textRunner) shapeOf(it *item) [2]int {
	s := [2]int{r.shapes.length(it.encoded.Len()), 0}
	if r.decoder {
		s[1] = r.shapes.length(len(it.target))
	}
	return s
}

// batches puts items of one shape together, longest first.
func (r *textRunner) batches(items []item) [][]*item {
	order := make([]*item, len(items))
	for i := range items {
		order[i] = &items[i]
	}
	slices.SortStableFunc(order, func(a, b *item) int {
		x, y := r.shapeOf(a), r.shapeOf(b)
		if x[0] != y[0] {
			return y[0] - x[0]
		}
		return y[1] - x[1]
	})
	var out [][]*item
	for i := 0; i < len(order); {
		shape := r.shapeOf(order[i])
		j, rows := i, r.rowsOf(order[i])
		for j < len(order) && j-i < rows && r.shapeOf(order[j]) == shape {
			j++
		}
		out = append(out, order[i:j])
		i = j
	}
	return out
}

// rowsOf is how many items of an item's shape run together.
func (r *textRunner) rowsOf(it *item) int {
	shape := r.shapeOf(it)
	return r.shapes.rows(shape[0] + shape[1])
}

// run runs one batch in a run of that many rows. Where the device's memory does
// not hold it, it runs it in halves.
func (r *textRunner) run(batch []*item, rows int, yield func(it *item, out row) error) error {
	err := r.runOnce(batch, rows, yield)
	if err == nil || !r.splits || rows == 1 || !outOfMemory(err) {
		return err
	}
	half := (rows + 1) / 2
	for part := range slices.Chunk(batch, half) {
		if err := r.run(part, half, yield); err != nil {
			return err
		}
	}
	return nil
}

// runOnce runs one batch. Rows that the batch does not fill repeat its first.
func (r *textRunner) runOnce(batch []*item, rows int, yield func(it *item, out row) error) error {
	shape := r.shapeOf(batch[0])
	var inputs []ort.Value
	defer func() {
		for _, v := range inputs {
			v.Destroy()
		}
	}()
	for k := range r.inputs {
		length := shape[0]
		if k == 2 && r.decoder {
			length = shape[1]
		}
		data := make([]int64, rows*length)
		for i := range rows {
			it := batch[0]
			if i < len(batch) {
				it = batch[i]
			}
			line := data[i*length : (i+1)*length]
			if n := copy(line, r.input(it, k)); k == 0 || k == 2 && r.decoder {
				for ; n < length; n++ {
					line[n] = r.pad
				}
			}
		}
		t, err := ort.NewTensor(ort.NewShape(int64(rows), int64(length)), data)
		if err != nil {
			return err
		}
		inputs = append(inputs, t)
	}
	outputs := make([]ort.Value, r.outputs)
	begin := time.Now()
	err := r.graph(inputs, outputs)
	r.counts.running.Add(int64(time.Since(begin)))
	if err != nil {
		return fmt.Errorf("%d texts of %d tokens: %w", rows, shape[0], err)
	}
	defer func() {
		for _, v := range outputs {
			v.Destroy()
		}
	}()
	for i, it := range batch {
		out := row{make([][]float32, r.outputs), make([][]int64, r.outputs)}
		for k, v := range outputs {
			t, ok := v.(*ort.Tensor[float32])
			if !ok {
				return fmt.Errorf("output %d of the graph is not float32", k)
			}
			dims := v.GetShape()
			if len(dims) == 0 || dims[0] != int64(rows) {
				return fmt.Errorf("output %d of the graph has shape %v for %d texts", k, dims, rows)
			}
			size := len(t.GetData()) / rows
			out.values[k], out.dims[k] = t.GetData()[i*size:(i+1)*size], dims[1:]
		}
		if err := yield(it, out); err != nil {
			return err
		}
	}
	return nil
}

// input is the k-th input of an item, without padding.
func (r *textRunner) input(it *item, k int) []int64 {
	switch {
	case k == 0:
		return it.encoded.IDs
	case k == 1:
		return it.encoded.Mask
	case r.decoder:
		return it.target
	}
	return it.encoded.Types
}
