package align

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align/aligntest"
)

// Positions of texts of any length come back.
func TestPositionsComeBack(t *testing.T) {
	r := rand.New(rand.NewPCG(25, 12))
	var p positions
	var texts [][]uint32
	for _, most := range []int{1, 100, 65535, 65536, 3, 200000, 100} {
		n := min(most, 1+r.IntN(500))
		pos := make([]uint32, n)
		for i := range pos {
			pos[i] = uint32(r.IntN(most + 1))
		}
		pos[n-1] = uint32(most)
		slices.Sort(pos)
		texts = append(texts, pos)
		p.add(pos)
	}
	var list []uint32
	first := 0
	for _, pos := range texts {
		if list = p.read(list, first, len(pos)); !slices.Equal(list, pos) {
			t.Errorf("a text of %d bytes has others", pos[len(pos)-1])
		}
		for i, want := range pos {
			if got := p.at(first, i); got != want {
				t.Errorf("position %d of a text of %d bytes is %d, not %d", i, pos[len(pos)-1], got, want)
			}
		}
		first += len(pos)
	}
}

// A quotation of more than 64 KB is found whole.
func TestLongQuotationIsFound(t *testing.T) {
	books := aligntest.Made().Books
	text := books[0].Text + "\n" + books[1].Text
	a := New(Options{})
	a.Add("both", text)
	a.Add("other", books[2].Text)
	quote := text[strings.Index(text, "“"):]
	if len(quote) < 1<<16 {
		t.Fatalf("%d bytes", len(quote))
	}
	rows, err := a.FindQuotes(commonplace.Quote{ID: "short", Text: quote[:300]}, commonplace.Quote{ID: "long", Text: quote})
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for _, r := range rows {
		found = found || r.QuoteID == "long" && r.SourceText == strings.TrimSpace(quote)
	}
	if !found {
		t.Errorf("%d rows, none is the whole", len(rows))
	}
}
