package infer

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	ort "github.com/yalue/onnxruntime_go"
)

// newSession opens a graph on a device with the manifest's inputs and outputs,
// and says which device it runs on and why. auto takes CUDA where it works, up to
// the opened session, and the CPU where it does not; a device that is asked for
// by name and is not there is an error.
func newSession(dir string, graph []byte, m Manifest, wanted string) (s *ort.DynamicAdvancedSession, device, reason string, err error) {
	switch wanted {
	case "", "cpu":
		s, err = openSession(dir, graph, m, nil)
		return s, "cpu", "the CPU was asked for", err
	case "auto":
		if s, err = openSession(dir, graph, m, addCUDA(wanted)); err == nil {
			return s, "cuda", "CUDA is available", nil
		}
		reason = "CUDA is not available: " + oneLine(err)
		s, err = openSession(dir, graph, m, nil)
		return s, "cpu", reason, err
	}
	add := addCUDA
	if DeviceKind(wanted) == "tensorrt" {
		add = addTensorRT
	}
	if s, err = openSession(dir, graph, m, add(wanted)); err != nil {
		return nil, "", "", fmt.Errorf("device %s is not available: %s", wanted, oneLine(err))
	}
	return s, DeviceKind(wanted), wanted + " was asked for", nil
}

// openSession opens a graph on the device that add adds, or on the CPU.
func openSession(dir string, graph []byte, m Manifest, add func(*ort.SessionOptions) error) (*ort.DynamicAdvancedSession, error) {
	o, err := ort.NewSessionOptions()
	if err != nil {
		return nil, err
	}
	defer o.Destroy()
	if err := configure(o); err != nil {
		return nil, err
	}
	if m.Weights != "" {
		if err := findWeights(o, dir); err != nil {
			return nil, err
		}
	}
	if add != nil {
		if err := add(o); err != nil {
			return nil, err
		}
	}
	s, err := ort.NewDynamicAdvancedSessionWithONNXData(graph, m.Inputs, m.Outputs, o)
	if err != nil {
		return nil, fmt.Errorf("ONNX Runtime %s refuses %s: %s", ort.GetVersion(), GraphFile, oneLine(err))
	}
	return s, nil
}

func configure(o *ort.SessionOptions) error {
	if err := o.SetIntraOpNumThreads(1); err != nil {
		return err
	}
	if err := o.SetInterOpNumThreads(1); err != nil {
		return err
	}
	if err := o.SetLogSeverityLevel(ort.LoggingLevelFatal); err != nil {
		return err
	}
	// Shapes vary: memory planned for each of them would never be given back.
	return o.SetMemPattern(false)
}

// anyFixed is a length that the head takes as the graph has it.
const anyFixed = -2

// port is an input or output that a head needs: its element type and shape, -1
// where the graph must take any length.
type port struct {
	dtype  ort.TensorElementDataType
	shape  []int64
	widest int64  // numbers that the last dimension may have, if it is fixed; 0 is any number
	says   string // the shape as people read it, where shape leaves a choice
}

// takes says whether a port of a graph serves.
func (p port) takes(have ort.InputOutputInfo) bool {
	return have.DataType == p.dtype && p.fits(have.Dimensions)
}

// fits says whether a declared shape serves.
func (p port) fits(declared ort.Shape) bool {
	return fits(declared, p.shape) && (p.widest == 0 || declared[len(declared)-1] <= p.widest)
}

// checkPorts holds the graph's inputs (or outputs) to what the head needs, and names all
// mistakes. Names that need has no port for are only looked up.
func checkPorts(side string, have []ort.InputOutputInfo, names []string, need []port) error {
	var wrong []error
	for i, name := range names {
		k := slices.IndexFunc(have, func(p ort.InputOutputInfo) bool { return p.Name == name })
		if k < 0 {
			wrong = append(wrong, fmt.Errorf("the graph has no %s %q; it has %s", side, name, portNames(have)))
			continue
		}
		if i >= len(need) {
			continue
		}
		switch p := have[k]; {
		case p.DataType != need[i].dtype:
			wrong = append(wrong, fmt.Errorf("the graph's %s %q is of type %v, expected %v", side, name, p.DataType, need[i].dtype))
		case !need[i].fits(p.Dimensions):
			wrong = append(wrong, fmt.Errorf("the graph's %s %q has shape %s, expected %s", side, name, shapeString(p.Dimensions), cmp.Or(need[i].says, shapeString(need[i].shape))))
		}
	}
	return errors.Join(wrong...)
}

// fits says whether a declared shape (-1 is any length) takes the needed one.
func fits(declared ort.Shape, need []int64) bool {
	if len(declared) != len(need) {
		return false
	}
	for i, d := range declared {
		if d > 0 && need[i] != d && need[i] != anyFixed {
			return false
		}
	}
	return true
}

func shapeString(shape []int64) string {
	s := make([]string, len(shape))
	for i, d := range shape {
		if s[i] = fmt.Sprint(d); d < 0 {
			s[i] = "n"
		}
	}
	return "[" + strings.Join(s, " ") + "]"
}

func portNames(ports []ort.InputOutputInfo) string {
	names := make([]string, len(ports))
	for i, p := range ports {
		names[i] = fmt.Sprintf("%q", p.Name)
	}
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}
