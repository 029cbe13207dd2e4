package eval

import (
	"strings"
	"unicode"
)

// answerWords are the words of a span as question answering compares them:
// lower case, without punctuation and English articles (Rajpurkar et al. 2016).
func answerWords(span string) []string {
	plain := strings.Map(func(r rune) rune {
		if r < 128 && (unicode.IsPunct(r) || unicode.IsSymbol(r)) {
			return -1
		}
		return r
	}, strings.ToLower(span))
	words := strings.Fields(plain)
	kept := words[:0]
	for _, w := range words {
		if w != "a" && w != "an" && w != "the" {
			kept = append(kept, w)
		}
	}
	return kept
}

// ExactMatch is 1 when the predicted span has the words of the true one in their
// order, 0 otherwise, after lower-casing and without punctuation and articles
// (SQuAD's EM, as in context-based quotation recommendation and RA-MTR).
func ExactMatch(predicted, truth string) float64 {
	if strings.Join(answerWords(predicted), " ") == strings.Join(answerWords(truth), " ") {
		return 1
	}
	return 0
}

// SpanF1 is the bag-of-words F1 of a predicted span and the true one, 0 to 1,
// on the words of [ExactMatch]. Two spans without words are equal.
func SpanF1(predicted, truth string) float64 {
	p, t := answerWords(predicted), answerWords(truth)
	if len(p) == 0 || len(t) == 0 {
		return ExactMatch(predicted, truth)
	}
	left := map[string]int{}
	for _, w := range t {
		left[w]++
	}
	common := 0
	for _, w := range p {
		if left[w] > 0 {
			left[w]--
			common++
		}
	}
	return 2 * float64(common) / float64(len(p)+len(t))
}

// BestOf is the best value that metric gives to any of the first k predictions,
// which stand best first (RA-MTR's top-3). It is 0 without predictions.
func BestOf(metric func(predicted, truth string) float64, predictions []string, truth string, k int) float64 {
	best := 0.0
	for _, p := range predictions[:min(k, len(predictions))] {
		best = max(best, metric(p, truth))
	}
	return best
}
