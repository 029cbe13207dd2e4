package eval

import (
	"math"
	"math/rand/v2"
	"testing"
)

// What stands in a table says the same as all scores, ties and several answers included,
// and also where the rest was not ranked: the rest is one last tie.
func TestStanding(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		n := 1 + r.IntN(20)
		scores, relevant, gains := make([]float64, n), make([]bool, n), make([]float64, n)
		for i := range scores {
			scores[i] = float64(r.IntN(5))
		}
		for i := range relevant {
			if i == 0 || r.IntN(4) == 0 {
				relevant[i], gains[i] = true, 1
			}
		}
		cut := math.Inf(-1) // scores below are not ranked
		if r.IntN(2) == 0 {
			cut = 2
		}
		var answers []Answer
		right, ranked := 0, 0
		all := append([]float64(nil), scores...)
		for i := range all {
			if relevant[i] {
				right++
			}
			if all[i] < cut {
				all[i] = -1
				continue
			}
			ranked++
		}
		for i, s := range all {
			if !relevant[i] || s == -1 {
				continue
			}
			var a Answer
			for _, o := range all {
				if o > s {
					a.Better++
				} else if o == s {
					a.Tied++
				}
			}
			answers = append(answers, a)
		}
		s := NewStanding(answers, right, ranked, n)
		for name, c := range map[string][2]float64{
			"mAP":       {s.AveragePrecision(), AveragePrecision(all, relevant)},
			"Acc@1":     {s.AccuracyAt(1), AccuracyAt(all, relevant, 1)},
			"Acc@3":     {s.AccuracyAt(3), AccuracyAt(all, relevant, 3)},
			"recall@5":  {s.RecallAt(5), RecallAt(all, relevant, 5)},
			"NDCG@5":    {s.NDCG(5), NDCG(all, gains, 5)},
			"mean rank": {s.MeanRank(), MeanRank(all, relevant)},
		} {
			if math.Abs(c[0]-c[1]) > 1e-12 {
				t.Fatalf("%s is %v of the standing and %v of the scores %v, %v", name, c[0], c[1], all, relevant)
			}
		}
		of := StandingOf(all, func(i int) bool { return relevant[i] })
		if math.Abs(of.AveragePrecision()-s.AveragePrecision()) > 1e-12 || of.Candidates != n || of.Right != right {
			t.Fatalf("%+v and %+v", of, s)
		}
	}
}

// SciPy 1.17.1: ttest_rel([.2, .5, .9, .4, .7], [.1, .6, .5, .4, .2]) has p 0.19492947275532.
func TestPairedT(t *testing.T) {
	p := PairedT([]float64{.2, .5, .9, .4, .7}, []float64{.1, .6, .5, .4, .2})
	if math.Abs(p-0.19492947275532) > 1e-12 {
		t.Errorf("p is %v", p)
	}
	if p := PairedT([]float64{1, 2}, []float64{1, 2}); p != 1 {
		t.Errorf("equal systems: %v", p)
	}
	for _, c := range [][2][]float64{{{1}, {2}}, {{1, 2, 3}, {2, 3, 4}}} {
		if p := PairedT(c[0], c[1]); !math.IsNaN(p) {
			t.Errorf("%v: %v", c, p)
		}
	}
}
