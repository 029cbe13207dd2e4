package index

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align/aligntest"
	"github.com/commonplace/commonplace/align/fold"
	"github.com/commonplace/commonplace/align/ngrams"
)

// A passage that 40 documents have is too frequent for the index, but one document
// represents it there: always if it has 20 words, and mostly if it has 10.
func TestBoilerplateIsInTheIndexOnce(t *testing.T) {
	words := aligntest.Made().Words
	for _, test := range []struct{ words, least int }{{10, 26}, {14, 38}, {20, 40}} {
		indexed := 0
		for seed := range uint64(40) {
			r := rand.New(rand.NewPCG(seed, uint64(test.words)))
			draw := func(n int) string {
				var b strings.Builder
				for range n {
					b.WriteString(words[r.IntN(len(words))] + " ")
				}
				return b.String()
			}
			passage := draw(test.words)
			var docs []commonplace.Document
			for i := range 40 {
				docs = append(docs, commonplace.Document{ID: fmt.Sprint(seed, "-", i), Text: draw(10) + passage + draw(10)})
			}
			switch n := timesIndexed(t, docs, passage); {
			case n > 20:
				t.Fatalf("%d words, seed %d: a seed is in the index %d times", test.words, seed, n)
			case n > 0:
				indexed++
			}
		}
		if indexed < test.least {
			t.Errorf("of 40 passages of %d words %d are in the index", test.words, indexed)
		}
	}
}

// timesIndexed is how often the index over the documents has the seed of the passage that it has most often.
func timesIndexed(t *testing.T, docs []commonplace.Document, passage string) (most int) {
	counts := ngrams.New()
	for i := range docs {
		counts.Count(&docs[i])
	}
	var seeds Builder
	var f fold.Text
	begin := 0
	for i := range docs {
		f.Fold(docs[i].Text, 0, len(docs[i].Text))
		seeds.addDocument(counts, &f, uint32(begin), &docs[i])
		begin += len(docs[i].Text)
	}
	x, err := seeds.Build(int64(begin))
	if err != nil {
		t.Fatal(err)
	}
	if err := x.Open(); err != nil {
		t.Fatal(err)
	}
	f.Fold(passage, 0, len(passage))
	pad := f.Sym[:len(f.Sym)+fold.Padding]
	for i := 0; i+fold.LongSeed <= len(f.Sym); i += fold.WordLength(pad, i) {
		_, long := fold.SeedHashes(pad, i)
		k := &Seeker{probes: []probe{{long, 0}}}
		k.Seek(x)
		most = max(most, len(k.Hits))
	}
	return most
}
