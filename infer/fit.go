package infer

import (
	"fmt"
	"slices"
	"strings"

	ort "github.com/yalue/onnxruntime_go"
)

const (
	floats = ort.TensorElementDataType(ort.TensorElementDataTypeFloat)
	longs  = ort.TensorElementDataType(ort.TensorElementDataTypeInt64)
)

var ids = port{dtype: longs, shape: []int64{-1, -1}}

func (g textGraph) ports(m Manifest) (takes, gives []port) {
	takes = slices.Repeat([]port{ids}, len(m.Inputs))
	if m.Head == embedHead.name && m.Embed == nil {
		return takes, nil
	}
	output := port{dtype: floats, shape: g.shape(m), widest: g.widest}
	if h := headNamed(m.Head); g.widest > 0 && h != nil {
		output.says = strings.ReplaceAll(h.doc.output, "`", "")
	}
	return takes, slices.Repeat([]port{output}, len(m.Outputs))
}

func (g textGraph) choose(inputs, outputs []ort.InputOutputInfo) []string {
	if len(inputs) < max(g.inputs, 2) || len(inputs) > 3 || slices.ContainsFunc(inputs, func(i ort.InputOutputInfo) bool { return !ids.takes(i) }) {
		return nil
	}
	for _, from := range []string{"mean", "none"} { // what head embed may have; others do not ask
		output := port{dtype: floats, shape: g.shape(Manifest{Parts: Parts{Embed: &Pooling{From: from}}}), widest: g.widest}
		var found []ort.InputOutputInfo
		for _, o := range outputs {
			if output.takes(o) {
				found = append(found, o)
			}
		}
		if least := max(g.outputs, 1); len(found) >= least {
			return namesOf(found[:min(len(found), least+g.more)])
		}
	}
	return nil
}

// chosen are the outputs of a graph that a head reads, and an error where it cannot.
func chosen(h *head, inputs, outputs []ort.InputOutputInfo) ([]string, error) {
	if names := h.graph.choose(inputs, outputs); len(names) > 0 {
		return names, nil
	}
	var others []string
	for _, other := range heads {
		if len(other.graph.choose(inputs, outputs)) > 0 {
			others = append(others, other.name)
		}
	}
	fitting := "no head reads such outputs"
	if len(others) > 0 {
		fitting = "such outputs are read by " + strings.Join(others, ", ")
	}
	return nil, fmt.Errorf("the graph does not fit head %s, which reads %s: its inputs are %s, its outputs %s; %s",
		h.name, strings.ReplaceAll(h.doc.output, "`", ""), shapesOf(inputs), shapesOf(outputs), fitting)
}

func namesOf(ports []ort.InputOutputInfo) []string {
	names := make([]string, len(ports))
	for i, p := range ports {
		names[i] = p.Name
	}
	return names
}
