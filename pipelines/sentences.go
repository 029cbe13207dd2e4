package pipelines

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/infer"
	"github.com/commonplace/commonplace/segment"
)

// mostSentences are reasons that are kept, and sentenceLength is how many code
// points of a sentence one shows.
const mostSentences, sentenceLength = 6, 100

// moreTexts are texts that models were given beyond one a passage.
var moreTexts atomic.Int64

// scoredBy names all that decides a passage's score.
func scoredBy(m *infer.Model, sentences int) string {
	if sentences == 0 {
		return contentsOf(m)
	}
	return fmt.Sprintf("%s, the best %d sentences by revision %d", contentsOf(m), sentences, segmentStage.revision)
}

// scoreSentences scores each passage by its sentences, each read alone at the
// passage's place: the mean of the best of them, as many as best says, of which
// those that a passage lacks count 0. A paragraph is quoted for a line in it, which
// the words around would hide. The reasons are these sentences, the best first.
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
	moreTexts.Add(int64(len(sentences) - len(passages)))
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
	out, reasons := scores[0], make([]commonplace.Reason, len(scores))
	for i, s := range scores {
		out.Truncated = out.Truncated || s.Truncated
		reasons[i] = commonplace.Reason{Feature: sentences[i].Text, Effect: s.Score / float64(best)}
	}
	slices.SortStableFunc(reasons, func(a, b commonplace.Reason) int { return cmp.Compare(b.Effect, a.Effect) })
	reasons = reasons[:min(best, len(reasons))]
	out.Score = 0
	for _, r := range reasons {
		out.Score += r.Effect
	}
	out.Reasons = reasons[:min(mostSentences, len(reasons))]
	for i, r := range out.Reasons {
		out.Reasons[i].Feature = "sentence " + inQuotes(r.Feature)
	}
	return out
}

// inQuotes is the beginning of a sentence in quotation marks, on one line.
func inQuotes(sentence string) string {
	line := []rune(strings.Join(strings.Fields(sentence), " "))
	if len(line) > sentenceLength {
		line = append(line[:sentenceLength], '…')
	}
	return "“" + string(line) + "”"
}
