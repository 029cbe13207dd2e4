package infer

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"testing"

	"github.com/commonplace/commonplace"
)

// The graph over the vectors that Python holds to be right (models/features.py --check), each feature
// looked up by its name, says what a passage's score is. Terms are the passage's own.
func TestFeatureScoresEqualTheGraphOverPythonsVectors(t *testing.T) {
	m := load(t, defaultModel)
	data, err := os.ReadFile("features/testdata/golden.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.Split(bytes.TrimSpace(data), []byte("\n"))
	var head struct{ Names []string }
	if err := json.Unmarshal(lines[0], &head); err != nil {
		t.Fatal(err)
	}
	var passages []commonplace.Passage
	var vectors [][]float32
	for _, line := range lines[1:] {
		var row struct {
			Passage  commonplace.Passage
			Features []float64
		}
		if err := json.Unmarshal(line, &row); err != nil {
			t.Fatal(err)
		}
		passages = append(passages, row.Passage)
		named := map[string]float64{}
		for k, name := range head.Names {
			named[name] = row.Features[k]
		}
		var vector []float32
		for _, name := range m.Manifest().Features.Names {
			vector = append(vector, float32(named[name]))
		}
		vectors = append(vectors, vector)
	}
	scores, err := m.Score(t.Context(), passages)
	if err != nil {
		t.Fatal(err)
	}
	h := m.features
	s, err := h.space()
	if err != nil {
		t.Fatal(err)
	}
	defer h.giveBack(s)
	for i := range passages { // each alone in the first row
		clear(s.terms)
		clear(s.times)
		if _, err := s.fill(0, &passages[i]); err != nil {
			t.Fatal(err)
		}
		copy(s.matrix, vectors[i])
		if err := h.session.Run(s.inputs, s.outputs); err != nil {
			t.Fatal(err)
		}
		if want := math.Exp(float64(s.score[0])); !near(scores[i].Score, want) {
			t.Errorf("%q: score %v, want %v", passages[i].Text, scores[i].Score, want)
		}
	}
	if len(passages) < 20 {
		t.Errorf("%d texts", len(passages))
	}
}
