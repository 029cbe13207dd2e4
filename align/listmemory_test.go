package align

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
)

// A list of 100,000 quotations has 15 million letters, and all of it stays in memory.
func TestListTakesFewBytesALetter(t *testing.T) {
	r := rand.New(rand.NewPCG(25, 8))
	var quotes []commonplace.Quote
	for i := range 2000 {
		var text strings.Builder
		for range 200 {
			fmt.Fprintf(&text, "%05x ", r.IntN(1<<20))
		}
		quotes = append(quotes, commonplace.Quote{ID: fmt.Sprint(i), Text: text.String()})
	}
	stats := NewStats(Options{})
	stats.Count(commonplace.Document{ID: "book", Text: strings.Repeat("Call me Ishmael. ", 1000)})
	held := func() int64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	if _, err := NewQuoteList(quotes[:1], stats, Options{}); err != nil { // what the stats make when first needed
		t.Fatal(err)
	}
	before := held()
	l, err := NewQuoteList(quotes, stats, Options{})
	if err != nil {
		t.Fatal(err)
	}
	took := held() - before
	letters := int64(len(l.sym))
	if took > 11*letters {
		t.Errorf("a list of %d letters takes %d bytes, %.1f a letter", letters, took, float64(took)/float64(letters))
	}
	runtime.KeepAlive(l)
	runtime.KeepAlive(quotes)
}
