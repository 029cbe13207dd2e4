package label

import (
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
)

// shelf are real books cut into passages of 200 words, with an alignment of
// twelve words in every passage.
func shelf(b *testing.B) (docs []commonplace.Document, passages [][]commonplace.Passage, alignments [][]commonplace.Alignment) {
	names, _ := filepath.Glob("../../shared/data/books/*.gz")
	if len(names) == 0 {
		b.Skip("../../shared/data/books is not here")
	}
	for _, name := range names {
		file, err := os.Open(name)
		if err != nil {
			b.Fatal(err)
		}
		r, err := gzip.NewReader(file)
		if err != nil {
			b.Fatal(err)
		}
		raw, err := io.ReadAll(r)
		if err != nil {
			b.Fatal(err)
		}
		file.Close()
		doc := commonplace.Document{ID: filepath.Base(name), Text: strings.ToValidUTF8(string(raw), "\uFFFD")}
		words := tokens(doc.Text)
		offsets := commonplace.NewOffsets(doc.Text)
		var cuts []commonplace.Passage
		var found []commonplace.Alignment
		for i := 0; i < len(words); i += 200 {
			part := words[i:min(i+200, len(words))]
			s := commonplace.Span{Begin: part[0].begin, End: part[len(part)-1].end}
			cuts = append(cuts, commonplace.Passage{
				ID: commonplace.PassageID(doc.ID, int64(len(cuts))), DocID: doc.ID, Index: int64(len(cuts)),
				Begin: int64(s.Begin), End: int64(s.End), Text: offsets.Slice(s),
			})
			q := part[len(part)/2 : min(len(part), len(part)/2+12)]
			s = commonplace.Span{Begin: q[0].begin, End: q[len(q)-1].end}
			found = append(found, commonplace.Alignment{
				ID: fmt.Sprint(doc.ID, ":", i), QuoteID: fmt.Sprint(i), SourceID: doc.ID, Similarity: 1,
				SourceBegin: int64(s.Begin), SourceEnd: int64(s.End), SourceText: offsets.Slice(s),
			})
		}
		docs, passages, alignments = append(docs, doc), append(passages, cuts), append(alignments, found)
	}
	return docs, passages, alignments
}

func BenchmarkLabel(b *testing.B) {
	docs, passages, alignments := shelf(b)
	size, rows := 0, 0
	for i, d := range docs {
		size += len(d.Text)
		rows += len(alignments[i])
	}
	b.Run("triples", func(b *testing.B) {
		b.SetBytes(int64(size))
		b.ReportMetric(float64(rows), "examples")
		for b.Loop() {
			for i, d := range docs {
				if _, rejects := Triples(d, passages[i], alignments[i], Defaults()); len(rejects) > 0 {
					b.Fatal(rejects[0])
				}
			}
		}
	})
	b.Run("counts", func(b *testing.B) {
		b.SetBytes(int64(size))
		for b.Loop() {
			for i, d := range docs {
				Counts(passages[i], Quotations(d.ID, alignments[i], nil), OverlapAny)
			}
		}
	})
	for _, by := range []string{Near, BestBM25, Uniform, TFIDF} {
		b.Run("negatives/"+by, func(b *testing.B) {
			for b.Loop() {
				for i, d := range docs {
					examples, _ := Triples(d, passages[i], alignments[i], Defaults())
					s := NewSampler(passages[i], examples, 1)
					for _, e := range examples {
						if _, err := s.Choices(e, []Pick{{by, 9}}); err != nil {
							b.Fatal(err)
						}
					}
				}
			}
		})
	}
}
