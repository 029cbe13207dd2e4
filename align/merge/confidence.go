package merge

import "math"

const (
	nearBonus    = 1.0  // logit for another quotation of the same source near by
	nearSymbols  = 3000 // code points within which it must be on either side
	sureNear     = 0.5  // confidence that it needs
	sizeBase     = -8.376
	sizeWords    = 3.503 // per log2(1 + matched words)
	sizeCover    = 3.612 // for the whole quotation matched
	listBase     = 2.8   // log2 of the odds of a listed quote's find at the threshold
	listSlope    = 0.34  // and for each bit over it
	unlikeWeight = 8.0   // logit against, for a similarity of 0
)

// Confidence is the probability that a match is not by chance, if one in ten
// candidates at the threshold is not: the odds double with each bit over it.
func Confidence(over float64) float64 {
	return 1 / (1 + math.Exp2(-over-3.17))
}

// ListConfidence is the posterior of a find of a listed quote with so many bits more than it needs, if half of the
// list's entries are in the collection. A bit of evidence is worth a third of a bit: chance matches by texts on the
// same subject are likelier than words drawn at random. Both numbers were fitted (docs/alignment.md).
func ListConfidence(over float64) float64 { return 1 / (1 + math.Exp2(-listBase-listSlope*over)) }

// MarkedConfidence is the lesser of two: that of the evidence, and that of the
// size, a logistic function of matched words and of the fraction of the quotation that
// they are. Its weights follow the 830 candidates that Mullen's America's Public Bible
// labelled by hand (area under the curve .93), but are steeper than a regression's, so
// that at 0.9 precision and recall are both about .9 there.
func MarkedConfidence(over, similarity, cover float64, words int) float64 {
	size := sizeBase + sizeWords*math.Log2(1+float64(words)) + sizeCover*cover
	evidence := math.Ln2*(over+3.17) - unlikeWeight*(1-similarity)
	return logistic(min(size, evidence))
}

func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

func logit(p float64) float64 { return math.Log(p / (1 - p)) }
