package eval

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// Binary are the figures of a yes-or-no decision, such as when to quote (when and
// what to quote, section 5): the positive class is "quote here".
type Binary struct {
	Accuracy  float64 `json:"accuracy"`
	Precision float64 `json:"precision"` // 0 when nothing is predicted
	Recall    float64 `json:"recall"`    // 0 when nothing is true
	F1        float64 `json:"f1"`
}

// Decisions compares predicted decisions with the true ones. They must be
// equally many.
func Decisions(predicted, truth []bool) (Binary, error) {
	if len(predicted) != len(truth) {
		return Binary{}, fmt.Errorf("%d decisions for %d examples", len(predicted), len(truth))
	}
	var both, said, is, right int
	for i := range truth {
		if predicted[i] == truth[i] {
			right++
		}
		if predicted[i] {
			said++
		}
		if truth[i] {
			is++
		}
		if predicted[i] && truth[i] {
			both++
		}
	}
	b := scoresOf(both, said, is)
	b.Accuracy = ratio(right, len(truth))
	return b, nil
}

// DecisionIntervals are the percentile intervals of the figures of [Decisions], as
// [Bootstrap] makes them of a mean: decisions are drawn with replacement.
func DecisionIntervals(predicted, truth []bool, confidence float64, resamples int, seed uint64) (low, high Binary) {
	n := len(truth)
	random := rand.New(rand.NewPCG(seed, uint64(n)))
	var all [4][]float64
	for range resamples {
		var both, said, is, right int
		for range n {
			i := random.IntN(n)
			both += count(predicted[i] && truth[i])
			said += count(predicted[i])
			is += count(truth[i])
			right += count(predicted[i] == truth[i])
		}
		b := scoresOf(both, said, is)
		for k, x := range []float64{ratio(right, n), b.Precision, b.Recall, b.F1} {
			all[k] = append(all[k], x)
		}
	}
	ends := func(q float64) Binary {
		var at [4]float64
		for k := range all {
			slices.Sort(all[k])
			at[k] = quantile(all[k], q)
		}
		return Binary{at[0], at[1], at[2], at[3]}
	}
	tail := (1 - confidence) / 2
	return ends(tail), ends(1 - tail)
}

func count(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// Tags are the figures of BIO tagging (RA-MTR, section 5.3).
type Tags struct {
	Exact float64 `json:"exact"` // share of sequences whose tags are all right
	Spans Binary  `json:"spans"` // spans right from first to last word, over all sequences; no accuracy
}

// Tagging compares predicted BIO tags with the true ones, sequence by sequence. A
// span begins at a B, or at an I that follows no span, and goes on through I.
func Tagging(predicted, truth [][]string) (Tags, error) {
	if len(predicted) != len(truth) {
		return Tags{}, fmt.Errorf("%d tag sequences for %d examples", len(predicted), len(truth))
	}
	var exact, both, said, is int
	for i := range truth {
		if len(predicted[i]) != len(truth[i]) {
			return Tags{}, fmt.Errorf("example %d: %d tags for %d words", i+1, len(predicted[i]), len(truth[i]))
		}
		equal := true
		for j := range truth[i] {
			equal = equal && predicted[i][j] == truth[i][j]
		}
		if equal {
			exact++
		}
		p, t := spansOf(predicted[i]), spansOf(truth[i])
		said, is = said+len(p), is+len(t)
		known := map[[2]int]bool{}
		for _, s := range t {
			known[s] = true
		}
		for _, s := range p {
			if known[s] {
				both++
			}
		}
	}
	return Tags{Exact: ratio(exact, len(truth)), Spans: scoresOf(both, said, is)}, nil
}

func spansOf(tags []string) [][2]int {
	var out [][2]int
	open := false
	for i, t := range tags {
		switch {
		case t == "B" || t == "I" && !open:
			out = append(out, [2]int{i, i + 1})
			open = true
		case t == "I":
			out[len(out)-1][1] = i + 1
		default:
			open = false
		}
	}
	return out
}

func scoresOf(both, said, is int) Binary {
	return Binary{Precision: ratio(both, said), Recall: ratio(both, is), F1: ratio(2*both, said+is)}
}

func ratio(a, b int) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}
