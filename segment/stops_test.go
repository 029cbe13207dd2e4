package segment

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/clipperhouse/uax29/v2/sentences"
)

// ends are where the library ends sentences.
func ends(s string) (at []int) {
	for it := sentences.FromString(s); it.Next(); {
		at = append(at, it.End())
	}
	return at
}

// Sentences end where they do with full stops, whatever stands behind these.
func TestQuickStops(t *testing.T) {
	for text, changed := range map[string]bool{
		"It ends." + strings.Repeat(" ", 20) + "Again": true, "It ends." + strings.Repeat(")", 20) + "Again": true,
		"It ends." + strings.Repeat(" ", 20) + "again": false, "It ends. Again": false, "It ends．" + strings.Repeat("　", 20): true,
		"3." + strings.Repeat("\u0301", 20) + "14": false,
	} {
		if is := quickStops(text); (is != text) != changed || len(is) != len(text) || !slices.Equal(ends(is), ends(text)) {
			t.Errorf("%q became %q", text, is)
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	parts := []string{
		".", ".", "．", "\ufe52", "\u2024", "!", "?", "。", "a", "A", "Mr", "1", "Ⅳ", "啊", "ª", " ", ")", "(", "\"", "”", "»", "*", ",", "-", ":", "\t", "\v",
		"\u0301", "\u200d", "\u00a0", "\u3000", "\u2028", "\u0085", "\n", "\xff", "😀", "۔", "क", "ि", "\u05f3",
	}
	slow := 0
	for range 20_000 {
		var b strings.Builder
		for range 1 + r.IntN(12) {
			n := 1
			if r.IntN(4) == 0 {
				n = 1 + r.IntN(20)
			}
			b.WriteString(strings.Repeat(parts[r.IntN(len(parts))], n))
		}
		text := b.String()
		is := quickStops(text)
		if is != text {
			slow++
		}
		if !slices.Equal(ends(is), ends(text)) {
			t.Fatalf("%q ends at %v, and %q at %v", text, ends(text), is, ends(is))
		}
	}
	if slow < 100 {
		t.Errorf("only %d texts were changed", slow)
	}
}

// Megabytes of spaces or of marks behind a full stop take no longer than they are.
func TestLongRunsBehindFullStops(t *testing.T) {
	for _, run := range []string{" ", ")", ") ", "\u3000", " 1"} {
		text := "It ends." + strings.Repeat(run, 2_000_000) + "It begins again."
		for _, cut := range []Cut{BySentences, ByClauses, ByProse(200)} {
			if pieces := slices.Collect(cut(text)); len(pieces) == 0 || pieces[0].Begin != 0 {
				t.Errorf("%q: %v", run, pieces)
			}
		}
	}
}
