package infer

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
)

// proto is a field that holds a message, or several of them put together.
func proto(number protowire.Number, parts ...[]byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(nil, number, protowire.BytesType), slices.Concat(parts...))
}

func text(number protowire.Number, value string) []byte { return proto(number, []byte(value)) }

func number(number protowire.Number, n uint64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(nil, number, protowire.VarintType), n)
}

// places puts a graph's content wherever onnx.proto lets it be.
func places(node, tensor []byte) map[string][]byte {
	constant := proto(1, text(4, "Constant"), proto(5, text(1, "value"), proto(5, tensor)))
	inside := func(operator, attribute string, field protowire.Number, graph ...[]byte) []byte {
		return proto(1, text(4, operator), proto(5, text(1, attribute), proto(field, graph...)))
	}
	return map[string][]byte{
		"the graph":                  proto(7, proto(1, node), proto(5, tensor)),
		"the second of two graphs":   slices.Concat(proto(7), proto(7, proto(1, node), proto(5, tensor))),
		"a branch of If":             proto(7, inside("If", "else_branch", 6, proto(1, node), proto(5, tensor))),
		"a Scan in a Loop":           proto(7, inside("Loop", "body", 6, inside("Scan", "body", 6, proto(1, node), proto(5, tensor)))),
		"a list of graphs":           proto(7, inside("Mine", "bodies", 11, proto(1, node), proto(5, tensor))),
		"a Constant, and a function": slices.Concat(proto(7, constant), proto(25, text(1, "Mine"), proto(7, node), proto(7, constant[2:]))),
		"a function's attribute":     proto(25, proto(11, proto(6, proto(1, node), proto(5, tensor)))),
		"a list of tensors":          proto(7, proto(1, node), proto(1, proto(5, proto(10, tensor)))),
		"a sparse initializer":       proto(7, proto(1, node), proto(15, proto(1, tensor))),
		"indices of a sparse value":  proto(7, proto(1, node), proto(1, proto(5, proto(22, proto(2, tensor))))),
		"training":                   proto(20, proto(2, proto(1, node), proto(5, tensor))),
	}
}

func graphError(t *testing.T, model []byte) error {
	t.Helper()
	model = slices.Concat(proto(8, number(2, 17)), model)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, GraphFile), model, 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := readGraph(dir, Manifest{SHA256: fmt.Sprintf("%x", sha256.Sum256(model)), Opset: 17})
	if err != nil && strings.Contains(err.Error(), "\n") {
		t.Errorf("more than one line: %v", err)
	}
	return err
}

// A score is the model's word on a passage, not on a throw of dice.
func TestRandomNodesAreNamed(t *testing.T) {
	tensor := text(8, "weight")
	dropout := func(inputs ...string) []byte {
		node := slices.Concat(text(3, "it"), text(4, "Dropout"))
		for _, name := range inputs {
			node = append(node, text(1, name)...)
		}
		return node
	}
	for _, fine := range [][]byte{dropout("x"), dropout("x", "ratio"), dropout("x", "", "")} {
		if err := graphError(t, proto(7, proto(1, fine))); err != nil {
			t.Error(err)
		}
	}
	nodes := map[string][]byte{"Dropout with a training_mode": dropout("x", "", "training")}
	for _, operator := range []string{"RandomNormal", "RandomNormalLike", "RandomUniform", "RandomUniformLike", "Multinomial", "Bernoulli"} {
		nodes[operator] = slices.Concat(text(3, "it"), text(4, operator))
	}
	for operator, node := range nodes {
		for place, model := range places(node, tensor) {
			if err := graphError(t, model); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("has the random node %q (%s)", "it", operator)) {
				t.Errorf("%s in %s: %v", operator, place, err)
			}
		}
	}
}

// Messages inside one another without end would end the program, and a graph in
// another format would pass unseen.
func TestOddGraphsAreRefused(t *testing.T) {
	deep := text(4, "Identity")
	for range 5000 {
		deep = slices.Concat(text(4, "If"), proto(5, proto(6, proto(1, deep))))
	}
	if err := graphError(t, proto(7, proto(1, deep))); err == nil || !strings.Contains(err.Error(), "more than 100 deep") {
		t.Errorf("%.200v", err)
	}
	ort := append([]byte{0x12, 0xff, 0x01, 0x00}, "ORTM"...)
	ort = append(ort, make([]byte, 0xff-5+0x80)...)
	if err := checkGraph(ort, ""); err == nil || !strings.Contains(err.Error(), "own format") {
		t.Error(err)
	}
}

// FuzzGraph: whatever the bytes, one sentence or none, and what a walk over all
// messages finds is found again behind bytes that say nothing.
func FuzzGraph(f *testing.F) {
	for _, model := range places(text(4, "RandomNormal"), external(1, "weights.bin")) {
		f.Add(slices.Concat(proto(8, number(2, 17)), model))
	}
	raw, err := os.ReadFile(filepath.Join("testdata", "models", "rank", GraphFile))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(raw)
	f.Fuzz(func(t *testing.T, model []byte) {
		opset, err := opsetOf(model)
		if err == nil && opset == 0 {
			t.Error("no opset and no error")
		}
		err = checkGraph(model, "")
		if err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("no sentence: %v", err)
		}
		again := checkGraph(slices.Concat(proto(2, []byte("a producer, longer than eight bytes")), model), "")
		if (err == nil) != (again == nil) && !strings.Contains(fmt.Sprint(err), "own format") {
			t.Errorf("%v, then %v", err, again)
		}
		if file, other := weightsOf(model); err == nil && (file != "" || other != nil) {
			t.Errorf("weights in %q, %v, and the graph is whole", file, other)
		}
	})
}

// FuzzManifest: whatever model.yaml says, it is checked or refused in a sentence.
func FuzzManifest(f *testing.F) {
	raw, err := os.ReadFile(filepath.Join("testdata", "models", "tag", ManifestFile))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(raw)
	f.Add([]byte("name: &a [*a]\nhead: !!binary x\n---\nname: b\n"))
	f.Add([]byte("features: {version: .inf, names: [{}], terms: null}\n? a\n: b"))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, raw []byte) {
		if err := os.WriteFile(filepath.Join(dir, ManifestFile), raw, 0o644); err != nil {
			t.Fatal(err)
		}
		m, err := ReadManifest(dir)
		if err == nil && (m.Name == "" || m.check() != nil) {
			t.Errorf("%+v", m)
		}
		if err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("no sentence: %v", err)
		}
	})
}
