package parquet

import (
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	kzstd "github.com/klauspost/compress/zstd"

	"github.com/commonplace/commonplace"
)

// books are the real books of the shared folder, or made ones where it is absent.
func books(tb testing.TB) []string {
	paths, _ := filepath.Glob("../../../shared/data/books/*.txt.gz")
	var texts []string
	for _, p := range paths {
		f, err := os.Open(p)
		if err != nil {
			tb.Fatal(err)
		}
		z, err := gzip.NewReader(f)
		if err != nil {
			tb.Fatal(err)
		}
		b, err := io.ReadAll(z)
		if f.Close(); err != nil {
			tb.Fatal(err)
		}
		texts = append(texts, strings.ToValidUTF8(string(b), "?"))
	}
	if len(texts) == 0 {
		tb.Skip("the shared folder with real books is absent")
	}
	return texts
}

func benchDocuments(books []string) (rows []commonplace.Document, size int64) {
	for i, t := range books {
		rows = append(rows, commonplace.Document{ID: fmt.Sprintf("%05d", i), Source: "books", Title: "t", Text: t, Encoding: "utf-8", SHA256: fmt.Sprintf("%064d", i)})
		size += int64(len(t))
	}
	return rows, size
}

func benchPassages(books []string) (rows []commonplace.Passage, size int64) {
	for d, t := range books {
		id := fmt.Sprintf("%05d", d)
		for i := 0; len(t) > 0; i++ {
			n := min(1100, len(t))
			for n < len(t) && t[n]&0xc0 == 0x80 {
				n++
			}
			row := commonplace.Passage{ID: commonplace.PassageID(id, int64(i)), DocID: id, Index: int64(i), Begin: int64(i * 1100), End: int64(i*1100 + n), Text: t[:n], Words: 200, By: "words:200"}
			rows = append(rows, row)
			size += int64(n)
			t = t[n:]
		}
	}
	return rows, size
}

func benchTable[T any](b *testing.B, tab *Schema[T], rows []T, size int64) {
	dir := b.TempDir()
	var rec ShardRecord
	b.Run("write", func(b *testing.B) {
		b.SetBytes(size)
		b.ReportAllocs()
		for b.Loop() {
			w, err := create(b, tab, dir), error(nil)
			for _, r := range rows {
				if err := w.Write(r); err != nil {
					b.Fatal(err)
				}
			}
			if rec, err = w.Close(); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(rec.Bytes)/float64(size), "ratio")
	})
	b.Run("read", func(b *testing.B) {
		b.SetBytes(size)
		b.ReportAllocs()
		for b.Loop() {
			for _, err := range tab.Rows(b.Context(), filepath.Join(dir, rec.File)) {
				if err != nil {
					b.Fatal(err)
				}
			}
		}
	})
}

func BenchmarkDocuments(b *testing.B) {
	rows, size := benchDocuments(books(b))
	benchTable(b, Documents, rows, size)
}

func BenchmarkPassages(b *testing.B) {
	rows, size := benchPassages(books(b))
	benchTable(b, Passages, rows, size)
}

// BenchmarkZstd is the floor: compression alone, in pieces of a page.
func BenchmarkZstd(b *testing.B) {
	all := []byte(strings.Join(books(b), ""))
	for _, level := range []kzstd.EncoderLevel{kzstd.SpeedFastest, kzstd.SpeedDefault, kzstd.SpeedBetterCompression} {
		e, _ := kzstd.NewWriter(nil, kzstd.WithEncoderLevel(level), kzstd.WithEncoderConcurrency(1))
		d, _ := kzstd.NewReader(nil, kzstd.WithDecoderConcurrency(1))
		var pages [][]byte
		n := 0
		b.Run("write/"+level.String(), func(b *testing.B) {
			b.SetBytes(int64(len(all)))
			for b.Loop() {
				pages, n = pages[:0], 0
				for i := 0; i < len(all); i += batchBytes {
					pages = append(pages, e.EncodeAll(all[i:min(i+batchBytes, len(all))], nil))
					n += len(pages[len(pages)-1])
				}
			}
			b.ReportMetric(float64(n)/float64(len(all)), "ratio")
		})
		b.Run("read/"+level.String(), func(b *testing.B) {
			b.SetBytes(int64(len(all)))
			var buf []byte
			for b.Loop() {
				for _, p := range pages {
					buf, _ = d.DecodeAll(p, buf[:0])
				}
			}
		})
	}
}
