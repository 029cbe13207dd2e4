package eval

import "math"

// run is passages of one score.
type run struct {
	begin    int // passages that score higher
	size     int
	relevant int
	before   int // relevant passages that score higher
}

func runs(scores []float64, relevant []bool) (out []run, total int) {
	places, groups := order(scores)
	return runsOf(places, groups, relevant)
}

func runsOf(places, groups []int, relevant []bool) (out []run, total int) {
	begin := 0
	for _, end := range groups {
		r := run{begin: begin, size: end - begin, before: total}
		for _, p := range places[begin:end] {
			if relevant[p] {
				r.relevant++
			}
		}
		total += r.relevant
		out = append(out, r)
		begin = end
	}
	return out, total
}

// AveragePrecision is the mean, over the relevant passages, of the precision at
// the rank of each (mAP is its mean over queries). NaN when none is relevant.
func AveragePrecision(scores []float64, relevant []bool) float64 {
	return averagePrecision(runs(scores, relevant))
}

func averagePrecision(all []run, total int) float64 {
	sum := 0.0
	for _, r := range all {
		n, rel := float64(r.size), float64(r.relevant)
		for i := 1; i <= r.size && r.relevant > 0; i++ {
			// The i-th place of the run is relevant with probability rel/n; then
			// each of the i-1 before it is with probability (rel-1)/(n-1).
			within := 0.0
			if r.size > 1 {
				within = float64(i-1) * (rel - 1) / (n - 1)
			}
			sum += rel / n * (float64(r.before) + 1 + within) / float64(r.begin+i)
		}
	}
	return sum / float64(total)
}

// hits is the expected number of relevant passages among the first k.
func hits(scores []float64, relevant []bool, k int) (expected float64, total int) {
	all, total := runs(scores, relevant)
	return hitsAt(all, k), total
}

func hitsAt(all []run, k int) (expected float64) {
	for _, r := range all {
		taken := min(max(k-r.begin, 0), r.size)
		expected += float64(r.relevant) * float64(taken) / float64(r.size)
	}
	return expected
}

// PrecisionAt is the share of the first k places that is relevant; places
// beyond the last passage are not.
func PrecisionAt(scores []float64, relevant []bool, k int) float64 {
	h, _ := hits(scores, relevant, k)
	return h / float64(k)
}

// RecallAt is the share of the relevant passages that is among the first k. NaN
// when none is relevant.
func RecallAt(scores []float64, relevant []bool, k int) float64 {
	h, total := hits(scores, relevant, k)
	return h / float64(total)
}

// AccuracyAt is whether a relevant passage is among the first k (context-based
// quotation recommendation, Acc@k): 1 or 0, or between when ties decide. NaN
// when none is relevant.
func AccuracyAt(scores []float64, relevant []bool, k int) float64 {
	all, total := runs(scores, relevant)
	return accuracyAt(all, total, k)
}

func accuracyAt(all []run, total, k int) float64 {
	if total == 0 {
		return math.NaN()
	}
	for _, r := range all {
		if r.begin >= k {
			return 0
		}
		if r.relevant == 0 {
			continue
		}
		// None of the taken is relevant: draws without replacement.
		none := 1.0
		for i := range min(k-r.begin, r.size) {
			none *= max(0, float64(r.size-r.relevant-i)) / float64(r.size-i)
		}
		return 1 - none
	}
	return 0
}

// MeanRank is the mean rank of the relevant passages, from 1; equal scores share
// the mean of their ranks (RELiC, section 4). NaN when none is relevant.
func MeanRank(scores []float64, relevant []bool) float64 {
	sum, n := 0.0, 0
	for i, r := range AverageRanks(scores) {
		if relevant[i] {
			sum += float64(len(scores)) + 1 - r
			n++
		}
	}
	return sum / float64(n)
}

// AUC is the probability that a relevant passage scores higher than one that is
// not, equal scores counting half: the area under the ROC curve. NaN when all or
// none are relevant.
func AUC(scores []float64, relevant []bool) float64 { return auc(AverageRanks(scores), relevant) }

func auc(ranks []float64, relevant []bool) float64 {
	sum, n := 0.0, 0
	for i, r := range ranks {
		if relevant[i] {
			sum += r
			n++
		}
	}
	return (sum - float64(n)*float64(n+1)/2) / (float64(n) * float64(len(ranks)-n))
}
