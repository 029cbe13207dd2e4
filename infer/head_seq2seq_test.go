package infer

import (
	"math"
	"path/filepath"
	"testing"
)

// The instruction is the first of the tokens that are scored (equation 8): the same model
// that is given a token finds it worth the same for every target of a context.
func TestTheInstructionIsScored(t *testing.T) {
	needLibrary(t)
	given := load(t, filepath.Join(tinyModels, "seq2seq"))
	dir := editManifest(t, "seq2seq", `"begin": ["</s>", "<s>"]`, `"begin": "</s>", "instruction": "<s>"`)
	scored := load(t, dir)
	pairs := []Pair{{Context: "The lamp burned on.", Passage: "A letter came."}, {Context: "The lamp burned on.", Passage: "A letter came, and nobody read it before the morning."}}
	first, err := given.ScorePairs(t.Context(), pairs)
	if err != nil {
		t.Fatal(err)
	}
	second, err := scored.ScorePairs(t.Context(), pairs)
	if err != nil {
		t.Fatal(err)
	}
	var worth [2]float64
	for i, p := range pairs {
		n := float64(len(given.text.tokens.Bare(p.Passage).IDs) + 1) // and the end
		worth[i] = (n+1)*second[i].Score - n*first[i].Score
	}
	if worth[0] >= 0 || math.Abs(worth[0]-worth[1]) > 1e-3 {
		t.Errorf("the instruction is worth %v and %v", worth[0], worth[1])
	}
	editFile(t, filepath.Join(dir, ManifestFile), `"instruction": "<s>"`, `"instruction": "<z>"`)
	if _, err := LoadModel(dir, Options{}); err == nil {
		t.Error("an instruction that is no token was taken")
	}
}
