package ranking

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/infer"
	"github.com/commonplace/commonplace/label"
	"github.com/commonplace/commonplace/pipelines/ingest"
	"github.com/commonplace/commonplace/rank"
	"github.com/commonplace/commonplace/segment"
)

// mostSentences are reasons that are kept, and sentenceLength is how many code
// points of a sentence one shows.
const mostSentences, sentenceLength = 6, 100

// scoredBy names all that decides a passage's score.
func scoredBy(m *infer.Model, by infer.BySentences) string {
	if genreOf(m) == label.Latin { // scores of before sections were marked are of other texts
		return contentsOf(m) + ", sections marked"
	}
	if by.Whole() {
		return contentsOf(m)
	}
	return fmt.Sprintf("%s, %v by revision %d", contentsOf(m), by, ingest.Segment{}.Identity().Revision)
}

// reading is what is scored for a passage: quotable sentences of a text, which is
// the document's, or the passage's own.
type reading struct {
	text      string
	sentences []rank.Sentence
	bytes     []segment.Piece    // of the text, where they are
	unit      bool               // the one sentence is the passage
	spans     []commonplace.Span // the same in the document
}

func (r *reading) add(s segment.Piece, span commonplace.Span, one rank.Sentence) {
	r.bytes, r.spans, r.sentences = append(r.bytes, s), append(r.spans, span), append(r.sentences, one)
}

func (r *reading) sentence(i int) string { return r.text[r.bytes[i].Begin:r.bytes[i].End] }

// readings are the quotable sentences of each passage of a document. A sentence is
// whole wherever passages end, and belongs to the passage that holds most of it;
// where passages are units that may end within a sentence, such as verses, the unit
// is read in its place. Headings are left out.
func readings(text string, of []commonplace.Passage) []reading {
	if len(of) > 0 && segment.EndsWithinSentences(of[0].By) {
		return unitReadings(of)
	}
	points := commonplace.NewOffsets(text)
	var pieces []segment.Piece
	var sentences []rank.Sentence
	var spans, passages []commonplace.Span
	number := 0
	for s := range segment.Sentences(text) {
		number++
		if s.Heading || !rank.Quotable(text[s.Begin:s.End], s.Words) {
			continue
		}
		span := commonplace.Span{Begin: points.Point(s.Begin), End: points.Point(s.End)}
		pieces, spans = append(pieces, s.Piece), append(spans, span)
		sentences = append(sentences, rank.Sentence{Words: s.Words, Number: number, Paragraph: s.Paragraph})
	}
	for _, p := range of {
		passages = append(passages, commonplace.Span{Begin: int(p.Begin), End: int(p.End)})
	}
	read := make([]reading, len(of))
	for i, k := range rank.Owners(spans, passages) {
		if k >= 0 {
			read[k].text = text
			read[k].add(pieces[i], spans[i], sentences[i])
		}
	}
	return read
}

// unitReadings read each passage as the one sentence that there is.
func unitReadings(of []commonplace.Passage) []reading {
	read := make([]reading, len(of))
	for i, p := range of {
		if words := len(strings.Fields(p.Text)); words > 0 && !p.Heading {
			read[i] = reading{text: p.Text, unit: true}
			read[i].add(segment.Piece{End: len(p.Text)}, commonplace.Span{Begin: int(p.Begin), End: int(p.End)}, rank.Sentence{Words: words})
		}
	}
	return read
}

// scoreSentences scores each passage by its quotable sentences, each read at
// the passage's place, which are pooled. A paragraph is quoted for a line in it,
// which the words around would hide. The reasons are the best sentences, the best
// first.
func scoreSentences(ctx context.Context, m *infer.Model, passages []commonplace.Passage, read []reading, by infer.BySentences) ([]commonplace.Score, error) {
	var texts []commonplace.Passage
	for k, p := range passages {
		for i := range read[k].sentences {
			one := p
			one.Text = read[k].sentence(i)
			texts = append(texts, one)
		}
	}
	scores, err := m.ScoreSentences(ctx, texts)
	if err != nil {
		return nil, err
	}
	out := make([]commonplace.Score, len(passages))
	for k, p := range passages {
		n := len(read[k].sentences)
		out[k] = m.Unscored(p)
		ofSentences(&out[k], read[k], scores[:n], by)
		scores = scores[n:]
	}
	return out, nil
}

// ofSentences fills a passage's row by the scores of its sentences.
func ofSentences(out *commonplace.Score, read reading, scores []infer.SentenceScore, by infer.BySentences) {
	if read.unit && by.Rate == 0 {
		by.Sentences, by.Rest = 1, 0
	}
	words, sum := 0, 0.0
	values := make([]float64, len(scores))
	for i, s := range scores {
		out.Truncated = out.Truncated || s.Truncated
		read.sentences[i].Score = s.Line
		words += read.sentences[i].Words
		sum += s.Score * float64(read.sentences[i].Words)
		values[i] = s.Score
	}
	var reasons []commonplace.Reason
	if by.Rate > 0 {
		out.Score, values = by.AtRates(values)
		reasons = sentenceReasons(read, values)
	} else {
		for i := range values {
			values[i] /= float64(by.Sentences)
		}
		reasons = sentenceReasons(read, values)
		reasons = reasons[:min(by.Sentences, len(reasons))]
		for _, r := range reasons {
			out.Score += r.Effect
		}
		out.Score += by.Rest * sum / float64(max(1, words))
	}
	out.Reasons = reasons[:min(mostSentences, len(reasons))]
	for i, r := range out.Reasons {
		out.Reasons[i].Feature = "sentence " + inQuotes(r.Feature)
	}
	if from, to, score := rank.Line(read.sentences); from < to {
		line := read.text[read.bytes[from].Begin:read.bytes[to-1].End]
		first, last := rank.Unquoted(line)
		begin := int64(read.spans[from].Begin + utf8.RuneCountInString(line[:first]))
		end := int64(read.spans[to-1].End - utf8.RuneCountInString(line[last:]))
		out.BestBegin, out.BestEnd, out.BestScore, out.BestText = &begin, &end, &score, line[first:last]
	}
}

// sentenceReasons are the sentences with their effects, the best first.
func sentenceReasons(read reading, effects []float64) []commonplace.Reason {
	reasons := make([]commonplace.Reason, len(effects))
	for i, effect := range effects {
		reasons[i] = commonplace.Reason{Feature: read.sentence(i), Effect: effect}
	}
	slices.SortStableFunc(reasons, func(a, b commonplace.Reason) int { return cmp.Compare(b.Effect, a.Effect) })
	return reasons
}

// inQuotes is the beginning of a sentence in quotation marks, on one line.
func inQuotes(sentence string) string {
	line := []rune(strings.Join(strings.Fields(sentence), " "))
	if len(line) > sentenceLength {
		line = append(line[:sentenceLength], '…')
	}
	return "“" + string(line) + "”"
}
