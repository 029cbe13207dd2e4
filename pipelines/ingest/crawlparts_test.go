package ingest

import (
	"fmt"
	"testing"

	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/sorting"
)

// The record of a shard names its documents, and of a large one the sources. A plan
// names what the record did, so that both can be compared.
func TestPartsOfALargeShard(t *testing.T) {
	l := &listing{members: func() ([]member, error) { return nil, nil }, leaveOut: func(_, _, _ string) bool { return false }, left: map[string]int64{}, shards: 1, source: "books", sorted: sorting.Sorter{Dir: t.TempDir()}}
	defer l.sorted.Close()
	var list []item
	for i := range namedDocuments + 1 {
		it := newItem(fmt.Sprintf("book%04d", i), item{Rel: fmt.Sprintf("%d.txt", i), SHA256: fmt.Sprint(i)})
		l.take(it)
		it.Source = "books"
		list = append(list, it)
	}
	large, small := partsOf(list), partsOf(list[:namedDocuments])
	if len(large) != 1 || large["source: books"] == "" || len(small) != namedDocuments || small["document: book0007"] == "" {
		t.Fatalf("%d and %d parts", len(large), len(small))
	}
	for _, was := range []engine.Parts{large, small, nil} {
		is, err := l.parts(map[int]engine.Parts{0: was}, "inputs")
		if err != nil {
			t.Fatal(err)
		}
		for key, hash := range was {
			if is[0][key] != hash {
				t.Errorf("%s is %q, was %q", key, is[0][key], hash)
			}
		}
	}
}
