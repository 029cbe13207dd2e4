package ingest

import (
	"bufio"
	"fmt"
	"io"
	"testing"

	"github.com/commonplace/commonplace/sorting"
)

// What the submitting machine does for a document that workers have listed: it sorts the
// items, finds duplicates, and writes them for the tasks.
func BenchmarkListedItems(b *testing.B) {
	const items = 100_000
	for b.Loop() {
		l := &listing{members: func() ([]member, error) { return nil, nil }, leaveOut: func(_, _, _ string) bool { return false }, left: map[string]int64{}, shards: 512, source: "books", sorted: sorting.Sorter{Dir: b.TempDir()}}
		for i := range items {
			l.take(newItem(fmt.Sprintf("uc2.ark:/13960/t%07d", i), item{Rel: fmt.Sprintf("uc2/pairtree_root/%d.zip", i), SHA256: fmt.Sprintf("%064d", i), At: []byte(`{"volume":{"ID":"a","Zip":"b","METS":"c"}}`)}))
		}
		if err := l.each(func(int, []byte) error { return nil }); err != nil {
			b.Fatal(err)
		}
		for range 2 { // once for the sums, once for the file
			if _, err := l.write(bufio.NewWriter(io.Discard), "path", nil); err != nil {
				b.Fatal(err)
			}
		}
		if err := l.sorted.Close(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/items, "µs/document")
}
