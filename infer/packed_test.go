package infer

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// packedModel is a copy of a tiny model that reads packed inputs.
func packedModel(t *testing.T, of, packed string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), of)
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(tinyModels, of))); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, ManifestFile)
	yaml, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	yaml = append(yaml[:strings.Index(string(yaml), "tokens:")], "tokens: {max: 48, packed: "+packed+"}\n"...)
	if err := os.WriteFile(file, yaml, 0o666); err != nil {
		t.Fatal(err)
	}
	return dir
}

// A packed model reads the beginning of the title and of the passage, and the end of the body.
func TestPackedModels(t *testing.T) {
	t.Parallel()
	const long = "The captain watched the harbour and said nothing of the lamp. "
	title, body, passage := "A keeper of lamps and of secrets", strings.Repeat(long, 4)+"Who lit the lamp?", "Nobody lit it, "+strings.Repeat(long, 3)
	for _, of := range []string{"rank", "span"} {
		m := load(t, packedModel(t, of, `{body_start: "[MASK]", title: 3, body: 5, passage: 12}`))
		pairs := []Pair{
			{Title: title, Body: body, Passage: passage},
			{Title: "A keeper of " + long, Body: "Nothing. " + body, Passage: passage + long}, // the same, as far as it is read
			{Context: body, Passage: passage},
			{Body: body, Passage: passage},                           // the same
			{Title: title, Body: body + " She.", Passage: passage},   // another end
			{Title: "The " + title, Body: body, Passage: passage},    // another beginning
			{Title: title, Body: body, Passage: "The lamp was lit."}, // whole
		}
		got, err := m.Rank(t.Context(), pairs)
		if err != nil {
			t.Fatal(err)
		}
		for i, alike := range []int{0, 0, 2, 2, 4, 5, 6} {
			if got[i] != got[alike] {
				t.Errorf("%s: pair %d: %+v, want %+v", of, i, got[i], got[alike])
			}
			if i != alike {
				continue
			}
			for k := range i {
				if near(got[i].Score, got[k].Score) {
					t.Errorf("%s: pairs %d and %d are read alike: %+v", of, k, i, got[i])
				}
			}
		}
		if !got[0].Truncated || got[6].Truncated {
			t.Errorf("%s: truncated %v and %v, want only the long passage", of, got[0].Truncated, got[6].Truncated)
		}
	}
}

func TestPackedModelsThatCannotBe(t *testing.T) {
	t.Parallel()
	needLibrary(t)
	for packed, want := range map[string]string{
		`{title: 3, body: 5, passage: 12}`:                                            "body_start is missing",
		`{body_start: "[none]", title: 3, body: 5, passage: 12}`:                      `body_start is "[none]", which is no token`,
		`{body_start: "[MASK]", title: 3, body: 5}`:                                   "passage 0, expected",
		`{body_start: "[MASK]", title: -1, body: 5, passage: 12}`:                     "title -1",
		`{body_start: "[MASK]", title: 20, body: 100, passage: 200}`:                  "up to 324 tokens, and tokens.max is 48",
		`{body_start: "[MASK]", title: 9223372036854775807, body: 100, passage: 200}`: "tokens.packed has",
	} {
		if _, err := LoadModel(packedModel(t, "rank", packed), Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", packed, err, want)
		}
	}
	dir := packedModel(t, "quotability", `{body_start: "[MASK]", title: 3, body: 5, passage: 12}`)
	if _, err := LoadModel(dir, Options{}); err == nil || !strings.Contains(err.Error(), "does not belong to head quotability") {
		t.Error(err)
	}
}
