package infer

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestSentencesAtRates(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 1000 {
		p := BySentences{Rate: 0.1 + 4*r.Float64()}
		scores, rates := make([]float64, r.IntN(6)), 0.0
		for i := range scores {
			scores[i] = 3 * r.NormFloat64()
			rates += math.Exp(p.Rate * scores[i])
		}
		got, shares := p.AtRates(scores)
		if want := math.Log(1+rates) / p.Rate; math.Abs(got-want) > 1e-12*(1+want) {
			t.Fatalf("%v of %v is %v, want %v", p, scores, got, want)
		}
		sum := 0.0
		for i, share := range shares {
			sum += share
			if i > 0 && (share > shares[i-1]) != (scores[i] > scores[i-1]) {
				t.Fatalf("%v has shares %v", scores, shares)
			}
		}
		if math.Abs(sum-got) > 1e-12*(1+got) {
			t.Fatalf("shares of %v add up to %v", got, sum)
		}
		more, _ := p.AtRates(append(scores, r.NormFloat64()))
		if more < got {
			t.Fatalf("%v falls to %v with another sentence", got, more)
		}
	}
	for _, s := range []float64{-8, -12} { // low scores are not lost beside the 1
		got, _ := BySentences{Rate: 5}.AtRates([]float64{s})
		if want := math.Exp(5*s) / 5; math.Abs(got/want-1) > 1e-12 {
			t.Errorf("a sentence of %v has %v, want %v", s, got, want)
		}
	}
	for _, s := range []float64{math.MaxFloat32, -math.MaxFloat32} { // nothing overflows
		got, shares := BySentences{Rate: mostRate}.AtRates([]float64{s, s})
		if want := max(0, s); math.Abs(got-want) > 1e-6*want || math.IsNaN(shares[0]) {
			t.Errorf("two sentences of %v have %v, shares %v", s, got, shares)
		}
	}
}
