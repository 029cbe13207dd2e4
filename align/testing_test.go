package align

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align/aligntest"
)

// corpus is the made-up books with the stats over them.
type corpus struct {
	*aligntest.Corpus
	books []commonplace.Document
	stats *Stats
	words []string
}

var made = sync.OnceValue(func() *corpus {
	c := &corpus{Corpus: aligntest.Made(), stats: NewStats(Defaults())}
	c.books, c.words = c.Books, c.Words
	for _, b := range c.books {
		c.stats.Count(b)
	}
	return c
})

func openPart(t testing.TB, docs []commonplace.Document, stats *Stats, o Options) *Part {
	t.Helper()
	var b bytes.Buffer
	info, err := BuildPart("", &b, slices.Values(docs), stats, o)
	if err != nil {
		t.Fatal(err)
	}
	if info.Bytes != int64(b.Len()) || info.Documents != len(docs) {
		t.Fatalf("info %+v for %d bytes", info, b.Len())
	}
	path := filepath.Join(t.TempDir(), "part")
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	p, err := OpenPart(path, stats, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

// candidatesOf makes finds into candidates that may not be cut.
func candidatesOf(rows ...commonplace.Alignment) (out []Candidate) {
	for _, a := range rows {
		out = append(out, Candidate{Alignment: a})
	}
	return out
}

// checkSpans fails unless every span of a row is the text it says.
func checkSpans(t testing.TB, a commonplace.Alignment, derived, source string) {
	t.Helper()
	slice := func(s string, from, to int64) string {
		return commonplace.Slice(s, commonplace.Span{Begin: int(from), End: int(to)})
	}
	if got := slice(derived, a.DerivedBegin, a.DerivedEnd); got != a.DerivedText {
		t.Fatalf("derived[%d:%d] is %q, row says %q", a.DerivedBegin, a.DerivedEnd, got, a.DerivedText)
	}
	if got := slice(source, a.SourceBegin, a.SourceEnd); got != a.SourceText {
		t.Fatalf("source[%d:%d] is %q, row says %q", a.SourceBegin, a.SourceEnd, got, a.SourceText)
	}
	last := commonplace.Part{DerivedEnd: a.DerivedBegin, SourceEnd: a.SourceBegin}
	for _, p := range a.Parts {
		if p.DerivedBegin < last.DerivedEnd || p.DerivedEnd < p.DerivedBegin || p.DerivedEnd > a.DerivedEnd || p.SourceEnd < p.SourceBegin {
			t.Fatalf("part %+v after %+v in %+v", p, last, a)
		}
		last = p
	}
	if a.Similarity < 0 || a.Similarity > 1 || a.Confidence < 0 || a.Confidence > 1 {
		t.Fatalf("similarity %v, confidence %v", a.Similarity, a.Confidence)
	}
}
