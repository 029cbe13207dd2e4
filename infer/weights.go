package infer

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strconv"

	ort "github.com/yalue/onnxruntime_go"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/commonplace/commonplace/bounded"
)

// A graph holds less than 2 GB, the most of protobuf. The weights of a larger model are in a
// file beside it (external data of ONNX), which the manifest names. It is never read whole
// here: it is hashed in pieces, and ONNX Runtime maps it into memory.

// weightsFile is that file as it was before it was hashed.
type weightsFile struct {
	path string
	info os.FileInfo
}

func lookAtWeights(dir string, m Manifest) (*weightsFile, error) {
	if m.Weights == "" {
		return nil, nil
	}
	w := &weightsFile{path: filepath.Join(dir, m.Weights)}
	var err error
	if w.info, err = os.Stat(w.path); errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("model folder %s has no %s, which %s names as weights", dir, m.Weights, ManifestFile)
	}
	return w, err
}

// unchanged refuses a file that is another one now. ONNX Runtime reads it while the model is used.
func (w *weightsFile) unchanged() error {
	now, err := os.Stat(w.path)
	if err != nil {
		return err
	}
	if !os.SameFile(now, w.info) || now.Size() != w.info.Size() || !now.ModTime().Equal(w.info.ModTime()) {
		return fmt.Errorf("%s was changed while the model was in use: run again", w.path)
	}
	return nil
}

// configFolder is ONNX Runtime's key of the folder of such a file for graphs that are given as bytes.
const configFolder = "session.model_external_initializers_file_folder_path"

// sumOf is the SHA-256, in hex, of a graph and of the weights' file after it, if there is one.
// It refuses a file of another length than the graph says.
func sumOf(graph []byte, dir, weights string) (string, error) {
	sum := sha256.New()
	sum.Write(graph)
	if weights != "" {
		if err := checkFileName("weights", weights); err != nil {
			return "", err
		}
		file, size, err := bounded.OpenFile(filepath.Join(dir, weights))
		if err != nil {
			return "", err
		}
		defer file.Close()
		if err := checkSize(graph, weights, size); err != nil {
			return "", err
		}
		if _, err := io.Copy(sum, file); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// checkSize refuses a file of weights that is not as long as the graph says: before it is hashed, which
// takes long for a long file.
func checkSize(graph []byte, weights string, size int64) error {
	var end int64
	err := walk(modelProto, graph, 0, func(kind message, raw []byte) error {
		if kind == tensorProto {
			_, _, to, err := externalData(raw)
			end = max(end, to)
			return err
		}
		return nil
	})
	switch {
	case err != nil:
		return nil // it is no graph, which is said elsewhere
	case end == 0:
		return fmt.Errorf("%s has no weights in %s: remove weights from %s", GraphFile, weights, ManifestFile)
	case size != end && end < math.MaxInt64:
		return fmt.Errorf("%s has %d bytes, and the weights of %s end at %d", weights, size, GraphFile, end)
	}
	return nil
}

// checkTensor refuses a tensor whose data are in a file other than that of the weights.
func checkTensor(tensor []byte, weights string) error {
	name, files, _, err := externalData(tensor)
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
// is EXTERNAL (1): the values of the key location in external_data (13); and where they end
// there. Parsers of protobuf keep 32 bits of an enum.
func externalData(tensor []byte) (name string, files []string, end int64, err error) {
	external, long := false, false
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
			switch key {
			case "location":
				files = append(files, of)
			case "offset", "length":
				n, err := strconv.ParseInt(of, 10, 62)
				if err != nil || n < 0 {
					return fmt.Errorf("%s of a weight is %q", key, of)
				}
				end += n
				long = long || key == "length"
			}
		case 14:
			external = external || int32(n) == 1
		}
		return nil
	})
	if !external {
		return name, nil, 0, err
	}
	if len(files) == 0 {
		files = []string{""}
	}
	if !long {
		end = math.MaxInt64 // the rest of the file
	}
	return name, files, end, err
}

// weightsOf is the file where a graph keeps its weights; empty if it keeps them itself.
func weightsOf(graph []byte) (file string, err error) {
	err = walk(modelProto, graph, 0, func(kind message, raw []byte) error {
		if kind != tensorProto || file != "" {
			return nil
		}
		_, files, _, err := externalData(raw)
		if err != nil {
			return fmt.Errorf("is no ONNX graph: %w", err)
		}
		if len(files) > 0 {
			file = files[0]
		}
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
