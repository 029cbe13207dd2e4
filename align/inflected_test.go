package align

import (
	"testing"

	"github.com/commonplace/commonplace"
)

const vergil = `Arma virumque cano, Troiae qui primus ab oris Italiam, fato profugus, Laviniaque venit litora,
multum ille et terris iactatus et alto vi superum saevae memorem Iunonis ob iram; multa quoque et bello passus,
dum conderet urbem, inferretque deos Latio, genus unde Latinum, Albanique patres, atque altae moenia Romae.
Musa, mihi causas memora, quo numine laeso, quidve dolens, regina deum tot volvere casus insignem pietate virum,
tot adire labores impulerit. Tantaene animis caelestibus irae?`

// inflectedRows are the rows of both searches of one document in one source.
func inflectedRows(t *testing.T, source, derived commonplace.Document) (exact, inflected []commonplace.Alignment) {
	t.Helper()
	find := func(source, derived commonplace.Document) []commonplace.Alignment {
		o := Defaults()
		stats := NewStats(o)
		stats.Count(source)
		return Merge(openPart(t, []commonplace.Document{source}, stats, o).Find(derived), o)
	}
	exact = find(source, derived)
	return exact, Inflected(find(Uninflected(source, "la"), Uninflected(derived, "la")), exact)
}

// A sentence in other cases and persons is found without its endings, at exact offsets, with the letters that it has.
// What the search finds with all endings is not found again.
func TestInflectedReuse(t *testing.T) {
	source := commonplace.Document{ID: "vergil", Text: vergil}
	changed := "dolentem reginae deorum volvendis casibus insignes pietatem viros"
	derived := commonplace.Document{ID: "copyist", Text: "Ait: «" + changed + "», inquit. Deinde: Arma virumque cano, Troiae qui primus ab oris Italiam, fato profugus, Laviniaque venit litora."}
	exact, rows := inflectedRows(t, source, derived)
	if len(exact) != 1 || exact[0].Kind != commonplace.KindExact {
		t.Fatalf("with all endings: %+v", exact)
	}
	if len(rows) != 1 {
		t.Fatalf("without endings: %+v", rows)
	}
	r := rows[0]
	d, s := []rune(derived.Text), []rune(source.Text)
	if got := string(d[r.DerivedBegin:r.DerivedEnd]); got != r.DerivedText || got != changed {
		t.Errorf("the derived text is %q, at its offsets %q", r.DerivedText, got)
	}
	if got := string(s[r.SourceBegin:r.SourceEnd]); got != r.SourceText || got != "dolens, regina deum tot volvere casus insignem pietate virum" {
		t.Errorf("the source text is %q, at its offsets %q", r.SourceText, got)
	}
	if r.Kind != commonplace.KindInflected || r.Similarity != Similarity(r.DerivedText, r.SourceText) || r.Similarity > .9 {
		t.Errorf("%s, similarity %v", r.Kind, r.Similarity)
	}
}

// Rows that share a letter with one of the other search go, with all places of their group.
func TestInflectedLeavesOutWhatIsKnown(t *testing.T) {
	row := func(id, group string, begin, end int64) commonplace.Alignment {
		return commonplace.Alignment{ID: id, Group: group, DerivedBegin: begin, DerivedEnd: end}
	}
	exact := []commonplace.Alignment{row("x", "", 50, 60), row("y", "", 10, 40), row("z", "", 20, 25)}
	rows := Inflected([]commonplace.Alignment{row("a", "", 0, 10), row("b", "", 0, 11), row("c", "c", 40, 50), row("d", "e", 61, 70), row("e", "e", 59, 70), row("f", "", 30, 31), row("g", "", 60, 70)}, exact)
	var got string
	for _, r := range rows {
		got += r.ID
	}
	if got != "acg" {
		t.Errorf("%s are left, want a, c and g", got)
	}
}

// A document whose own letters look hidden is not searched, rather than shown with other letters.
func TestUninflectedRefusesItsOwnPlane(t *testing.T) {
	if doc := Uninflected(commonplace.Document{Text: "arma \U000f0061 virumque"}, "la"); doc.Text != "" {
		t.Errorf("%q", doc.Text)
	}
}
