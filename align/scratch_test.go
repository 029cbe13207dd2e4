package align

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
)

// A collection opens a part for every shard of documents, so what a search works in is not
// the part's: what one part's search took, the next part's has.
func TestPartsShareScratchMemory(t *testing.T) {
	r := rand.New(rand.NewPCG(24, 7))
	var text strings.Builder
	for range 50_000 {
		fmt.Fprintf(&text, "%05x ", r.IntN(1<<20))
	}
	doc := commonplace.Document{ID: "long", Text: text.String()}
	book := commonplace.Document{ID: "book", Text: "Call me Ishmael. Some years ago, never mind how long precisely."}
	stats := NewStats(Defaults())
	stats.Count(doc)
	stats.Count(book)
	var took [10]uint64
	for i := range took {
		part := openPart(t, []commonplace.Document{book}, stats, Defaults())
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		part.Find(doc)
		runtime.ReadMemStats(&after)
		took[i] = after.TotalAlloc - before.TotalAlloc
	}
	if least := slices.Min(took[1:]); least > took[0]/4 { // a pool may lose what it has
		t.Errorf("searches of the same document in ten parts took %d bytes", took)
	}
}
