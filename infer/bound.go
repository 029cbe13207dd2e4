package infer

import (
	"fmt"

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
	shapes  []ort.Shape // the outputs' as the graph declares them, -1 what varies
}

func newBound(s *ort.DynamicAdvancedSession, m Manifest, outputs []ort.InputOutputInfo) *bound {
	b := &bound{session: s, inputs: m.Inputs, outputs: m.Outputs}
	for _, name := range m.Outputs {
		for _, o := range outputs {
			if o.Name == name {
				b.shapes = append(b.shapes, o.Dimensions)
			}
		}
	}
	return b
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
	results, known := b.room(l, rows, lengths)
	if !known {
		return b.runFree(l, values)
	}
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

// room makes room for the outputs where their shapes can be told beforehand: the
// batch, where there are two or more dimensions that vary the tokens of the last
// input, and what the graph declares.
func (b *bound) room(l *lane, rows int, lengths []int) (results []result, known bool) {
	tokens := lengths[0]
	if len(lengths) == 3 {
		tokens = lengths[2]
	}
	for len(l.outputs) < len(b.shapes) {
		l.outputs = append(l.outputs, nil)
	}
	for k, declared := range b.shapes {
		dims, size := make([]int64, len(declared)), 1
		for i, d := range declared {
			switch {
			case i == 0:
				dims[i] = int64(rows)
			case d > 0:
				dims[i] = d
			case i == 1:
				dims[i] = int64(tokens)
			default:
				return nil, false
			}
			size *= int(dims[i])
		}
		results = append(results, result{grown(&l.outputs[k], size), dims})
	}
	return results, true
}

// runFree lets ONNX Runtime make the outputs, whose shapes nothing tells
// beforehand, and copies them into the lane.
func (b *bound) runFree(l *lane, inputs []ort.Value) ([]result, error) {
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
		if !ok {
			return nil, fmt.Errorf("output %q of the graph is not float32", b.outputs[k])
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
