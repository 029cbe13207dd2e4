package datasets

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/commonplace/commonplace/pipelines/cache"
)

// BenchmarkReadSketches reads the sketches of a shard, as the machine that compares them does.
func BenchmarkReadSketches(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	all := make([]sketched, 400)
	for i := range all {
		all[i] = sketched{DocID: fmt.Sprint("book-", i), Author: "Somebody", Sketch: make([]byte, 8*512)}
		for k := range all[i].Sketch {
			all[i].Sketch[k] = byte(r.Uint32())
		}
	}
	path := filepath.Join(b.TempDir(), "sketches")
	if err := cache.WriteLines(b.Context(), path, all); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if read, err := cache.ReadLines[sketched](b.Context(), path); err != nil || len(read) != len(all) {
			b.Fatal(len(read), err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*len(all)), "µs/book")
}
