package rank

import (
	"math"
	"strings"
	"unicode"

	"github.com/commonplace/commonplace"
)

// A line is what a reader copies out of a passage. Its rules are the constants and
// the two functions of this file.
const (
	leastWords       = 4   // of a sentence that can be quoted
	leastExclaimed   = 6   // of one that ends with an exclamation mark: "Good Lord, sir!" is none
	mostWords        = 60  // of a line
	mostSentences    = 3   // of a line
	joinFrom         = 0.5 // share of the best sentence's score that a neighbour needs to join it
	together         = 0.3 // what sentences that belong together gain, for each unit of the log of their number
	captionBeginning = "[Illustration"
)

// Sentence is a sentence with the score that a model gives it as a line.
type Sentence struct {
	Words     int // runs between white space
	Number    int // among all sentences of its document
	Paragraph int // number of the paragraph that it is in
	Score     float64
}

// Quotable says that a sentence can be a line or a part of one, by its text and its
// number of words: no exclamation, nothing of a word or two, nothing in capitals
// alone, no caption. Headings are the caller's to leave out.
func Quotable(text string, words int) bool {
	if words < leastWords || strings.HasPrefix(text, captionBeginning) {
		return false
	}
	if words < leastExclaimed && strings.HasSuffix(strings.TrimRight(text, "\"'”’»)]_* "), "!") {
		return false
	}
	return strings.ContainsFunc(text, unicode.IsLower) || !strings.ContainsFunc(text, unicode.IsUpper) // some scripts have no case
}

// Line is the best line of a passage's quotable sentences, which are in order, and
// its score; it is of[begin:end], of which there is none where both are equal: the
// sentence with the highest score (the first of equals), joined by its neighbours
// in the paragraph as long as they have joinFrom of its score or more and the line
// has at most mostSentences and mostWords. The better neighbour comes first, and
// the one behind where both are equal. A sentence of more than mostWords is in no
// line. The line's score is the mean of its sentences' scores, and more if they are
// several: of 4,936 lines of 76 books, those of one sentence were worth repeating in
// 21 of 100 cases, those of three in 49, since neighbours explain each other.
func Line(of []Sentence) (begin, end int, score float64) {
	best := -1
	for i, s := range of {
		if s.Words <= mostWords && (best < 0 || s.Score > of[best].Score) {
			best = i
		}
	}
	if best < 0 {
		return 0, 0, 0
	}
	begin, end = best, best+1
	words := of[best].Words
	joins := func(inner, outer int) bool {
		if outer < 0 || outer >= len(of) || words+of[outer].Words > mostWords {
			return false
		}
		a, b := of[inner], of[outer]
		return a.Paragraph == b.Paragraph && a.Number-b.Number == inner-outer && near(of[best].Score, b.Score)
	}
	for more := true; more && end-begin < mostSentences; {
		before, behind := joins(begin, begin-1), joins(end-1, end)
		switch {
		case behind && (!before || of[end].Score >= of[begin-1].Score):
			words += of[end].Words
			end++
		case before:
			begin--
			words += of[begin].Words
		default:
			more = false
		}
	}
	for _, s := range of[begin:end] {
		score += s.Score / float64(end-begin)
	}
	score += together * math.Log(float64(end-begin)) * math.Abs(score)
	return begin, end, score
}

// near says that a neighbour of the best sentence is good enough to join it. Scores
// below 0 have no shares: there only the equal joins.
func near(best, score float64) bool {
	if best <= 0 {
		return score == best
	}
	return score >= joinFrom*best
}

// Owners gives each sentence the place of the passage that holds most of it, the
// first where several hold as much, and -1 where none holds any. Both are in order
// of their begins; sentences do not overlap, passages may.
func Owners(sentences, passages []commonplace.Span) []int {
	owners := make([]int, len(sentences))
	from := 0 // passages before it end before the sentence
	for i, s := range sentences {
		for from < len(passages) && passages[from].End <= s.Begin {
			from++
		}
		owners[i] = -1
		most := 0
		for k := from; k < len(passages) && passages[k].Begin < s.End; k++ {
			if n := s.Overlap(passages[k]); n > most {
				owners[i], most = k, n
			}
		}
	}
	return owners
}
