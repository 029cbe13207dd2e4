package align

import (
	"bytes"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align/fold"
)

// Letters that share a symbol are not the same: a find that differs in them is not exact.
func TestExactIsNoSharedSymbol(t *testing.T) {
	o := Defaults()
	text := "في البدء خلق الله السماوات والأرض وكانت الأرض خربة وخالية وعلى وجه الغمر ظلمة"
	other := []rune(text)
	other[3] = 'ى' // for the alef
	var f, g fold.Text
	f.Fold(text, 0, len(text))
	g.Fold(string(other), 0, len(string(other)))
	if !bytes.Equal(f.Sym, g.Sym) {
		t.Fatal("the two letters do not share a symbol")
	}
	if s := Similarity(text, string(other)); !(s < 1 && s > 0.95) {
		t.Errorf("similarity %v of texts that differ in one letter", s)
	}
	stats := NewStats(o)
	source := document("s", text)
	for _, d := range append(made().books, source) {
		stats.Count(d)
	}
	p := openPart(t, []commonplace.Document{source}, stats, o)
	for derived, want := range map[string]string{text: commonplace.KindExact, string(other): commonplace.KindInexact} {
		rows := Merge(p.Find(document("d", "“"+derived+"”")), o)
		if len(rows) != 1 || rows[0].Kind != want {
			t.Errorf("%d finds of %q, want one that is %s: %+v", len(rows), derived, want, rows)
		}
	}
}
