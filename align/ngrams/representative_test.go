package ngrams

import (
	"fmt"
	"testing"

	"github.com/commonplace/commonplace"
)

// An older document has a greater key, by the first day that its date can mean; documents
// of one day have many keys; and without dates keys are those that files already hold.
func TestKeysByAge(t *testing.T) {
	s := New()
	key := func(id, date string) uint32 { return s.Key(&commonplace.Document{ID: id, Date: date}) }
	if k := key("a", "1850"); k == 0 || k > 1<<16-1 || k != key("a", "1851") {
		t.Errorf("key %d, of another date %d", k, key("a", "1851"))
	}
	s.OldestFirst = true
	dates := []string{"0001", "0987-01", "1492-10-12", "1850", "1850-01-02", "1850-02", "1851", "2026-11-23", "2870-01-01", ""}
	for i := 1; i < len(dates); i++ {
		for _, id := range []string{"a", "b", "c"} {
			if older, newer := key(id, dates[i-1]), key("other", dates[i]); older <= newer || newer == 0 {
				t.Errorf("%q has %d, %q has %d", dates[i-1], older, dates[i], newer)
			}
		}
	}
	different := map[uint32]bool{}
	for i := range 2000 {
		different[key(fmt.Sprint(i), "1850-01-02")] = true
	}
	if len(different) < 1500 {
		t.Errorf("2000 documents of one day have %d keys", len(different))
	}
}
