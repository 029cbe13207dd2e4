package infer

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
)

// A closed list: each context is read once, and a quotation that is not listed is refused.
func TestChoiceEqualsPyTorch(t *testing.T) {
	m := load(t, filepath.Join(tinyModels, "choice"))
	rows := readGolden(t, "choice")
	before := m.Counts().Texts
	scores, err := m.ScorePairs(t.Context(), pairsOf(rows))
	if err != nil {
		t.Fatal(err)
	}
	contexts := map[string]bool{}
	for i, r := range rows {
		contexts[r.Context] = true
		if !near(scores[i].Score, r.Score) || scores[i].Truncated != r.Truncated {
			t.Errorf("pair %d: %+v, PyTorch says %v", i, scores[i], r.Score)
		}
	}
	if read := m.Counts().Texts - before; read != int64(len(contexts)) {
		t.Errorf("%d texts were read for %d contexts", read, len(contexts))
	}
	pairs := append(pairsOf(rows), Pair{Context: rows[0].Context, Passage: "Nobody said this."})
	var at *InputError
	if _, err := m.ScorePairs(t.Context(), pairs); !errors.As(err, &at) || at.Place != len(rows) || !strings.Contains(err.Error(), "not on the list") {
		t.Errorf("a quotation that is not listed: %v", err)
	}
}

// A context that is too long loses its beginning and keeps its mask: two that end otherwise
// are read otherwise, two that begin otherwise alike, and each as its own end is.
func TestChoiceKeepsItsMask(t *testing.T) {
	t.Parallel()
	m := load(t, filepath.Join(tinyModels, "choice"))
	passage := readGolden(t, "choice")[0].Passage
	long, other := strings.Repeat("The ships came in. ", 60), strings.Repeat("Nothing was heavy. ", 70)
	end := strings.Repeat("The captain watched the harbour and said nothing. ", 12)
	var found []PairScore
	for _, context := range []string{long + "Who lit the lamp?", long + "What keeps a secret?", long + end, other + end} {
		scores, err := m.ScorePairs(t.Context(), []Pair{{Context: context, Passage: passage}})
		if err != nil || !scores[0].Truncated {
			t.Fatalf("%+v, %v", scores, err)
		}
		found = append(found, scores[0])
		e, err := m.text.tokens.Encode(context + " [MASK]")
		if mask, _ := m.text.find("choice.mask", "[MASK]"); err != nil || len(e.IDs) != m.text.manifest.Tokens.Max || e.IDs[len(e.IDs)-2] != mask {
			t.Errorf("%d ids end with %v, want the mask %d last but one; %v", len(e.IDs), e.IDs[len(e.IDs)-2:], mask, err)
		}
	}
	if near(found[0].Score, found[1].Score) || !near(found[2].Score, found[3].Score) {
		t.Errorf("%+v", found)
	}
}
