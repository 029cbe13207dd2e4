package infer

import (
	"fmt"
	"slices"

	ort "github.com/yalue/onnxruntime_go"
)

// lane is the memory that one run of the graph works in. A model has as many as
// runs at once, and they are all that its runs hold: a buffer grows to the
// largest shape and is used again.
type lane struct {
	inputs  [][]int64
	outputs [][]float32
	binding *ort.IoBinding
}

// grown is the first n of a buffer, which is made larger where it is too small.
func grown[T any](buffer *[]T, n int) []T {
	if cap(*buffer) < n {
		*buffer = make([]T, n)
	}
	return (*buffer)[:n]
}

// result is an output of the graph: its numbers, in the lane's memory, and its
// shape with the batch first.
type result struct {
	values []float32
	dims   []int64
}

// bound runs a session over bound inputs and outputs: on a GPU the inputs are
// copied when they are bound, outside the run, and nothing is allocated.
type bound struct {
	session *ort.DynamicAdvancedSession
	inputs  []string
	outputs []string
	shape   []int64 // of every output: -1 the texts, then -1 the tokens of the last input, [anyFixed] what only a run tells
}

// run runs the graph over the lane's inputs, [rows, lengths[k]] each.
func (b *bound) run(l *lane, rows int, lengths []int) ([]result, error) {
	var values []ort.Value
	defer func() {
		for _, v := range values {
			v.Destroy()
		}
	}()
	for k, length := range lengths {
		t, err := ort.NewTensor(ort.NewShape(int64(rows), int64(length)), l.inputs[k][:rows*length])
		if err != nil {
			return nil, err
		}
		values = append(values, t)
	}
	dims := b.dims(rows, lengths)
	if slices.Contains(dims, anyFixed) {
		return b.runFree(l, values, dims)
	}
	results := b.reserve(l, dims)
	if l.binding == nil {
		var err error
		if l.binding, err = b.session.CreateIoBinding(); err != nil {
			return nil, err
		}
	}
	defer l.binding.ClearBoundInputs()
	defer l.binding.ClearBoundOutputs()
	for k, name := range b.inputs {
		if err := l.binding.BindInput(name, values[k]); err != nil {
			return nil, err
		}
	}
	for k, name := range b.outputs {
		t, err := ort.NewTensor(ort.Shape(results[k].dims), results[k].values)
		if err != nil {
			return nil, err
		}
		values = append(values, t)
		if err := l.binding.BindOutput(name, t); err != nil {
			return nil, err
		}
	}
	return results, b.session.RunWithBinding(l.binding)
}

// dims is the shape of an output for some texts of some tokens.
func (b *bound) dims(rows int, lengths []int) []int64 {
	dims := slices.Clone(b.shape)
	dims[0] = int64(rows)
	if len(dims) > 1 && dims[1] == -1 {
		dims[1] = int64(lengths[len(lengths)-1])
	}
	return dims
}

// reserve allocates the outputs in the lane.
func (b *bound) reserve(l *lane, dims []int64) []result {
	size := 1
	for _, d := range dims {
		size *= int(d)
	}
	results := make([]result, len(b.outputs))
	for k := range results {
		results[k] = result{grown(&l.outputs[k], size), dims}
	}
	return results
}

// runFree lets ONNX Runtime make outputs whose shape nothing tells beforehand,
// and copies them into the lane.
func (b *bound) runFree(l *lane, inputs []ort.Value, dims []int64) ([]result, error) {
	outputs := make([]ort.Value, len(b.outputs))
	if err := b.session.Run(inputs, outputs); err != nil {
		return nil, err
	}
	defer func() {
		for _, v := range outputs {
			v.Destroy()
		}
	}()
	results := make([]result, len(outputs))
	for k, v := range outputs {
		t, ok := v.(*ort.Tensor[float32])
		if !ok || !slices.EqualFunc(v.GetShape(), dims, func(got, want int64) bool { return want == anyFixed || got == want }) {
			return nil, fmt.Errorf("the graph gives an output %q of shape %v, expected float32 %s", b.outputs[k], v.GetShape(), shapeString(dims))
		}
		results[k] = result{grown(&l.outputs[k], len(t.GetData())), v.GetShape()}
		copy(results[k].values, t.GetData())
	}
	return results, nil
}

func (l *lane) close() {
	if l.binding != nil {
		l.binding.Destroy()
		l.binding = nil
	}
}
