package align

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align/fold"
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
		if length < adjacentCharacters {
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

// commonOfTable is inCommon.characters by trying every pair of places.
func commonOfTable(d, s []byte) (i, j int) {
	type run struct{ characters, letters int }
	rows := [2][]run{make([]run, len(s)+1), make([]run, len(s)+1)}
	best := adjacentCharacters - 1
	i, j = -1, -1
	for di, c := range d {
		was, now := rows[di&1], rows[di&1^1]
		for sj, x := range s {
			r := run{}
			if c&fold.Mask == x&fold.Mask {
				r = run{1, 1}
				if before := was[sj]; before.letters > 0 && c&fold.WordStart == x&fold.WordStart {
					r = run{before.characters + 1 + int(c>>7), before.letters + 1}
				}
			}
			if now[sj+1] = r; r.characters > best {
				best, i, j = r.characters, di+1-r.letters, sj+1-r.letters
			}
		}
	}
	return i, j
}

// The longest row of common characters is that of the whole table.
func TestCommonCharactersAreThoseOfTheTable(t *testing.T) {
	r := rand.New(rand.NewPCG(123, 124))
	var c inCommon
	found := 0
	for range 4000 {
		letters, starts := 1+r.IntN(4), 1+r.IntN(5)
		side := func() []byte {
			b := make([]byte, r.IntN(60))
			for i := range b {
				b[i] = byte(1 + r.IntN(letters))
				if r.IntN(starts) == 0 {
					b[i] |= fold.WordStart
				}
			}
			return b
		}
		d, s := side(), side()
		if len(d) > 12 && r.IntN(2) == 0 {
			s = append(s, d[r.IntN(len(d)-12):]...)
		}
		wantI, wantJ := commonOfTable(d, s)
		i, j, _ := c.characters(d, s)
		if i != wantI || j != wantJ {
			t.Fatalf("%v and %v: at %d and %d, of the table at %d and %d", d, s, i, j, wantI, wantJ)
		}
		if i >= 0 {
			found++
		}
	}
	if found < 1000 {
		t.Errorf("%d rows", found)
	}
}
