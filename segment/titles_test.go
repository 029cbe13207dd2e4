package segment

import (
	"strings"
	"testing"

	commonplace "github.com/commonplace/commonplace"
)

// A title does not grow with each paragraph that the contents list. Each passage repeats it.
func TestTitlesAreShort(t *testing.T) {
	prose := strings.Repeat("This is a line of prose that is long enough for the contents to end with it.\n", 5)
	text := "CONTENTS\n\nChapter I\n\nAlpha\nBeta\n\n" + prose + "\nCHAPTER I\n\n" + strings.Repeat("Alpha\n\nBeta\n\n", 200_000) + prose
	seg, err := Parse("words:200")
	if err != nil {
		t.Fatal(err)
	}
	for p := range Passages(commonplace.Document{Text: text}, seg) {
		for _, place := range p.Places {
			if len(place.Title) > 2*longTitle {
				t.Fatalf("passage %d has a title of %d bytes", p.Index, len(place.Title))
			}
		}
	}
}
