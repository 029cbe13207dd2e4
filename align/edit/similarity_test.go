package edit

import (
	"math/rand/v2"
	"testing"

	"github.com/agnivade/levenshtein"

	"github.com/commonplace/commonplace/align/aligntest"
	"github.com/commonplace/commonplace/align/fold"
)

// slowCommon is the longest common subsequence by the textbook's table.
func slowCommon(a, b []byte) int {
	row := make([]int, len(b)+1)
	for i := range a {
		diag := 0
		for j := range b {
			up := row[j+1]
			if a[i]&fold.Mask == b[j]&fold.Mask {
				row[j+1] = diag + 1
			} else {
				row[j+1] = max(up, row[j])
			}
			diag = up
		}
	}
	return row[len(b)]
}

func TestCommonSubsequenceIsTheTables(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		a, b := make([]byte, r.IntN(200)), make([]byte, r.IntN(200))
		letters := 2 + r.IntN(25)
		for i := range a {
			a[i] = byte(1 + r.IntN(letters))
		}
		for i := range b {
			b[i] = byte(1 + r.IntN(letters))
		}
		if r.IntN(2) == 0 && len(a) > 3 {
			b = append(append([]byte{}, a[:len(a)/2]...), b...)
		}
		if got, want := Common(a, b), slowCommon(a, b); got != want {
			t.Fatalf("%v %v: %d, the table says %d", a, b, got, want)
		}
	}
}

// Texts too long for one table are cut where they are equal, which changes nothing.
func TestCommonSubsequenceOfLongTexts(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 4))
	a := make([]byte, 40_000)
	for i := range a {
		a[i] = byte(1 + r.IntN(20))
	}
	var b []byte
	for _, c := range a {
		switch r.IntN(60) {
		case 0:
		case 1:
			b = append(b, c, byte(1+r.IntN(20)))
		case 2:
			b = append(b, byte(1+r.IntN(20)))
		default:
			b = append(b, c)
		}
	}
	b = append(a[:3000:3000], b...)
	if len(a)*len(b) <= tableCells {
		t.Fatal("these fit into one table")
	}
	if got, want := Common(a, b), commonInTable(a, b); got != want {
		t.Errorf("%d in parts, %d in one table", got, want)
	}
}

// unflagged is the letters of a text without the flags of words.
func unflagged(text string) []byte {
	var f fold.Text
	f.Fold(text, 0, len(text))
	for i := range f.Sym {
		f.Sym[i] &= fold.Mask
	}
	return f.Sym
}

// The longest common subsequence and the edit distance bound each other.
func TestSimilarityBesideEditDistance(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	c := aligntest.Made()
	for range 300 {
		_, q := c.Cut(r, 3+r.IntN(30))
		a, b := unflagged(q), unflagged(aligntest.Damage(r, q, 6))
		d := levenshtein.ComputeDistance(string(a), string(b))
		indel := len(a) + len(b) - 2*Common(a, b)
		if indel < d || indel > 2*d {
			t.Fatalf("edit distance %d, indel distance %d", d, indel)
		}
	}
}

func TestSimilarityOfNothing(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want float64
	}{{"", "", 1}, {"...", "!", 1}, {"a", "", 0}, {"abc", "abd", 2.0 * 2 / 6}, {"The Passage, of TIME", "the passage of time", 1}, {"Ægypt, œuvre, Straße", "aegypt oeuvre strasse", 1}} {
		if got := Similarity(c.a, c.b); got != c.want {
			t.Errorf("similarity of %q and %q is %v, want %v", c.a, c.b, got, c.want)
		}
	}
}
