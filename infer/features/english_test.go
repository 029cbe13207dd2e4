package features

import (
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
)

// The features of any language do not know English: a made-up word in the place of every
// other, of the same length, leaves them as they are.
func TestFeaturesOfAnyLanguage(t *testing.T) {
	names := AnyLanguage()
	for _, name := range english {
		if !slices.Contains(Names, name) {
			t.Errorf("there is no feature %q", name)
		}
	}
	r, err := NewReader(names)
	if err != nil {
		t.Fatal(err)
	}
	vector := func(text string) []float32 {
		v := make([]float32, len(names))
		if err := r.Read(&commonplace.Passage{Text: text}, v); err != nil {
			t.Fatal(err)
		}
		return v
	}
	const text = "And she said, “The best of all hearts was never given a better end than this”; if we must, two of them walked."
	other := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return 'z'
		case r >= 'A' && r <= 'Z':
			return 'Z'
		}
		return r
	}, text)
	if a, b := vector(text), vector(other); !slices.Equal(a, b) {
		for i, name := range names {
			if a[i] != b[i] {
				t.Errorf("%s is %v in English and %v in no language", name, a[i], b[i])
			}
		}
	}
}
