package infer

import (
	"fmt"
	"math"
)

// BySentences is how a passage's score comes from those of its sentences. The zero value
// reads passages as a whole.
type BySentences struct {
	Sentences int     `json:"sentences,omitempty"` // the mean of so many of the best, of which those that are missing count 0
	Rest      float64 `json:"rest,omitempty"`      // beside Sentences: so many times the mean of all, by their words
	Rate      float64 `json:"rate,omitempty"`      // in place of Sentences: see [BySentences.AtRates]
}

const leastRate, mostRate = 0.001, 1000.0 // beyond any use; within them no score of a graph overflows

// Whole says that passages are read as a whole.
func (p BySentences) Whole() bool { return p == BySentences{} }

// String names all that it decides, for a fingerprint.
func (p BySentences) String() string {
	if p.Rate > 0 {
		return fmt.Sprintf("all sentences at rates of %v", p.Rate)
	}
	return fmt.Sprintf("the best %d sentences and %v of the rest", p.Sentences, p.Rest)
}

// AtRates pools scores as if readers chose sentences at random, each at the rate
// exp(Rate*score), so that the rates of a passage's sentences add up: the passage's score
// is ln(1 + their sum)/Rate, which is 0 where there is no sentence. It grows with each
// sentence, most with the best. shares are what each sentence has of it.
func (p BySentences) AtRates(scores []float64) (score float64, shares []float64) {
	highest := 0.0 // of the exponents, and of the 1, so that nothing overflows
	for _, s := range scores {
		highest = max(highest, p.Rate*s)
	}
	sum := 0.0
	shares = make([]float64, len(scores))
	for i, s := range scores {
		shares[i] = math.Exp(p.Rate*s - highest)
		sum += shares[i]
	}
	if sum == 0 {
		return 0, shares
	}
	score = (highest + math.Log(math.Exp(-highest)+sum)) / p.Rate
	if highest == 0 { // the sum may be small beside the 1
		score = math.Log1p(sum) / p.Rate
	}
	for i := range shares {
		shares[i] *= score / sum
	}
	return score, shares
}

// BySentences is what the model says of it.
func (m Manifest) BySentences() BySentences { return BySentences{m.Sentences, m.Rest, m.Rate} }

func (m Manifest) checkSentences(h *head) error {
	switch {
	case m.Sentences < 0:
		return fmt.Errorf("sentences is %d, expected 0 (passages as a whole) or more", m.Sentences)
	case !(m.Rest >= 0) || m.Rest > 0 && m.Sentences == 0:
		return fmt.Errorf("rest is %v, expected 0 or more, and only beside sentences", m.Rest)
	case m.Rate != 0 && !(m.Rate >= leastRate && m.Rate <= mostRate) || m.Rate != 0 && m.Sentences > 0:
		return fmt.Errorf("rate is %v, expected 0 or %v to %v, and not beside sentences", m.Rate, leastRate, mostRate)
	case !m.BySentences().Whole() && h != nil && !h.can(ScorePassages):
		return fmt.Errorf("sentences or rate is set, and head %s does not score sentences", m.Head)
	}
	return nil
}
