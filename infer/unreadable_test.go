package infer

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/commonplace/commonplace/infer/tokenizer"
)

// The pairs that a ranker refuses are those of which a call of it fails, each by itself: also
// where only both texts together are too much.
func TestUnreadablePairs(t *testing.T) {
	refused := map[string]int{}
	for _, head := range HeadsFor(RankPairs) {
		dir := filepath.Join(t.TempDir(), head)
		if err := os.CopyFS(dir, os.DirFS(filepath.Join(tinyModels, head))); err != nil {
			t.Fatal(err)
		}
		// From each a in it, the expression looks to the end of a word.
		editFile(t, filepath.Join(dir, TokenizerFile), `"pre_tokenizer":(\{[^}]*\})`, `"pre_tokenizer":{"type":"Sequence","pretokenizers":[{"type":"Split","pattern":{"Regex":"a[^~ ]*~|a"},"behavior":"Isolated"},$1]}`)
		m := load(t, dir)
		hostile, half := strings.Repeat("a", 1000), strings.Repeat("a", 300)
		passages := []string{"The lamp.", hostile, half}
		if head == "choice" {
			passages = []string{readGolden(t, head)[0].Passage}
		}
		var pairs []Pair
		for _, context := range []string{"On lamps", hostile, half} {
			for _, passage := range passages {
				pairs = append(pairs, Pair{Context: context, Passage: passage})
			}
		}
		why, err := m.UnreadablePairs(t.Context(), pairs)
		if err != nil {
			t.Fatal(err)
		}
		for i, pair := range pairs {
			_, err := m.Rank(t.Context(), []Pair{pair})
			if errors.Is(err, tokenizer.ErrText) != (why[i] != nil) || err != nil && !errors.Is(err, why[i]) {
				t.Errorf("%s: pair %d is refused with %v, and ranked with %v", head, i, why[i], err)
			}
			if why[i] != nil {
				refused[head]++
			}
		}
		if _, err := m.Rank(t.Context(), pairs); !errors.Is(err, tokenizer.ErrText) {
			t.Errorf("%s: %v", head, err)
		}
	}
	if want := map[string]int{"choice": 1, "rank": 5, "span": 5, "tag": 5, "seq2seq": 5, "yes-no": 6}; !maps.Equal(refused, want) {
		t.Errorf("refused are %v, want %v", refused, want)
	}
}
