package align

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align/aligntest"
)

// Words that begin in one document and go on in that which stands beside it in the
// index are no quotation: what is found is the same whatever stands beside a document.
func TestNothingIsReadBeyondADocument(t *testing.T) {
	c := made()
	o := Defaults()
	r := rand.New(rand.NewPCG(3, 4))
	for k := range 150 {
		a := strings.Join(strings.Fields(c.books[k%8].Text)[k*20:k*20+400], " ")
		b := strings.Join(strings.Fields(c.books[(k+3)%8].Text)[k*20:k*20+400], " ")
		fa, fb := strings.Fields(a), strings.Fields(b)
		na, nb := 4+r.IntN(8), 1+r.IntN(12)
		every := []int{1 << 30, 20, 10, 6}[r.IntN(4)]
		q := aligntest.Damage(r, strings.Join(fa[len(fa)-na:], " "), every) + " " + aligntest.Damage(r, strings.Join(fb[:nb], " "), every)
		prose := essay(r, c, 0).Text
		if k != 141 && k%50 != 0 {
			continue // the 142nd was found in one index alone, since the neighbour's words made it look hopeful
		}
		derived := document("d", strings.Map(dropMarks, prose+" "+q+" "+prose))
		docs := []commonplace.Document{document("a", a), document("b", b)}
		one := openPart(t, docs, c.stats, o).Find(derived)
		two := append(openPart(t, docs[:1], c.stats, o).Find(derived), openPart(t, docs[1:], c.stats, o).Find(derived)...)
		if !reflect.DeepEqual(Merge(one, o), Merge(two, o)) {
			t.Errorf("case %d: %d finds in one index, %d in two", k, len(one), len(two))
		}
	}
}
