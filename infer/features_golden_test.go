package infer

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"testing"

	ort "github.com/yalue/onnxruntime_go"

	"github.com/commonplace/commonplace"
)

// The graph over the vectors that Python made (models/features.py), each feature
// looked up by its name, says what a passage's score is.
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
	var matrix []float32
	for i, line := range lines[1:] {
		var row struct {
			Text     string
			Position float64
			Features []float64
		}
		if err := json.Unmarshal(line, &row); err != nil {
			t.Fatal(err)
		}
		passages = append(passages, commonplace.Passage{ID: commonplace.PassageID("d", int64(i)), DocID: "d", Text: row.Text, Position: row.Position})
		named := map[string]float64{}
		for k, name := range head.Names {
			named[name] = row.Features[k]
		}
		for _, name := range m.Manifest().Features.Names {
			matrix = append(matrix, float32(named[name]))
		}
	}
	n := int64(len(passages))
	in, err := ort.NewTensor(ort.NewShape(n, int64(len(matrix))/n), matrix)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Destroy()
	out, err := ort.NewEmptyTensor[float32](ort.NewShape(n, 1))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Destroy()
	if err := m.session.Run([]ort.Value{in}, []ort.Value{out}); err != nil {
		t.Fatal(err)
	}
	scores, err := m.Score(t.Context(), passages)
	if err != nil {
		t.Fatal(err)
	}
	for i, logit := range out.GetData() {
		if !near(scores[i].Score, math.Exp(float64(logit))) {
			t.Errorf("%q: score %v, want %v", passages[i].Text, scores[i].Score, math.Exp(float64(logit)))
		}
	}
	if n < 20 {
		t.Errorf("%d texts", n)
	}
}
