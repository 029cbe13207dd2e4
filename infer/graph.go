package infer

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/commonplace/commonplace/bounded"
)

// readGraph reads model.onnx and holds it to the manifest's SHA-256 and opset.
func readGraph(dir string, m Manifest) ([]byte, error) {
	path := filepath.Join(dir, GraphFile)
	data, err := bounded.ReadWhole(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("model folder %s has no %s", dir, GraphFile)
	case err != nil:
		return nil, fmt.Errorf("model folder %s: %w", dir, err)
	}
	if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != m.SHA256 {
		return nil, fmt.Errorf("%s is not the graph that %s describes: its sha256 is %x, expected %s", path, ManifestFile, sum, m.SHA256)
	}
	opset, err := opsetOf(data)
	if err != nil {
		return nil, fmt.Errorf("%s is no ONNX graph: %w", path, err)
	}
	if name, err := externalTensor(data); err != nil {
		return nil, fmt.Errorf("%s is no ONNX graph: %w", path, err)
	} else if name != "" {
		return nil, fmt.Errorf("%s keeps its weights in another file (%s is external data), which is not supported: save it as one file, which must be under 2 GB", path, name)
	}
	if opset != m.Opset {
		return nil, fmt.Errorf("%s is a graph of opset %d, %s says %d", path, opset, ManifestFile, m.Opset)
	}
	return data, nil
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

// externalTensor names a weight of a ModelProto that lies in another file: of its
// graph (7) an initializer (5) whose data_location (14) is EXTERNAL (1).
func externalTensor(model []byte) (string, error) {
	found := ""
	within := func(number protowire.Number, yield func(message []byte) error) func(protowire.Number, []byte, uint64) error {
		return func(n protowire.Number, value []byte, _ uint64) error {
			if n != number || found != "" {
				return nil
			}
			return yield(value)
		}
	}
	err := fields(model, within(7, func(graph []byte) error {
		return fields(graph, within(5, func(tensor []byte) error {
			name, external := "", false
			err := fields(tensor, func(number protowire.Number, value []byte, n uint64) error {
				switch number {
				case 8:
					name = string(value)
				case 14:
					external = n == 1
				}
				return nil
			})
			if external {
				found = cmp.Or(name, "a weight without a name")
			}
			return err
		}))
	}))
	return found, err
}

// fields calls yield for every field of a protobuf message: length-delimited
// ones with their bytes, varints with their number.
func fields(message []byte, yield func(number protowire.Number, value []byte, n uint64) error) error {
	for len(message) > 0 {
		number, kind, n := protowire.ConsumeTag(message)
		if n < 0 {
			return protowire.ParseError(n)
		}
		message = message[n:]
		var value []byte
		var varint uint64
		switch kind {
		case protowire.BytesType:
			value, n = protowire.ConsumeBytes(message)
		case protowire.VarintType:
			varint, n = protowire.ConsumeVarint(message)
		default:
			n = protowire.ConsumeFieldValue(number, kind, message)
		}
		if n < 0 {
			return protowire.ParseError(n)
		}
		if err := yield(number, value, varint); err != nil {
			return err
		}
		message = message[n:]
	}
	return nil
}
