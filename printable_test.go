package commonplace_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"

	"github.com/commonplace/commonplace"
)

func TestPrintable(t *testing.T) {
	for in, want := range map[string]string{
		"":                            "",
		"plain, ünï → 語\n\ttext":      "plain, ünï → 語\n\ttext",
		"\x1b]52;c;aGk=\x07":          `\u001b]52;c;aGk=\u0007`,
		"a\rb\bc\x7f\x00":             `a\u000db\u0008c\u007f\u0000`,
		"\u009b2J\u0085":              `\u009b2J\u0085`,
		"\x9b2J caf\xe9":              `\x9b2J caf\xe9`,
		"txt.\u202eexe \u2066x\u2069": `txt.\u202eexe \u2066x\u2069`,
		"a\u2028b\u200f":              `a\u2028b\u200f`,
		"it is \ufffd":                "it is \ufffd",
	} {
		if got := commonplace.Printable(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// FuzzPrintable: nothing that commands comes out, and JSON stays what it says.
func FuzzPrintable(f *testing.F) {
	f.Add("a\x1b[2J\u202e\xff\n")
	f.Fuzz(func(t *testing.T, text string) {
		got := commonplace.Printable(text)
		if strings.ContainsFunc(got, func(r rune) bool {
			return unicode.IsControl(r) && r != '\n' && r != '\t' || unicode.Is(unicode.Bidi_Control, r)
		}) {
			t.Errorf("%q: %q", text, got)
		}
		if commonplace.Printable(got) != got {
			t.Errorf("%q is not final", got)
		}
		raw, err := json.Marshal(text)
		var a, b string
		if err != nil || json.Unmarshal(raw, &a) != nil || json.Unmarshal([]byte(commonplace.Printable(string(raw))), &b) != nil || a != b {
			t.Errorf("%q as JSON becomes %q", a, b)
		}
	})
}
