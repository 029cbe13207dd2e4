package align

import (
	"math"
)

// confidence is the probability that a find is no chance find, when one in ten
// candidates at the threshold is: the odds double with every bit.
func confidence(over float64) float64 {
	return 1 / (1 + math.Exp2(-over-3.17))
}

// markedConfidence is the lesser of two: that of the evidence, and that of the
// size, a logistic function of matched words and of the share of the quotation that
// they are. Its weights follow the 830 candidates that Mullen's America's Public Bible
// labelled by hand (area under the curve .93), but are steeper than a regression's, so
// that at 0.9 precision and recall are both about .9 there.
func markedConfidence(over, similarity, cover float64, words int) float64 {
	size := sizeBase + sizeWords*math.Log2(1+float64(words)) + sizeCover*cover
	evidence := math.Ln2*(over+3.17) - unlikeWeight*(1-similarity)
	return logistic(min(size, evidence))
}

func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

func logit(p float64) float64 { return math.Log(p / (1 - p)) }
