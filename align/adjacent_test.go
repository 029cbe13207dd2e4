package align

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
)

// longestCommon is the longest common substring of two texts, by trying all, and
// where it ends in each.
func longestCommon(a, b string) (n, endA, endB int) {
	for i := range a {
		for j := range b {
			k := 0
			for i+k < len(a) && j+k < len(b) && a[i+k] == b[j+k] {
				k++
			}
			if k > n {
				n, endA, endB = k, i+k, j+k
			}
		}
	}
	return n, endA, endB
}

// Whatever the rule of the longest common substring finds beside an ellipsis, 15
// characters in the sentence next to it, is found, before and after, be it of the
// commonest words or begin within one.
func TestEllipsesTakeWhatTheCommonSubstringTakes(t *testing.T) {
	c := made()
	o := Defaults()
	r := rand.New(rand.NewPCG(121, 122))
	sentence := func(words, frequent int) string { // of the commonest words, or of any
		var out []string
		for range words {
			out = append(out, c.words[r.IntN(frequent)])
		}
		return strings.Join(out, " ")
	}
	caught := 0
	for k := range 120 {
		// The source: a rare sentence that is quoted whole, with common ones on either side.
		var before, after, quoted string = sentence(14, 12), sentence(14, 12), sentence(12, len(c.words))
		left := sentence(4+r.IntN(10), len(c.words)) // what the ellipsis leaves out
		source := document("s", c.books[0].Text[:2000]+". "+before+". "+quoted+" "+left+". "+after+". "+c.books[1].Text[:2000])
		if k%2 == 0 {
			source.Text = c.books[0].Text[:2000] + ". " + before + ". " + left + " " + quoted + ". " + after + ". " + c.books[1].Text[:2000]
		}
		source.Text = strings.ToValidUTF8(source.Text, "")
		// The quoter's sentence has a piece of the source's, of any length, cut anywhere.
		beside := after
		if k%2 == 0 {
			beside = before
		}
		n := 8 + r.IntN(16)
		from := r.IntN(len(beside) - n)
		text := strings.TrimSpace(fmt.Sprintf("x%s %s %sx", sentence(r.IntN(3), len(c.words)), beside[from:from+n], sentence(r.IntN(3), len(c.words))))
		prose := essay(r, c, 0).Text
		derived := document("d", prose+"“"+quoted+" … "+text+".” "+prose)
		if k%2 == 0 {
			derived.Text = prose + "“" + text + " … " + quoted + ".” " + prose
		}
		length, end, _ := longestCommon(text, beside)
		common := text[end-length : end]
		length = len(strings.TrimSpace(common))
		words := strings.Fields(common) // pieces of words at its ends are no part of a find
		inner := strings.Join(words[min(1, len(words)):max(1, len(words)-1)], " ")
		rows := Merge(openPart(t, []commonplace.Document{source}, c.stats, o).Find(derived), o)
		if len(rows) != 1 || !strings.Contains(rows[0].DerivedText, quoted) {
			t.Fatalf("case %d: %d finds of %q", k, len(rows), quoted)
		}
		if length < 15 {
			continue
		}
		beyond, _, _ := longestCommon(strings.ReplaceAll(rows[0].DerivedText, quoted, ""), common)
		if !strings.Contains(rows[0].DerivedText, inner) || beyond < 4 || rows[0].Kind != commonplace.KindEllipsis {
			t.Errorf("case %d: %q of %q in %q is not in the %s find %q", k, common, text, beside, rows[0].Kind, rows[0].DerivedText)
		}
		caught++
		checkSpans(t, rows[0], derived.Text, source.Text)
	}
	if caught < 30 {
		t.Errorf("%d cases of the rule", caught)
	}
	t.Logf("%d cases of the rule", caught)
}
