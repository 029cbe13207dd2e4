package infer

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// withPlus is a copy of two tiny models, the first of which adds the second.
func withPlus(t *testing.T, first, second, plus string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{first, second} {
		if err := os.CopyFS(filepath.Join(dir, name), os.DirFS("testdata/models/"+name)); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(dir, first, ManifestFile)
	manifest, err := os.ReadFile(path)
	if err == nil {
		err = os.WriteFile(path, append(manifest, plus...), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, first)
}

func TestPlusIsTheSumOfTwo(t *testing.T) {
	for first, second := range map[string]string{"features": "quotability-sequence", "quotability-sequence": "features"} {
		one, two := load(t, "testdata/models/"+first), load(t, "testdata/models/"+second)
		both := load(t, withPlus(t, first, second, fmt.Sprintf("plus: {model: ../%s, weight: -1.5, sha256: %s}\n", second, two.Manifest().SHA256)))
		if both.Plus() == nil || !both.NeedsWholeDocuments() {
			t.Error(first, "forgets the neighbours that one of the two reads")
		}
		passages := somePassages(50)
		of := func(m *Model) []float64 {
			scores, err := m.Score(t.Context(), passages)
			if err != nil {
				t.Fatal(err)
			}
			values := make([]float64, len(scores))
			for i, s := range scores {
				values[i] = s.Score
			}
			return values
		}
		a, b, sum := of(one), of(two), of(both)
		for i := range sum {
			if want := a[i] - 1.5*b[i]; sum[i] != want {
				t.Fatalf("%s: passage %d has %v, expected %v - 1.5 x %v", first, i, sum[i], a[i], b[i])
			}
		}
	}
}

func TestPlusIsRefused(t *testing.T) {
	needLibrary(t)
	sum := load(t, "testdata/models/features").Manifest().SHA256
	for plus, want := range map[string]string{
		"plus: {weight: 1}\n":                                                  "plus.model is missing",
		"plus: {model: ../features, sha256: " + sum + "}\n":                    "plus.weight is 0",
		"plus: {model: ../features, weight: .inf, sha256: " + sum + "}\n":      "plus.weight is +Inf",
		"plus: {model: ../features, weight: 1, sha256: 0}\n":                   "was made with another",
		"plus: {model: ../features, weight: 1, line: .nan, sha256: 0}\n":       "plus.line is NaN",
		"plus: {model: ../features, weight: 1, line: 1, sha256: 0}\n":          "plus.line needs a second output",
		"plus: {model: ../nothing, weight: 1, sha256: " + sum + "}\n":          "does not exist",
		"plus: {model: ../features, weight: 1, scale: 2, sha256: " + sum + "}": "scale",
	} {
		if _, err := LoadModel(withPlus(t, "quotability", "features", plus), Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, expected %q", plus, err, want)
		}
	}
	if _, err := LoadModel(withPlus(t, "rank", "features", "plus: {model: ../features, weight: 1, sha256: "+sum+"}\n"), Options{}); err == nil || !strings.Contains(err.Error(), "does not belong to head rank") {
		t.Error("a head that ranks pairs adds another:", err)
	}
}

// The score of a line has a weight of its own.
func TestPlusOfALine(t *testing.T) {
	one, two := load(t, "testdata/models/quotability-lines"), load(t, "testdata/models/features")
	both := load(t, withPlus(t, "quotability-lines", "features", fmt.Sprintf("plus: {model: ../features, weight: -1.5, line: 0.25, sha256: %s}\n", two.Manifest().SHA256)))
	passages := somePassages(50)
	of := func(m *Model) []SentenceScore {
		scores, err := m.ScoreSentences(t.Context(), passages)
		if err != nil {
			t.Fatal(err)
		}
		return scores
	}
	a, b := of(one), of(two)
	for i, s := range of(both) {
		if s.Score != a[i].Score-1.5*b[i].Score || s.Line != a[i].Line+0.25*b[i].Score {
			t.Fatalf("sentence %d has %+v, expected those of %+v and %+v", i, s, a[i], b[i])
		}
	}
}

// A model that somebody else made names only folders that come with it.
func TestPlusStaysBeside(t *testing.T) {
	for path, fine := range map[string]bool{
		"../features": true, "features": true, "a/b": true, "../a/b": true,
		"/models/features": false, "../../features": false, "a/../../b": false, "../a/../../b": false,
		"..": false, ".": false, "../": false, "a/": false, "./a": false, "..//a": false, "a/..": false,
	} {
		err := (&Plus{Model: path, Weight: 1}).check(&Manifest{}, &quotabilityHead)
		if (err == nil) != fine || err != nil && !strings.Contains(err.Error(), "expected a folder beside") {
			t.Errorf("%q: %v", path, err)
		}
	}
}
