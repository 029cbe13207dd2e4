package infer

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"

	ort "github.com/yalue/onnxruntime_go"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/infer/features"
)

// featureRows is the one batch size that feature graphs run in. The last batch
// is filled up with zeros, so that every row goes through the same kernels and
// its score does not depend on how many others there are.
const featureRows = 512

// featuresHead scores a passage by its feature vector: the graph takes
// [rows, features] float32 and gives [rows, 1] float32.
type featuresHead struct {
	session *ort.DynamicAdvancedSession
	columns []int              // places in the full vector, in the graph's order
	free    chan *featureSpace // kept between calls; tensors are C memory, so a pool that forgets would leak
}

// featureSpace is the memory of one batch.
type featureSpace struct {
	full          []float32 // one full vector
	in            *ort.Tensor[float32]
	out           *ort.Tensor[float32]
	inputs        []ort.Value
	outputs       []ort.Value
	matrix, score []float32
}

func newFeaturesHead(m Manifest, inputs, outputs []ort.InputOutputInfo) (*featuresHead, error) {
	n := int64(len(m.Features.Names))
	float := ort.TensorElementDataType(ort.TensorElementDataTypeFloat)
	if err := checkPorts("input", inputs, m.Inputs, []port{{float, []int64{-1, n}}}); err != nil {
		return nil, err
	}
	if err := checkPorts("output", outputs, m.Outputs, []port{{float, []int64{-1, 1}}}); err != nil {
		return nil, err
	}
	if len(inputs) != 1 {
		return nil, fmt.Errorf("the graph has %d inputs (%s), head features gives one", len(inputs), portNames(inputs))
	}
	h := &featuresHead{free: make(chan *featureSpace, runtime.GOMAXPROCS(0))}
	for _, name := range m.Features.Names {
		h.columns = append(h.columns, slices.Index(features.Names, name))
	}
	return h, nil
}

func (h *featuresHead) space() (*featureSpace, error) {
	select {
	case s := <-h.free:
		return s, nil
	default:
	}
	s := &featureSpace{
		full:   make([]float32, features.Count),
		matrix: make([]float32, featureRows*len(h.columns)),
		score:  make([]float32, featureRows),
	}
	var err error
	if s.in, err = ort.NewTensor(ort.NewShape(featureRows, int64(len(h.columns))), s.matrix); err != nil {
		return nil, err
	}
	if s.out, err = ort.NewTensor(ort.NewShape(featureRows, 1), s.score); err != nil {
		s.in.Destroy()
		return nil, err
	}
	s.inputs, s.outputs = []ort.Value{s.in}, []ort.Value{s.out}
	return s, nil
}

func (h *featuresHead) giveBack(s *featureSpace) {
	select {
	case h.free <- s:
	default:
		s.destroy()
	}
}

func (s *featureSpace) destroy() {
	s.in.Destroy()
	s.out.Destroy()
}

func (h *featuresHead) score(ctx context.Context, passages []commonplace.Passage, out []output) error {
	s, err := h.space()
	if err != nil {
		return err
	}
	defer h.giveBack(s)
	for begin := 0; begin < len(passages); begin += featureRows {
		if err := ctx.Err(); err != nil {
			return err
		}
		batch := passages[begin:min(begin+featureRows, len(passages))]
		clear(s.matrix)
		for i, p := range batch {
			if math.IsNaN(p.Position) || p.Position < 0 || p.Position > 1 {
				return atInput(begin+i, fmt.Errorf("position is %v, expected 0 to 1", p.Position))
			}
			features.Extract(p.Text, p.Position, s.full)
			row := s.matrix[i*len(h.columns):]
			for k, column := range h.columns {
				row[k] = s.full[column]
			}
		}
		if err := h.session.Run(s.inputs, s.outputs); err != nil {
			return fmt.Errorf("passages %s to %s: %w", batch[0].ID, batch[len(batch)-1].ID, err)
		}
		for i := range batch {
			out[begin+i].value = float64(s.score[i])
		}
	}
	return nil
}

func (h *featuresHead) close() {
	for {
		select {
		case s := <-h.free:
			s.destroy()
		default:
			return
		}
	}
}
