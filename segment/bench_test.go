package segment

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	commonplace "github.com/commonplace/commonplace"
)

// library is the shared books where there are any, else one of our own, as documents.
func library(b *testing.B) (docs []commonplace.Document, size int64) {
	paths, _ := filepath.Glob("../../shared/data/books/*.txt.gz")
	for _, p := range paths {
		docs = append(docs, commonplace.Document{ID: filepath.Base(p), Text: gunzip(b, p)})
	}
	if len(docs) == 0 {
		raw, err := os.ReadFile("testdata/chunks/prose.txt")
		if err != nil {
			b.Fatal(err)
		}
		docs = append(docs, commonplace.Document{ID: "prose", Text: strings.Repeat(string(raw), 200)})
	}
	for _, d := range docs {
		size += int64(len(d.Text))
	}
	return docs, size
}

// cpu is the processor time of this process, in seconds: all threads, the collector too.
func cpu(b *testing.B) float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

// BenchmarkPassages reports megabytes (1e6 bytes) of text per second of processor time.
func BenchmarkPassages(b *testing.B) {
	docs, size := library(b)
	for _, name := range Names() {
		seg, err := Parse(name)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			before := cpu(b)
			n := 0
			for b.Loop() {
				for _, d := range docs {
					for range Passages(d, seg) {
						n++
					}
				}
			}
			b.ReportMetric(float64(size)*float64(b.N)/1e6/(cpu(b)-before), "MB/cpu-s")
			b.ReportMetric(float64(n)/float64(b.N), "passages")
		})
	}
}

// BenchmarkCut reports the same for the cut alone, without structure and rows.
func BenchmarkCut(b *testing.B) {
	docs, size := library(b)
	cut := ByWords(200)
	before := cpu(b)
	for b.Loop() {
		for _, d := range docs {
			for range cut(d.Text) {
			}
		}
	}
	b.ReportMetric(float64(size)*float64(b.N)/1e6/(cpu(b)-before), "MB/cpu-s")
}
