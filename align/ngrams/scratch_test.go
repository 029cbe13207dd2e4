package ngrams

import (
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align/fold"
)

// Counts keep no folded document once they are read: the largest of a library has 15 MB.
func TestReadersDoNotKeepTheLastDocument(t *testing.T) {
	s := New()
	s.Count(&commonplace.Document{ID: "book", Text: strings.Repeat("Call me Ishmael. ", 1000)})
	var f fold.Text
	f.Fold("Ishmael", 0, 7)
	s.ReadWords(&f, nil, nil)
	if n := cap(s.scratch.Sym); n > 0 {
		t.Errorf("%d letters are kept", n)
	}
}
