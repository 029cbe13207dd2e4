package infer

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// A model that names tokens.mask reads it in place of [MASK] in a context, whatever its head.
func TestMaskedContexts(t *testing.T) {
	t.Parallel()
	const around, passage = "The keeper lit the lamp. [MASK] Nobody asked him why.", "He had waited for the ship since the war."
	for head, token := range map[string]string{"rank": "[SEP]", "span": "[SEP]", "tag": "[SEP]", "yes-no": "<mask>", "embed": "[SEP]"} { // any other token of the tokenizer
		dir := editManifest(t, head, `"max": 48`, fmt.Sprintf(`"max": 48, "mask": %q`, token))
		own, as := load(t, filepath.Join(tinyModels, head)), load(t, dir)
		read := func(m *Model, context string) (scores []float64) {
			t.Helper()
			if head == "embed" {
				vectors, _, err := m.Embed(t.Context(), []string{context})
				if err != nil {
					t.Fatal(err)
				}
				for _, x := range vectors[0] {
					scores = append(scores, float64(x))
				}
				return scores
			}
			if head == "tag" {
				tagged, err := m.Tag(t.Context(), []Pair{{Context: context, Passage: passage}})
				if err != nil {
					t.Fatal(err)
				}
				return tagged[0].Marginals
			}
			opinions, err := m.Rank(t.Context(), []Pair{{Context: context, Passage: passage}})
			if err != nil {
				t.Fatal(err)
			}
			return []float64{opinions[0].Score}
		}
		literal, written, mapped := read(own, around), read(own, strings.ReplaceAll(around, Mask, token)), read(as, around)
		for i := range mapped {
			if mapped[i] != written[i] {
				t.Errorf("%s: %v, and with the token in place of [MASK] %v", head, mapped[i], written[i])
				break
			}
		}
		if mapped[0] == literal[0] {
			t.Errorf("%s reads [MASK] as it stands", head)
		}
		if refused, err := as.Unreadable(t.Context(), []string{around}); err != nil || refused[0] != nil {
			t.Errorf("%s: %v, %v", head, refused, err)
		}
	}
}
