package infer

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// p(<quo>) is PyTorch's softmax over the two instructions, after what the decoder is given.
func TestQuoteProbabilitiesEqualPyTorch(t *testing.T) {
	needLibrary(t)
	answers := readYesNo(t) // the two tokens of golden.json
	dir := editManifest(t, "seq2seq", `"end": "</s>"`, fmt.Sprintf(`"end": "</s>", "instruction": %q, "ordinary": %q`, answers[0], answers[1]))
	var contexts []string
	rows := readGolden(t, "seq2seq")
	for _, r := range rows {
		contexts = append(contexts, r.Context+" -- "+r.Passage+" ?")
	}
	m := load(t, dir)
	got, err := m.QuoteProbabilities(t.Context(), contexts)
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for i, r := range rows {
		if got[i].Truncated != r.QuestionTruncated {
			t.Errorf("context %d: truncated %v", i, got[i].Truncated)
		}
		if compared++; !near(got[i].Score, r.Yes) {
			t.Errorf("context %d: p(<quo>) is %v, PyTorch says %v", i, got[i].Score, r.Yes)
		}
	}
	if compared < 5 {
		t.Errorf("%d contexts are compared", compared)
	}

	if _, err := load(t, filepath.Join(tinyModels, "seq2seq")).QuoteProbabilities(t.Context(), contexts); err == nil || !strings.Contains(err.Error(), "tokens.ordinary is missing") {
		t.Errorf("error %v", err)
	}
	editFile(t, filepath.Join(dir, ManifestFile), `"ordinary": `, `"mask": "<s>", "ordinary": `)
	masked, err := load(t, dir).QuoteProbabilities(t.Context(), contexts)
	if err != nil {
		t.Fatal(err)
	}
	behind := append([]string{}, contexts...)
	for i := range behind {
		behind[i] += " <s>"
	}
	if want, err := m.QuoteProbabilities(t.Context(), behind); err != nil || want[1].Score != masked[1].Score || masked[1].Score == got[1].Score {
		t.Errorf("with the mask %v, with its token in the text %v, without %v (%v)", masked[1], want[1], got[1], err)
	}
	editFile(t, filepath.Join(dir, ManifestFile), `"instruction": `, `"beginning": `)
	if _, err := LoadModel(dir, Options{}); err == nil {
		t.Error("a key that is none was taken")
	}
	editFile(t, filepath.Join(dir, ManifestFile), `"beginning": "[^"]*", `, "")
	if _, err := LoadModel(dir, Options{}); err == nil || !strings.Contains(err.Error(), "tokens.ordinary needs another token in tokens.instruction") {
		t.Errorf("error %v", err)
	}
}
