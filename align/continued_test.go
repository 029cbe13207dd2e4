package align

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align/aligntest"
)

// A text quotes a long passage, goes on with words that resemble what follows there, and
// these are the beginning of another quotation, from elsewhere: the rest of the other one
// is found too, although the long match covers most of it. So 1 Kings 10 follows
// 2 Chronicles 9 up to where it goes on as 2 Chronicles 1 does.
func TestAQuotationThatALongOneReachesInto(t *testing.T) {
	c := made()
	r := rand.New(rand.NewPCG(11, 12))
	words := strings.Fields(c.books[0].Text)
	long, shared, rest := strings.Join(words[100:500], " "), strings.Join(words[1000:1060], " "), strings.Join(words[1060:1100], " ")
	source := document("s", strings.Map(dropMarks, strings.Join(words[2000:2100], " ")+" "+long+" "+aligntest.Damage(r, shared, 5)+" "+
		strings.Join(words[3000:3400], " ")+" "+shared+" "+rest+" "+strings.Join(words[4000:4100], " ")))
	derived := document("d", strings.Map(dropMarks, strings.Join(words[5000:5100], " ")+" "+long+" "+shared+" "+rest+" "+strings.Join(words[6000:6100], " ")))
	rows := Merge(openPart(t, []commonplace.Document{source}, c.stats, Defaults()).Find(derived), Defaults())
	covered := 0
	rest = strings.Map(dropMarks, rest)
	before, _, _ := strings.Cut(derived.Text, rest)
	from, length := utf8.RuneCountInString(before), utf8.RuneCountInString(rest)
	for _, a := range rows {
		covered += max(0, min(int(a.DerivedEnd), from+length)-max(int(a.DerivedBegin), from))
	}
	if covered < length*9/10 {
		t.Errorf("%d of %d letters of the rest are found, in %d rows", covered, length, len(rows))
	}
}
