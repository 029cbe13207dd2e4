package infer

import (
	"slices"
	"strings"
	"testing"
)

// A prompt stands whole where it leaves room for no token, or for one that takes two where it meets the prompt.
func TestAPromptThatFillsTheModel(t *testing.T) {
	needLibrary(t)
	for _, room := range []int{0, 1} {
		m := load(t, editManifest(t, "yes-no", "{context} -- {passage} ?", "{context}{passage}morning"+strings.Repeat(" one", 40-room)))
		var question, got item
		if err := m.text.ask(&question, Pair{}); err != nil {
			t.Fatal(err)
		}
		if question.encoded.Len() != 48-room || question.encoded.Truncated {
			t.Fatalf("the prompt alone has %d tokens, want %d", question.encoded.Len(), 48-room)
		}
		if err := m.encodeRanked(&got, Pair{Context: strings.Repeat(" ’", 9), Passage: "A morning."}); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got.encoded.IDs, question.encoded.IDs) || !got.encoded.Truncated {
			t.Errorf("with room for %d the prompt is %v, and %v without texts", room, got.encoded.IDs, question.encoded.IDs)
		}
	}
}
