package infer

import (
	"fmt"
	"math"
	"slices"
	"sync/atomic"
	"time"

	"github.com/commonplace/commonplace/infer/tokenizer"
)

// textRunner runs a graph over tokenised texts.
type textRunner struct {
	graph    func(l *lane, rows int, lengths []int) ([]result, error)
	inputs   int  // graph inputs: ids, mask, and types or decoder ids
	decoder  bool // the third input is the decoder's ids
	outputs  int
	pad      int64 // id that fills up, under a mask of 0
	shapes   shapes
	window   int          // texts in memory as ids, twice
	encoders int          // goroutines that encode
	lanes    chan *lane   // one a run at once, of all calls together
	calls    chan bool    // as many calls as lanes: each holds two windows
	splits   bool         // a batch that is too large for the device's memory is halved
	tooMany  atomic.Int64 // tokens of the smallest run so far that the device's memory did not hold
	counts   *counters
	weights  *weightsFile // nil: they are in the graph
	closed   bool
}

// item is one input of the graph.
type item struct {
	at      int // place among the inputs of the call
	texts   int // that it holds: 1, or the passages of a sequence
	encoded tokenizer.Encoding
	target  []int64 // the decoder's ids, where the graph has them
	given   int     // of them at the beginning, before the model's turn
}

// decoded is what of the target the decoder reads: what it is given, and of the
// rest all but the last token, which is nobody's turn.
func (it *item) decoded() []int64 { return it.target[:max(it.given, len(it.target)-1)] }

// row is what the graph says of one input: for each output its numbers, and
// their shape without the batch.
type row struct {
	values [][]float32
	dims   [][]int64
}

// open gives the runner its lanes.
func (r *textRunner) open(lanes int) {
	r.tooMany.Store(math.MaxInt64)
	r.lanes, r.calls = make(chan *lane, lanes), make(chan bool, lanes)
	for range lanes {
		r.lanes <- &lane{inputs: make([][]int64, r.inputs), outputs: make([][]float32, r.outputs)}
	}
}

// close frees what the lanes hold. No call may be under way.
func (r *textRunner) close() {
	r.closed = true
	for range cap(r.lanes) {
		(<-r.lanes).close()
	}
}

// shapeOf is the (rounded) lengths of an item's input and target.
func (r *textRunner) shapeOf(it *item) [2]int {
	s := [2]int{r.shapes.length(it.encoded.Len()), 0}
	if r.decoder {
		s[1] = r.shapes.length(len(it.decoded()))
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
// not hold it, it runs it in halves, and so at once all later batches that are
// no smaller.
func (r *textRunner) run(l *lane, batch []*item, rows int, yield func(it *item, out row) error) error {
	shape := r.shapeOf(batch[0])
	tokens := int64(rows) * int64(shape[0]+shape[1])
	if rows == 1 || tokens < r.tooMany.Load() {
		err := r.runOnce(l, batch, rows, yield)
		if err == nil || !r.splits || rows == 1 || !outOfMemory(err) {
			return err
		}
		for now := r.tooMany.Load(); tokens < now && !r.tooMany.CompareAndSwap(now, tokens); now = r.tooMany.Load() {
		}
	}
	half := (rows + 1) / 2
	for part := range slices.Chunk(batch, half) {
		if err := r.run(l, part, half, yield); err != nil {
			return err
		}
	}
	return nil
}

// runOnce runs one batch. Rows that the batch does not fill repeat its first.
func (r *textRunner) runOnce(l *lane, batch []*item, rows int, yield func(it *item, out row) error) error {
	shape := r.shapeOf(batch[0])
	lengths := make([]int, r.inputs)
	for k := range lengths {
		lengths[k] = shape[0]
		if k == 2 && r.decoder {
			lengths[k] = shape[1]
		}
		r.fill(l, k, batch, rows, lengths[k])
	}
	begin := time.Now()
	results, err := r.graph(l, rows, lengths)
	r.counts.running.Add(int64(time.Since(begin)))
	if err == nil && r.weights != nil {
		err = r.weights.unchanged()
	}
	if err != nil {
		return fmt.Errorf("%d texts of %d tokens: %w", rows, shape[0], err)
	}
	r.counts.padded.Add(int64(rows * (shape[0] + shape[1])))
	out := row{make([][]float32, r.outputs), make([][]int64, r.outputs)}
	for i, it := range batch {
		for k, from := range results {
			size := len(from.values) / rows
			out.values[k], out.dims[k] = from.values[i*size:(i+1)*size], from.dims[1:]
		}
		if err := yield(it, out); err != nil {
			return atInput(it.at, err)
		}
		r.counts.texts.Add(int64(it.texts))
		r.counts.tokens.Add(int64(it.encoded.Len()))
		if r.decoder {
			r.counts.tokens.Add(int64(len(it.decoded())))
		}
		if it.encoded.Truncated {
			r.counts.truncated.Add(1)
		}
	}
	return nil
}

// fill writes the k-th input of a batch into the lane.
func (r *textRunner) fill(l *lane, k int, batch []*item, rows, length int) {
	fill := int64(0)
	if k == 0 || k == 2 && r.decoder {
		fill = r.pad
	}
	data := grown(&l.inputs[k], rows*length)
	for i := range rows {
		it := batch[0]
		if i < len(batch) {
			it = batch[i]
		}
		line := data[i*length : (i+1)*length]
		for n := copy(line, r.input(it, k)); n < length; n++ {
			line[n] = fill
		}
	}
}

// input is the k-th input of an item, without padding.
func (r *textRunner) input(it *item, k int) []int64 {
	switch {
	case k == 0:
		return it.encoded.IDs
	case k == 1:
		return it.encoded.Mask
	case r.decoder:
		return it.decoded()
	}
	return it.encoded.Types
}
