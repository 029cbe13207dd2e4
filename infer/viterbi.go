package infer

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// viterbi finds the best path of labels under a linear-chain CRF (Lafferty et
// al., 2001). Without transitions of the model's own it forbids what BIO
// forbids, I after O or at the beginning, and nothing else.
type viterbi struct {
	names       [3]string
	transitions [3][3]float64 // from, to
	start, stop [3]float64
}

func newViterbi(l *Labels) (*viterbi, error) {
	if sorted := slices.Sorted(slices.Values(l.Names)); !slices.Equal(sorted, []string{"B", "I", "O"}) {
		return nil, fmt.Errorf("tag.names is %v, expected O, B and I in the order of the logits", l.Names)
	}
	v := &viterbi{names: [3]string(l.Names)}
	if l.Transitions == nil && l.Start == nil && l.Stop == nil {
		o, i := slices.Index(l.Names, "O"), slices.Index(l.Names, "I")
		v.transitions[o][i], v.start[i] = math.Inf(-1), math.Inf(-1)
		return v, nil
	}
	if len(l.Transitions) != 3 || slices.ContainsFunc(l.Transitions, func(r []float64) bool { return len(r) != 3 }) {
		return nil, errors.New("tag.transitions is not 3 rows of 3")
	}
	for i, r := range l.Transitions {
		v.transitions[i] = [3]float64(r)
	}
	for _, side := range []struct {
		name string
		from []float64
		to   *[3]float64
	}{{"tag.start", l.Start, &v.start}, {"tag.stop", l.Stop, &v.stop}} {
		switch len(side.from) {
		case 0:
		case 3:
			*side.to = [3]float64(side.from)
		default:
			return nil, fmt.Errorf("%s is not 3 numbers", side.name)
		}
	}
	return v, nil
}

// label writes the best path, its marginals and its spans.
func (v *viterbi) label(logits [][]float32, t *Tagging) {
	n := len(logits)
	if n == 0 {
		return
	}
	path := v.path(logits)
	marginals := v.marginals(logits)
	for i, l := range path {
		t.Labels = append(t.Labels, v.names[l])
		t.Marginals = append(t.Marginals, marginals[i][l])
	}
	t.spans()
}

// path is the labels with the largest sum of logits and transitions; the lower
// label among equals.
func (v *viterbi) path(logits [][]float32) []int {
	n := len(logits)
	back := make([][3]int, n)
	var best [3]float64
	for l := range 3 {
		best[l] = v.start[l] + float64(logits[0][l])
	}
	for i := 1; i < n; i++ {
		var next [3]float64
		for l := range 3 {
			from := 0
			for k := 1; k < 3; k++ {
				if best[k]+v.transitions[k][l] > best[from]+v.transitions[from][l] {
					from = k
				}
			}
			back[i][l] = from
			next[l] = best[from] + v.transitions[from][l] + float64(logits[i][l])
		}
		best = next
	}
	last := 0
	for l := 1; l < 3; l++ {
		if best[l]+v.stop[l] > best[last]+v.stop[last] {
			last = l
		}
	}
	path := make([]int, n)
	for i := n - 1; i >= 0; i-- {
		path[i] = last
		last = back[i][last]
	}
	return path
}

// marginals is the probability of every label at every token, by the forward and
// backward sums.
func (v *viterbi) marginals(logits [][]float32) [][3]float64 {
	n := len(logits)
	forward, backward := make([][3]float64, n), make([][3]float64, n)
	for l := range 3 {
		forward[0][l] = v.start[l] + float64(logits[0][l])
		backward[n-1][l] = v.stop[l]
	}
	for i := 1; i < n; i++ {
		for l := range 3 {
			var s [3]float64
			for k := range 3 {
				s[k] = forward[i-1][k] + v.transitions[k][l]
			}
			forward[i][l] = logSumExp(s) + float64(logits[i][l])
		}
	}
	for i := n - 2; i >= 0; i-- {
		for k := range 3 {
			var s [3]float64
			for l := range 3 {
				s[l] = v.transitions[k][l] + float64(logits[i+1][l]) + backward[i+1][l]
			}
			backward[i][k] = logSumExp(s)
		}
	}
	out := make([][3]float64, n)
	for i := range n {
		var s [3]float64
		for l := range 3 {
			s[l] = forward[i][l] + backward[i][l]
		}
		total := logSumExp(s)
		for l := range 3 {
			out[i][l] = math.Exp(s[l] - total)
		}
	}
	return out
}

func logSumExp(s [3]float64) float64 {
	most := max(s[0], s[1], s[2])
	if math.IsInf(most, -1) {
		return most
	}
	return most + math.Log(math.Exp(s[0]-most)+math.Exp(s[1]-most)+math.Exp(s[2]-most))
}
