package pipelines

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/infer"
	"github.com/commonplace/commonplace/segment"
)

// sentenceLength is how many code points of a sentence its reason shows.
const sentenceLength = 100

// scoreSentences scores each passage by its sentences, each read alone: the mean
// of the best of them, as many as best says. A paragraph is quoted for a line in
// it, which the words around would hide. The reasons are these sentences.
func scoreSentences(ctx context.Context, m *infer.Model, passages []commonplace.Passage, best int) ([]commonplace.Score, error) {
	var sentences []commonplace.Passage
	ends := make([]int, len(passages)) // of each passage among the sentences
	for i, p := range passages {
		begin := len(sentences)
		for s := range segment.BySentences(p.Text) {
			one := p
			one.Text = p.Text[s.Begin:s.End]
			sentences = append(sentences, one)
		}
		if len(sentences) == begin {
			sentences = append(sentences, p)
		}
		ends[i] = len(sentences)
	}
	scores, err := m.Score(ctx, sentences)
	if err != nil {
		return nil, err
	}
	out, begin := make([]commonplace.Score, len(passages)), 0
	for i, end := range ends {
		out[i] = ofSentences(sentences[begin:end], scores[begin:end], best)
		begin = end
	}
	return out, nil
}

// ofSentences is a passage's score by the scores of its sentences.
func ofSentences(sentences []commonplace.Passage, scores []commonplace.Score, best int) commonplace.Score {
	order := make([]int, len(scores)) // the best first, of equal ones the earlier
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b].Score, scores[a].Score) })
	order = order[:min(best, len(order))]
	out := scores[0]
	out.Score, out.Reasons = 0, nil
	for i := range scores {
		out.Truncated = out.Truncated || scores[i].Truncated
	}
	for _, i := range order {
		share := scores[i].Score / float64(len(order))
		out.Score += share
		out.Reasons = append(out.Reasons, commonplace.Reason{Feature: inQuotes(sentences[i].Text), Effect: share})
	}
	return out
}

// inQuotes is the beginning of a sentence in quotation marks, on one line.
func inQuotes(sentence string) string {
	line := []rune(strings.Join(strings.Fields(sentence), " "))
	if len(line) > sentenceLength {
		return fmt.Sprintf("“%s…”", string(line[:sentenceLength]))
	}
	return fmt.Sprintf("“%s”", string(line))
}
