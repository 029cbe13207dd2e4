package eval

import (
	"cmp"
	"math"
	"slices"
)

// Standing says where the right answers of a query stand among its candidates, and is all
// that the metrics of a query need. Candidates with equal scores stand in every order, as
// likely; candidates that were not ranked stand behind all others, in every order.
type Standing struct {
	runs       []run // that have right answers, the best first
	Right      int   // answers that are right, ranked or not
	Candidates int
}

// Answer is a right answer: so many candidates are better, and so many as good, it among
// them.
type Answer struct{ Better, Tied int }

// NewStanding is that of a query whose answers were ranked among the first ranked of all
// candidates; right counts the answers that were not ranked, too.
func NewStanding(answers []Answer, right, ranked, candidates int) Standing {
	s := Standing{Right: right, Candidates: candidates}
	answers = slices.Clone(answers)
	slices.SortFunc(answers, func(a, b Answer) int { return cmp.Compare(a.Better, b.Better) })
	for range right - len(answers) {
		answers = append(answers, Answer{Better: ranked, Tied: candidates - ranked})
	}
	for i, a := range answers {
		if n := len(s.runs); n > 0 && s.runs[n-1].begin == a.Better {
			s.runs[n-1].relevant++
			continue
		}
		s.runs = append(s.runs, run{begin: a.Better, size: a.Tied, relevant: 1, before: i})
	}
	return s
}

// StandingOf is that of a query whose candidates all have a score.
func StandingOf(scores []float64, right func(int) bool) Standing {
	var answers []Answer
	for i, s := range scores {
		if !right(i) {
			continue
		}
		var a Answer
		for _, other := range scores {
			if other > s {
				a.Better++
			} else if other == s {
				a.Tied++
			}
		}
		answers = append(answers, a)
	}
	return NewStanding(answers, len(answers), len(scores), len(scores))
}

// AveragePrecision is that of [AveragePrecision].
func (s Standing) AveragePrecision() float64 { return averagePrecision(s.runs, s.Right) }

// AccuracyAt is that of [AccuracyAt]: the hit rate.
func (s Standing) AccuracyAt(k int) float64 { return accuracyAt(s.runs, s.Right, k) }

// RecallAt is that of [RecallAt].
func (s Standing) RecallAt(k int) float64 { return hitsAt(s.runs, k) / float64(s.Right) }

// NDCG is that of [NDCG], with gains of 1.
func (s Standing) NDCG(k int) float64 {
	sum, ideal := 0.0, 0.0
	for _, r := range s.runs {
		for i := r.begin; i < min(r.begin+r.size, k); i++ {
			sum += float64(r.relevant) / float64(r.size) / commonDiscount(i+1)
		}
	}
	for i := range min(s.Right, k) {
		ideal += 1 / commonDiscount(i+1)
	}
	return sum / ideal
}

// MeanRank is that of [MeanRank].
func (s Standing) MeanRank() float64 {
	sum := 0.0
	for _, r := range s.runs {
		sum += float64(r.relevant) * (float64(r.begin) + float64(r.size+1)/2)
	}
	return sum / float64(s.Right)
}

// PairedT is the two-sided p of the paired t-test that two systems are equally good on
// average (when and what to quote, section 5). 1 where the systems never differ; NaN for
// fewer than two pairs, and where all differ by the same, of which the test can say nothing.
func PairedT(a, b []float64) float64 {
	var d Moments
	for i := range a {
		d.Add(a[i] - b[i])
	}
	if d.N < 2 {
		return math.NaN()
	}
	if d.Variance() == 0 {
		if d.Mean == 0 {
			return 1
		}
		return math.NaN()
	}
	return studentTwoSided(d.Mean/math.Sqrt(d.Variance()/float64(d.N)), float64(d.N-1))
}
