package align

import (
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
)

// A source that has fewer of the words than another is left out, and the reason names the other.
// One other may be the document itself that quotes; two can not.
func TestLeftOut(t *testing.T) {
	c := made()
	o := Defaults()
	words := strings.Fields(c.books[0].Text)[100:140]
	whole := strings.Join(words, " ")
	worn := strings.Join(append(append([]string{}, words[:31]...), "zzk", "zzyk", "zykz", "kzyz", "yzk", "zkyk", "kyzk", "zkz", "yky"), " ")
	stats := NewStats(o)
	for _, b := range c.books[1:] {
		stats.Count(b)
	}
	find := func(docs ...commonplace.Document) []Candidate {
		p, err := memoryPart(docs, stats, o)
		if err != nil {
			t.Fatal(err)
		}
		return p.Find(commonplace.Document{Text: whole})
	}
	for _, test := range []struct {
		docs    []commonplace.Document
		says    string
		certain bool
	}{
		{[]commonplace.Document{document("mine", worn)}, "", false},
		{[]commonplace.Document{document("mine", worn), document("also", worn)}, "", false},
		{[]commonplace.Document{document("mine", worn), document("best", whole)}, "best has the words with ", false},
		{[]commonplace.Document{document("mine", worn), document("best", whole), document("second", whole)}, "best has the words with ", true},
	} {
		found := find(test.docs...)
		why, certain := LeftOut(found, "mine", SearchDocuments, o)
		if !strings.HasPrefix(why, test.says) || (test.says == "") != (why == "") || certain != test.certain {
			t.Errorf("%d documents, %d found: %q, %v", len(test.docs), len(found), why, certain)
		}
		if certain == strings.Contains(why, "Where best itself quotes this document") && why != "" {
			t.Errorf("%q", why)
		}
	}
}
