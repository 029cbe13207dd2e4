package features

import (
	"bufio"
	"encoding/json"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
)

type goldenRow struct {
	Text     string    `json:"text"`
	Position float64   `json:"position"`
	Features []float64 `json:"features"`
	Version  int       `json:"version"`
	Names    []string  `json:"names"`
}

// The golden file is written by models/features.py, so this is the parity of
// training and serving.
func TestExtractEqualsPython(t *testing.T) {
	f, err := os.Open("testdata/golden.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	rows := 0
	for ; lines.Scan(); rows++ {
		var row goldenRow
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		if rows == 0 {
			if row.Version != Version || !slices.Equal(row.Names, Names) {
				t.Fatalf("golden file is of version %d with names %v", row.Version, row.Names)
			}
			continue
		}
		got := make([]float32, Count)
		Extract(row.Text, row.Position, got)
		for i, want := range row.Features {
			if math.Abs(float64(got[i])-want) > 1e-6*max(1, math.Abs(want)) {
				t.Errorf("%q: %s is %v, Python says %v", row.Text, Names[i], got[i], want)
			}
		}
	}
	if rows < 20 {
		t.Fatalf("only %d rows", rows)
	}
}

func TestNamesFitTheScan(t *testing.T) {
	for name, i := range map[string]int{"words": iWords, "quotation": iQuotation, "symbol": iSymbol, "connective": iClasses, "ed": iEd, "position": iPosition} {
		if Names[i] != name {
			t.Errorf("place %d is %s, the scan writes %s", i, Names[i], name)
		}
	}
	if Count != iPosition+3 {
		t.Errorf("%d names, the scan writes %d", Count, iPosition+3)
	}
}

var page = strings.Repeat("He that keepeth a lamp through all the night shall want no morning; yet, said she, “no one keeps it” but by need. ", 9)

func TestExtractAllocatesNothing(t *testing.T) {
	x := make([]float32, Count)
	if n := testing.AllocsPerRun(100, func() { Extract(page, 0.5, x) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func FuzzExtract(f *testing.F) {
	f.Add("Never\xff say… never — ’tis")
	f.Fuzz(func(t *testing.T, text string) {
		x := make([]float32, Count)
		Extract(text, 0.5, x)
		for i, v := range x {
			if math.IsNaN(float64(v)) || v < 0 || math.IsInf(float64(v), 0) {
				t.Errorf("%s is %v", Names[i], v)
			}
		}
	})
}

func BenchmarkExtract(b *testing.B) {
	x := make([]float32, Count)
	b.SetBytes(int64(len(page)))
	for b.Loop() {
		Extract(page, 0.5, x)
	}
	b.ReportMetric(float64(len(strings.Fields(page))), "words/op")
}
