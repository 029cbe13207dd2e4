package infer

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"
	ort "github.com/yalue/onnxruntime_go"

	"github.com/commonplace/commonplace/bounded"
)

// Check is all that is wrong with a model folder, where [LoadModel] ends at the first
// mistake. note says what could not be looked at before the rest is right. library is as
// in [Options].
func Check(dir, library string) (m Manifest, wrong []error, note string) {
	return check(dir, library, true)
}

// check is Check of a model, or where it is not the first of the one that is added to it:
// two that add each other would have no end.
func check(dir, library string, first bool) (m Manifest, wrong []error, note string) {
	add := func(err error) {
		switch several, ok := err.(interface{ Unwrap() []error }); {
		case ok && err.Error() == errors.Join(several.Unwrap()...).Error():
			wrong = append(wrong, several.Unwrap()...)
		case err != nil:
			wrong = append(wrong, err)
		}
	}
	path := filepath.Join(dir, ManifestFile)
	data, err := readManifestFile(dir)
	if add(err); err == nil {
		if m, err = decodeManifest(data, yaml.Strict()); err != nil {
			add(fmt.Errorf("%s: %w", path, err))
			m, _ = decodeManifest(data) // what else it says may be wrong, too
		}
		for _, err := range m.check() {
			add(fmt.Errorf("%s: %w", path, err))
		}
	}
	sound := len(wrong) == 0
	graph, more := lookAtGraph(dir, m)
	wrong = append(wrong, more...)
	if graph == nil {
		return m, wrong, ""
	}
	if checkTensors(graph, m.Weights) != nil { // which is among the mistakes
		return m, wrong, fmt.Sprintf("what else is wrong with %s is looked at when that is right", GraphFile)
	}
	if err := start(library); err != nil {
		return m, append(wrong, err), ""
	}
	inputs, outputs, err := portsOf(dir, graph, m.Weights)
	switch {
	case err != nil:
		add(err)
	case !sound:
		h := headNamed(m.Head)
		var takes, gives []port
		if h != nil {
			takes, gives = h.graph.ports(m)
		}
		note = fmt.Sprintf("of %s only the names were compared with %s, which must be right first: its inputs are %s, its outputs %s", GraphFile, ManifestFile, shapesOf(inputs), shapesOf(outputs))
		if gives != nil {
			note = fmt.Sprintf("what else %s needs of the folder is looked at when %s is right; the graph's inputs are %s, its outputs %s", m.Head, ManifestFile, shapesOf(inputs), shapesOf(outputs))
		}
		add(checkPorts("input", inputs, m.Inputs, takes))
		add(checkPorts("output", outputs, m.Outputs, gives))
		if h != nil && h.graph.part() == "tokens" {
			_, _, err := readTokenizer(dir)
			add(err)
		}
	default:
		graphs := headNamed(m.Head).graph
		_, err := graphs.bind(dir, m, inputs, outputs)
		add(err)
		if text, ok := graphs.(textGraph); ok && err != nil {
			if _, ports := text.checkPorts(m, inputs, outputs); ports != nil && ports.Error() != err.Error() {
				add(ports) // beside what is wrong with the tokenizer
			}
		}
	}
	_, err = readTraining(dir, m.Training)
	add(err)
	switch {
	case m.Plus != nil && !first:
		add(errors.New("it is added to another model, and has a plus itself"))
	case m.Plus != nil && sound:
		_, more, _ := check(filepath.Join(dir, filepath.FromSlash(m.Plus.Model)), library, false)
		for _, err := range more {
			add(fmt.Errorf("plus: %w", err))
		}
	}
	if len(wrong) == 0 { // the rest, such as operators that ONNX Runtime lacks
		model, err := LoadModel(dir, Options{Library: library})
		if add(err); err == nil {
			model.Close()
		}
	}
	return m, wrong, note
}

// nameOf is a port's name, in quotation marks where it is not a plain one: it may stand
// behind a # in a model.yaml.
func nameOf(p ort.InputOutputInfo) string {
	if quoted := strconv.QuoteToASCII(p.Name); quoted != `"`+p.Name+`"` {
		return quoted
	}
	return p.Name
}

// shapesOf names ports with their shapes.
func shapesOf(ports []ort.InputOutputInfo) string {
	names := make([]string, len(ports))
	for i, p := range ports {
		names[i] = nameOf(p) + " " + shapeString(p.Dimensions)
	}
	return strings.Join(names, ", ")
}

// Template is a model.yaml for the graph of a folder: what the graph says is filled in,
// and the rest named; name is the head's. name is the head.
func Template(dir, name, library string) (string, error) {
	if err := oneOf("head", name, Heads()...); err != nil {
		return "", err
	}
	data, err := bounded.ReadWhole(filepath.Join(dir, GraphFile), mostGraph)
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("%s has no %s: put the graph there first, and %s if it reads text", dir, GraphFile, TokenizerFile)
	}
	if err != nil {
		return "", err
	}
	opset, err := opsetOf(data)
	if err != nil {
		return "", fmt.Errorf("%s is no ONNX graph: %w", filepath.Join(dir, GraphFile), err)
	}
	if err := start(library); err != nil {
		return "", err
	}
	weights, err := weightsOf(data)
	if err != nil {
		return "", fmt.Errorf("%s %w", filepath.Join(dir, GraphFile), err)
	}
	if err := checkTensors(data, weights); err != nil {
		return "", fmt.Errorf("%s %w", filepath.Join(dir, GraphFile), err)
	}
	sum, err := sumOf(data, dir, weights)
	if err != nil {
		return "", fmt.Errorf("the weights of %s: %w", filepath.Join(dir, GraphFile), err)
	}
	inputs, outputs, err := portsOf(dir, data, weights)
	if err != nil {
		return "", err
	}
	h := headNamed(name)
	read, err := chosen(h, inputs, outputs)
	if err != nil {
		return "", fmt.Errorf("%s: %w", filepath.Join(dir, GraphFile), err)
	}
	list := func(names []string) string {
		text, _ := json.Marshal(names) // JSON is YAML
		return string(text)
	}
	absolute, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "name: %q\nhead: %s\ndescription: \"\"\n", filepath.Base(absolute), name)
	fmt.Fprintf(&b, "inputs: %s    # %s\noutputs: %s    # %s\n", list(namesOf(inputs)), shapesOf(inputs), list(read), shapesOf(outputs))
	if h.can(ScorePassages) {
		b.WriteString("transform: none    # or exp, if the output is the logarithm of the score\n")
	}
	if last := outputs[slices.Index(namesOf(outputs), read[0])].Dimensions; len(last) == 2 && last[1] == 2 && (name == quotabilityName || name == rankName) {
		b.WriteString("quoted: 1    # which of the two classes means quoted: 0 or 1\n")
	}
	fmt.Fprintf(&b, "opset: %d\nprecision: fp32    # of the weights: fp32, fp16 or int8\nlicence: \"\"    # of the model, such as Apache-2.0\nsource: \"\"    # where it comes from\nsha256: %s\n", opset, sum)
	if weights != "" {
		fmt.Fprintf(&b, "weights: %q    # the graph keeps its weights there; sha256 is of both\n", weights)
	}
	for _, part := range []string{h.graph.part(), h.part} {
		switch {
		case part == "tokens":
			b.WriteString("tokens: {max: 512}    # ids of one input, special tokens included\n")
		case part != "":
			fmt.Fprintf(&b, "# %s: head %s needs it; docs/model-format.md says what it holds\n", part, name)
		}
	}
	return b.String(), nil
}
