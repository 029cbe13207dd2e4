package eval

import (
	"math"
	"testing"
)

var shelf = []string{"The sea, the sea!", "A lamp by the sea", "", "A lamp and a clock; a clock and a lamp."}

func TestTFIDFAgainstTheDefinition(t *testing.T) {
	idf := func(df float64) float64 { return math.Log(5 / (1 + df)) }
	two := 1 + math.Log(2)
	rows := [][]float64{ // the, sea, a, lamp, by, and, clock
		{two * idf(2), two * idf(2), 0, 0, 0, 0, 0},
		{idf(2), idf(2), idf(2), idf(2), idf(1), 0, 0},
		{0, 0, 0, 0, 0, 0, 0},
		{0, 0, (1 + math.Log(4)) * idf(2), two * idf(2), 0, two * idf(1), two * idf(1)},
	}
	mean := make([]float64, 7)
	for _, r := range rows {
		length := 0.0
		for _, x := range r {
			length += x * x
		}
		for k := range r {
			if length > 0 {
				r[k] /= math.Sqrt(length)
			}
			mean[k] += r[k]
		}
	}
	for i, got := range ContentOf(shelf).TFIDF() {
		want := 0.0
		for k, x := range rows[i] {
			want += x * mean[k]
		}
		if math.Abs(got-want) > 1e-12 {
			t.Errorf("%q: %v, expected %v", shelf[i], got, want)
		}
	}
}

func TestBM25AgainstTheDefinition(t *testing.T) {
	idf := func(df float64) float64 { return math.Log(1 + (4-df+0.5)/(df+0.5)) }
	mean := 19.0 / 4 // words a passage: 4, 5, 0, 10
	part := func(n, df, words float64) float64 { return idf(df) * n * 2.2 / (n + 1.2*(0.25+0.75*words/mean)) }
	want := []float64{
		2 * part(2, 2, 4),
		4*part(1, 2, 5) + part(1, 1, 5),
		0,
		part(4, 2, 10) + part(2, 2, 10) + 2*part(2, 1, 10),
	}
	got := ContentOf(shelf).BM25()
	for i := range want {
		if math.Abs(got[i]-want[i]) > 1e-12 {
			t.Errorf("%q: %v, expected %v", shelf[i], got[i], want[i])
		}
	}
}
