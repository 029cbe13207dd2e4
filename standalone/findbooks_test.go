package standalone

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
)

// What is known of a quoted book does not keep its text.
func TestBooksWithoutTexts(t *testing.T) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	var books []*book
	for n := range 20 {
		text := fmt.Sprintf("Emma%d\n\nAusten\n\nPREFACE\n\nIt begins.\n\nCHAPTER I\n\n", n) + strings.Repeat("The weather was fine, and nobody said a word of it.\n", 20_000)
		b := newBook(commonplace.Document{ID: "a", Title: text[:5], Author: text[7:13], Text: text})
		if len(b.chapters) < 2 {
			t.Fatalf("%+v", b.chapters)
		}
		b.text = nil
		books = append(books, b)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if more := int64(after.HeapAlloc) - int64(before.HeapAlloc); more > 5<<20 {
		t.Errorf("%d MB are kept", more>>20)
	}
	runtime.KeepAlive(books)
}
