package infer

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// TrainingFile names the file of a model folder that lists what the model was trained on.
const TrainingFile = "training.jsonl"

// Training is the part of model.yaml that names the documents a model was trained on.
// Without it nobody knows whether a document is new to the model.
type Training struct {
	File   string `yaml:"file"`   // JSON lines of [TrainedOn], in the folder; empty where no document taught the model
	SHA256 string `yaml:"sha256"` // of that file, in hex
}

// TrainedOn is a document that taught a model.
type TrainedOn struct {
	DocID  string `json:"doc_id"`
	SHA256 string `json:"sha256"` // of its words, folded, in hex
	Sketch []byte `json:"sketch"` // its least hashes of runs of eight words, little-endian, by which another edition is known
}

func (t *Training) check() error {
	switch {
	case t.File == "" && t.SHA256 != "":
		return errors.New("training.file is missing")
	case t.File == "":
		return nil
	}
	if err := checkFileName("training.file", t.File); err != nil {
		return err
	}
	t.SHA256 = strings.ToLower(t.SHA256)
	if raw, err := hex.DecodeString(t.SHA256); err != nil || len(raw) != sha256.Size {
		return errors.New("training.sha256 is not 64 hexadecimal digits")
	}
	return nil
}

// readTraining reads the documents that a folder's model was trained on.
func readTraining(dir string, t *Training) ([]TrainedOn, error) {
	if t == nil || t.File == "" {
		return nil, nil
	}
	data, err := readNamed(dir, t.File, t.SHA256)
	if err != nil {
		return nil, fmt.Errorf("model folder %s: %w", dir, err)
	}
	var list []TrainedOn
	number := 0
	for line := range bytes.Lines(data) {
		number++
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var d TrainedOn
		if err := json.Unmarshal(line, &d); err != nil {
			return nil, fmt.Errorf("%s of model folder %s, line %d: %w", t.File, dir, number, err)
		}
		if d.SHA256 == "" || len(d.Sketch)%8 != 0 {
			return nil, fmt.Errorf("%s of model folder %s, line %d: it needs a sha256, and a sketch of whole hashes", t.File, dir, number)
		}
		list = append(list, d)
	}
	return list, nil
}

// Training is what the model was trained on, with the model that is added to it. known is
// false where one of them does not say.
func (m *Model) Training() (list []TrainedOn, known bool) {
	list, known = m.training, m.manifest.Training != nil
	if m.plus != nil {
		more, also := m.plus.Training()
		list, known = append(list[:len(list):len(list)], more...), known && also
	}
	return list, known
}

// TrainingSHA256 names the lists of [Model.Training].
func (m *Model) TrainingSHA256() string {
	name := "unknown"
	if t := m.manifest.Training; t != nil {
		name = "of " + t.SHA256
	}
	if m.plus != nil {
		name += " and " + m.plus.TrainingSHA256()
	}
	return name
}
