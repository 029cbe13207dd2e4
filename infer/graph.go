package infer

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/commonplace/commonplace/bounded"
)

// mostGraph is the most bytes that protobuf takes.
const mostGraph = 1<<31 - 1

// readGraph reads model.onnx and checks the manifest's SHA-256 and opset.
func readGraph(dir string, m Manifest) ([]byte, error) {
	data, wrong := lookAtGraph(dir, m)
	if len(wrong) > 0 {
		return nil, wrong[0]
	}
	return data, nil
}

// lookAtGraph is model.onnx with all that is wrong with it.
func lookAtGraph(dir string, m Manifest) (data []byte, wrong []error) {
	path := filepath.Join(dir, GraphFile)
	data, err := bounded.ReadWhole(path, mostGraph)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, []error{fmt.Errorf("model folder %s has no %s", dir, GraphFile)}
	case err != nil:
		return nil, []error{fmt.Errorf("model folder %s: %w", dir, err)}
	}
	sum, err := sumOf(data, dir, m.Weights)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, []error{fmt.Errorf("model folder %s has no %s, which %s names as weights", dir, m.Weights, ManifestFile)}
	case err != nil:
		return nil, []error{fmt.Errorf("model folder %s: %w", dir, err)}
	case sum != m.SHA256:
		wrong = append(wrong, fmt.Errorf("%s is not the graph that %s describes: %s is %s, expected %s", path, ManifestFile, whatIsSummed(m), sum, cmp.Or(m.SHA256, "one in "+ManifestFile)))
	}
	opset, err := opsetOf(data)
	if err != nil {
		return nil, append(wrong, fmt.Errorf("%s is no ONNX graph: %w", path, err))
	}
	if err := checkGraph(data, m.Weights); err != nil {
		wrong = append(wrong, fmt.Errorf("%s %w", path, err))
	}
	if opset != m.Opset {
		wrong = append(wrong, fmt.Errorf("%s is a graph of opset %d, %s says %d", path, opset, ManifestFile, m.Opset))
	}
	return data, wrong
}

func whatIsSummed(m Manifest) string {
	if m.Weights == "" {
		return "its sha256"
	}
	return "the sha256 of it and of " + m.Weights
}

// opsetOf reads the version of the operator set ai.onnx from a ModelProto: field
// 8, opset_import, holds messages of a domain (1, empty for ai.onnx) and a
// version (2).
func opsetOf(model []byte) (int64, error) {
	var opset int64
	err := fields(model, func(number protowire.Number, value []byte, _ uint64) error {
		if number != 8 {
			return nil
		}
		var domain string
		var version int64
		err := fields(value, func(number protowire.Number, value []byte, n uint64) error {
			switch number {
			case 1:
				domain = string(value)
			case 2:
				version = int64(n)
			}
			return nil
		})
		if domain == "" || domain == "ai.onnx" {
			opset = version
		}
		return err
	})
	if err == nil && opset == 0 {
		err = errors.New("it names no opset of ai.onnx")
	}
	return opset, err
}

// message is a kind of message of onnx.proto.
type message int

const (
	modelProto message = iota
	trainingProto
	functionProto
	graphProto
	nodeProto
	attributeProto
	sparseProto
	tensorProto
)

// parts are the fields of a message that can hold nodes and tensors, by number.
// A graph can be inside a node: the branches of If, the bodies of Loop and Scan.
var parts = map[message]map[protowire.Number]message{
	modelProto:     {7: graphProto, 20: trainingProto, 25: functionProto},
	trainingProto:  {1: graphProto, 2: graphProto},
	functionProto:  {7: nodeProto, 11: attributeProto},
	graphProto:     {1: nodeProto, 5: tensorProto, 15: sparseProto},
	nodeProto:      {5: attributeProto},
	attributeProto: {5: tensorProto, 6: graphProto, 10: tensorProto, 11: graphProto, 22: sparseProto, 23: sparseProto},
	sparseProto:    {1: tensorProto, 2: tensorProto},
}

// deepest is how many messages may be inside one another, as protobuf's own
// parsers limit it.
const deepest = 100

// random are the operators whose result differs from run to run, seed or not.
var random = []string{
	"Bernoulli", "Multinomial", "RandomNormal", "RandomNormalLike", "RandomUniform", "RandomUniformLike",
	"BiasDropout", "BitmaskBiasDropout", "BitmaskDropout", "Sampling", // of ONNX Runtime
}

// checkGraph refuses a model that reads files other than its weights, or whose scores are a matter
// of chance. It looks at every tensor and node, wherever it is.
func checkGraph(model []byte, weights string) error {
	if err := checkTensors(model, weights); err != nil {
		return err
	}
	return walk(modelProto, model, 0, func(kind message, raw []byte) error {
		if kind == nodeProto {
			return checkNode(raw)
		}
		return nil
	})
}

// checkTensors refuses what must not be given to ONNX Runtime, not even to name its inputs: it
// would read the other files.
func checkTensors(model []byte, weights string) error {
	if len(model) >= 8 && string(model[4:8]) == "ORTM" {
		return errors.New("is a graph in ONNX Runtime's own format, which is not supported: save it as ONNX")
	}
	return walk(modelProto, model, 0, func(kind message, raw []byte) error {
		if kind == tensorProto {
			return checkTensor(raw, weights)
		}
		return nil
	})
}

// walk calls look for a message and all messages inside it.
func walk(kind message, raw []byte, depth int, look func(message, []byte) error) error {
	if depth > deepest {
		return fmt.Errorf("is no ONNX graph: its messages are more than %d deep inside one another", deepest)
	}
	if err := look(kind, raw); err != nil || len(parts[kind]) == 0 {
		return err
	}
	var inner error
	err := fields(raw, func(number protowire.Number, value []byte, _ uint64) error {
		if part, ok := parts[kind][number]; ok {
			inner = walk(part, value, depth+1, look)
		}
		return inner
	})
	if err != nil && inner == nil {
		err = fmt.Errorf("is no ONNX graph: %w", err)
	}
	return err
}

// checkNode refuses a random operator. Dropout is one if it has the third input,
// training_mode.
func checkNode(node []byte) error {
	var inputs []string
	var name, operator string
	err := fields(node, func(number protowire.Number, value []byte, _ uint64) error {
		switch number {
		case 1:
			inputs = append(inputs, string(value))
		case 3:
			name = string(value)
		case 4:
			operator = string(value)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("is no ONNX graph: %w", err)
	}
	if slices.Contains(random, operator) {
		return fmt.Errorf("has the random node %q (%s), so its scores would differ from run to run: export the model for inference", name, operator)
	}
	if operator == "Dropout" && len(inputs) > 2 && inputs[2] != "" {
		return fmt.Errorf("has the random node %q (Dropout with a training_mode), so its scores would differ from run to run: export the model for inference", name)
	}
	return nil
}

// fields calls yield for every field of a protobuf message: length-delimited
// ones with their bytes, varints with their number.
func fields(raw []byte, yield func(number protowire.Number, value []byte, n uint64) error) error {
	for len(raw) > 0 {
		number, kind, n := protowire.ConsumeTag(raw)
		if n < 0 {
			return protowire.ParseError(n)
		}
		raw = raw[n:]
		var value []byte
		var varint uint64
		switch kind {
		case protowire.BytesType:
			value, n = protowire.ConsumeBytes(raw)
		case protowire.VarintType:
			varint, n = protowire.ConsumeVarint(raw)
		default:
			n = protowire.ConsumeFieldValue(number, kind, raw)
		}
		if n < 0 {
			return protowire.ParseError(n)
		}
		if err := yield(number, value, varint); err != nil {
			return err
		}
		raw = raw[n:]
	}
	return nil
}
