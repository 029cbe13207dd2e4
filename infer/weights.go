package infer

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	ort "github.com/yalue/onnxruntime_go"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/commonplace/commonplace/bounded"
)

// A graph holds less than 2 GB, the most of protobuf. The weights of a larger model are in a
// file beside it (external data of ONNX), which the manifest names. It is never read whole
// here: it is hashed in pieces, and ONNX Runtime maps it into memory.

// configFolder is ONNX Runtime's key of the folder of such a file for graphs that are given as bytes.
const configFolder = "session.model_external_initializers_file_folder_path"

// sumOf is the SHA-256, in hex, of a graph and of the weights' file after it, if there is one.
func sumOf(graph []byte, dir, weights string) (string, error) {
	sum := sha256.New()
	sum.Write(graph)
	if weights != "" {
		if err := checkFileName("weights", weights); err != nil {
			return "", err
		}
		file, _, err := bounded.OpenFile(filepath.Join(dir, weights))
		if err != nil {
			return "", err
		}
		defer file.Close()
		if _, err := io.Copy(sum, file); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// checkTensor refuses a tensor whose data are in a file other than that of the weights.
func checkTensor(tensor []byte, weights string) error {
	name, files, err := externalData(tensor)
	if err != nil {
		return fmt.Errorf("is no ONNX graph: %w", err)
	}
	for _, file := range files {
		switch {
		case weights == "":
			return fmt.Errorf("keeps its weights in another file (%q in %q): name that file in %s, as weights", name, file, ManifestFile)
		case file != weights:
			return fmt.Errorf("keeps weights in the file %q (%q), and weights in %s is %q: all of them must be in one file, in the model's folder", file, name, ManifestFile, weights)
		}
	}
	return nil
}

// externalData are a tensor's name and the files where its data are, if its data_location (14)
// is EXTERNAL (1): the values of the key location in external_data (13). Parsers of protobuf
// keep 32 bits of an enum.
func externalData(tensor []byte) (name string, files []string, err error) {
	external := false
	name = "a weight without a name"
	err = fields(tensor, func(number protowire.Number, value []byte, n uint64) error {
		switch number {
		case 8:
			name = string(value)
		case 13:
			var key, of string
			err := fields(value, func(number protowire.Number, value []byte, _ uint64) error {
				switch number {
				case 1:
					key = string(value)
				case 2:
					of = string(value)
				}
				return nil
			})
			if err != nil {
				return err
			}
			if key == "location" {
				files = append(files, of)
			}
		case 14:
			external = external || int32(n) == 1
		}
		return nil
	})
	if !external {
		return name, nil, err
	}
	if len(files) == 0 {
		files = []string{""}
	}
	return name, files, err
}

// weightsOf is the file where a graph keeps its weights; empty if it keeps them itself.
func weightsOf(graph []byte) (file string, err error) {
	err = walk(modelProto, graph, 0, func(kind message, raw []byte) error {
		if kind != tensorProto || file != "" {
			return nil
		}
		_, files, err := externalData(raw)
		if err != nil {
			return fmt.Errorf("is no ONNX graph: %w", err)
		}
		file = slices.Concat(files, []string{""})[0]
		return nil
	})
	return file, err
}

// portsOf are the inputs and outputs of a graph.
func portsOf(dir string, graph []byte, weights string) (inputs, outputs []ort.InputOutputInfo, err error) {
	if weights == "" {
		inputs, outputs, err = ort.GetInputOutputInfoWithONNXData(graph)
	} else { // only with a path does it look into the folder
		inputs, outputs, err = ort.GetInputOutputInfo(filepath.Join(dir, GraphFile))
	}
	if err != nil {
		err = fmt.Errorf("ONNX Runtime %s refuses %s: %s", ort.GetVersion(), GraphFile, oneLine(err))
	}
	return inputs, outputs, err
}

// findWeights tells a session in which folder the weights of a graph are.
func findWeights(o *ort.SessionOptions, dir string) error {
	absolute, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	return o.AddSessionConfigEntry(configFolder, absolute)
}
