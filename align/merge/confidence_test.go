package merge

import (
	"cmp"
	"encoding/csv"
	"hash/fnv"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
)

// labelled is a candidate quotation that somebody judged.
type labelled struct {
	verse        string
	words, cover float64
	genuine      bool
}

func readLabelled(t *testing.T) []labelled {
	f, err := os.Open(filepath.Join("..", "..", "shared", "data", "kjv", "labelled-candidates-train.csv"))
	if err != nil {
		t.Skip("the labelled candidates of America's Public Bible are not there: ", err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var out []labelled
	for _, r := range rows[1:] {
		words, _ := strconv.ParseFloat(r[3], 64)
		cover, _ := strconv.ParseFloat(r[5], 64)
		out = append(out, labelled{r[0], words, min(1, cover), r[2] == "quotation"})
	}
	return out
}

// fitSize is a logistic regression on log2(1+words) and cover, by Newton's steps.
func fitSize(of []labelled) (w [3]float64) {
	for range 30 {
		var g [3]float64
		var h [3][3]float64
		for _, c := range of {
			x := [3]float64{1, math.Log2(1 + c.words), c.cover}
			p := logistic(w[0] + w[1]*x[1] + w[2]*x[2])
			y := 0.0
			if c.genuine {
				y = 1
			}
			for i := range x {
				g[i] += (y - p) * x[i]
				for j := range x {
					h[i][j] += p * (1 - p) * x[i] * x[j]
				}
			}
		}
		for i := range h { // a little ridge keeps it solvable
			h[i][i] += 1e-9
		}
		// Gauss-Jordan.
		for i := range h {
			for k := range h {
				if k != i {
					q := h[k][i] / h[i][i]
					for j := range h {
						h[k][j] -= q * h[i][j]
					}
					g[k] -= q * g[i]
				}
			}
		}
		for i := range w {
			w[i] += g[i] / h[i][i]
		}
	}
	return w
}

// separation is how well p parts the genuine from the others: the area under the
// curve, and precision, recall and F1 where p is threshold or more.
func separation(of []labelled, p []float64, threshold float64) (auc, precision, recall, f1 float64) {
	order := make([]int, len(of))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	below, pairs, genuine, kept, right := 0.0, 0.0, 0.0, 0.0, 0.0
	for i := 0; i < len(order); {
		j, yes, no := i, 0.0, 0.0
		for ; j < len(order) && p[order[j]] == p[order[i]]; j++ {
			if of[order[j]].genuine {
				yes++
			} else {
				no++
			}
		}
		pairs += yes * (below + no/2)
		below += no
		genuine += yes
		if p[order[i]] >= threshold {
			kept, right = kept+yes+no, right+yes
		}
		i = j
	}
	precision, recall = right/kept, right/genuine
	return pairs / (genuine * below), precision, recall, 2 * precision * recall / (precision + recall)
}

// The size of a marked quotation separates the candidates that were judged by
// hand as well as weights that are learned from other verses do; and the committed
// weights, which are steeper than the regression's, put the threshold of 0.9 where
// precision and recall are about the same.
func TestConfidenceSeparatesLabelledCandidates(t *testing.T) {
	of := readLabelled(t)
	fit := fitSize(of)
	t.Logf("%d candidates; regression %.3f %.3f %.3f, committed %.3f %.3f %.3f", len(of), fit[0], fit[1], fit[2], sizeBase, sizeWords, sizeCover)
	committed, held := make([]float64, len(of)), make([]float64, len(of))
	const folds = 10 // by verse
	foldOf := func(c labelled) uint32 {
		h := fnv.New32a()
		h.Write([]byte(c.verse))
		return h.Sum32() % folds
	}
	for k := range uint32(folds) {
		var others []labelled
		for _, c := range of {
			if foldOf(c) != k {
				others = append(others, c)
			}
		}
		w := fitSize(others)
		for i, c := range of {
			if foldOf(c) == k {
				held[i] = logistic(w[0] + w[1]*math.Log2(1+c.words) + w[2]*c.cover)
			}
			committed[i] = logistic(sizeBase + sizeWords*math.Log2(1+c.words) + sizeCover*c.cover)
		}
	}
	area, precision, recall, f1 := separation(of, committed, 0.9)
	t.Logf("committed weights: area under the curve %.3f; at 0.9 precision %.3f, recall %.3f, F1 %.3f", area, precision, recall, f1)
	best := 0.0
	for threshold := 0.05; threshold < 1; threshold += 0.05 {
		a, p, r, f := separation(of, held, threshold)
		t.Logf("learned from other verses: area %.3f; at %.2f precision %.3f, recall %.3f, F1 %.3f", a, threshold, p, r, f)
		best = max(best, f)
		if area < a-0.01 {
			t.Errorf("the committed weights separate worse: area %.3f, learned %.3f", area, a)
		}
	}
	if area < 0.92 || f1 < best-0.01 || math.Abs(precision-recall) > 0.03 {
		t.Errorf("area %.3f, precision %.3f and recall %.3f at 0.9; the best F1 of learned weights is %.3f", area, precision, recall, best)
	}
}
