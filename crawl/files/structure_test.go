package files

import (
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/bounded"
)

// A text of nothing but paragraphs, sentences or verses is over the limit; prose is not.
func TestStructureOfTexts(t *testing.T) {
	const most = 1 << 20
	for unit, over := range map[string]bool{
		"a\n\n": true, "1:1 O\n": true, "I\n\n": true, "Aa. ": true, "啊。": true, "\n": true,
		"a\r\r": true, "A!": true, "A1.": true, "A.\t": true, "क।": true, "A\u2028": true, "A\u0085": true, "a; ": true, "A\uff0e": true,
		"The weather was fine, and nobody said a word of it until evening came.\n": false, "words ": false, "3.14 ": false,
		"Das Wetter war schön, und niemand sprach davon: erst am Abend kam der Regen, und mit ihm die Nacht\r\n": false,
	} {
		doc := commonplace.Document{ID: "a", Text: strings.Repeat(unit, 200_000/len(unit))}
		err := CheckStructure(doc, bounded.Limits{Memory: most})
		reject := commonplace.RejectOf(err)
		if over != (reject != nil && reject.Reason == ReasonLimit && strings.Contains(reject.Detail, "limits.memory")) {
			t.Errorf("%q: %v", unit, err)
		}
		if err := CheckStructure(doc, bounded.Limits{}); err != nil {
			t.Errorf("%q, with the default: %v", unit, err)
		}
	}
}
