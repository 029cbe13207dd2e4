package label

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/label/internal/compare"
)

// GivenQuote is a quote that brings its own alignment, as the Quotus file has
// it: the paragraphs of the transcript that each segment stands in, and for each
// segment the places of its words in the paragraph.
type GivenQuote struct {
	ID, Text   string
	Similarity float64         // 0 is perfect
	Paragraphs []int           // of the segments
	Align      json.RawMessage // of the segments: lists of word numbers, or their first and last
}

// Agreement of two alignments of one quote.
const (
	Same        = "same"        // nine tenths of what either covers
	Overlapping = "overlapping" // something in common
	Apart       = "apart"       // at different places of the transcript
	NotFound    = "not found"   // not by us, in this transcript
)

const sameShare = 0.9

// Agreements compare the alignments that quotes of a transcript bring with ours,
// which name the quotes by quote_id. A quote whose own alignment does not fit
// the transcript's paragraphs is a reject.
//
// The file's documentation does not say whether it counts paragraphs and words
// from 0 or from 1: of the four readings, the one whose words have the most in
// common with the quote's is taken, the first of equals.
func Agreements(doc commonplace.Document, passages []commonplace.Passage, alignments []commonplace.Alignment, quotes []GivenQuote) ([]commonplace.Agreement, []commonplace.Reject) {
	book := newBook(doc, passages)
	ours := map[string][]commonplace.Alignment{}
	for _, a := range alignments {
		if a.QuoteID != "" && a.SourceID == doc.ID {
			ours[a.QuoteID] = append(ours[a.QuoteID], a)
		}
	}
	var rows []commonplace.Agreement
	var rejects []commonplace.Reject
	for _, q := range quotes {
		begin, end, err := book.given(q)
		if err != nil {
			rejects = append(rejects, commonplace.Reject{Stage: "label", ID: q.ID, Reason: ReasonGiven, Detail: err.Error(), Location: doc.ID})
			continue
		}
		row := commonplace.Agreement{
			QuoteID: q.ID, DocID: doc.ID, Text: q.Text, GivenBegin: begin, GivenEnd: end, GivenText: book.slice(begin, end),
			OursBegin: -1, OursEnd: -1, Verdict: NotFound, Distance: q.Similarity,
		}
		for _, a := range ours[q.ID] {
			shared := max(0, min(end, a.SourceEnd)-max(begin, a.SourceBegin))
			either := end - begin + a.SourceEnd - a.SourceBegin - shared
			share := float64(shared) / float64(either)
			if row.AlignmentID != "" && share <= row.Shared {
				continue
			}
			row.Shared, row.AlignmentID, row.OursBegin, row.OursEnd = share, a.ID, a.SourceBegin, a.SourceEnd
			first, _ := touched(book.passages, begin, end)
			own, _ := touched(book.passages, a.SourceBegin, a.SourceEnd)
			row.Paragraph = first == own
			switch {
			case share >= sameShare:
				row.Verdict = Same
			case share > 0:
				row.Verdict = Overlapping
			default:
				row.Verdict = Apart
			}
		}
		rows = append(rows, row)
	}
	return rows, rejects
}

// ReasonGiven says that a file's own alignment is of no words of its document.
const ReasonGiven = "given alignment does not fit"

// given is the span that a quote brings.
func (b *book) given(q GivenQuote) (begin, end int64, err error) {
	segments, err := segmentsOf(q.Align)
	switch {
	case err != nil:
		return 0, 0, err
	case b.broken != "":
		return 0, 0, fmt.Errorf("%s", b.broken)
	case len(segments) == 0 || len(segments) != len(q.Paragraphs):
		return 0, 0, fmt.Errorf("%d segments in %d paragraphs", len(segments), len(q.Paragraphs))
	}
	wanted := bagOfWords(q.Text)
	most := -1.0
	for paragraphBase := range 2 {
		for wordBase := range 2 {
			from, to, ok := b.reading(q.Paragraphs, segments, paragraphBase, wordBase)
			if !ok {
				continue
			}
			if s := sharedWords(wanted, bagOfWords(b.slice(from, to))); s > most {
				begin, end, most = from, to, s
			}
		}
	}
	if most < 0 {
		return 0, 0, fmt.Errorf("paragraphs %v, words %s: there are %d paragraphs", q.Paragraphs, q.Align, len(b.passages))
	}
	return begin, end, nil
}

// reading is the span from the first to the last word of all segments, when
// paragraphs and words count from the given numbers.
func (b *book) reading(paragraphs []int, segments [][2]int, paragraphBase, wordBase int) (begin, end int64, ok bool) {
	begin, end = -1, -1
	for i, s := range segments {
		p := paragraphs[i] - paragraphBase
		if p < 0 || p >= len(b.passages) {
			return 0, 0, false
		}
		words := tokens(b.passages[p].Text)
		first, last := s[0]-wordBase, s[1]-wordBase
		if first < 0 || last >= len(words) || last < first {
			return 0, 0, false
		}
		from, to := b.passages[p].Begin+int64(words[first].begin), b.passages[p].Begin+int64(words[last].end)
		if begin < 0 || from < begin {
			begin = from
		}
		end = max(end, to)
	}
	return begin, end, true
}

// sharedWords is the share of words that two bags have in common, repeats counted.
func sharedWords(a, b []string) float64 {
	a, b = slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b))
	shared := compare.InBoth(a, b)
	return float64(2*shared) / float64(max(1, len(a)+len(b)))
}

// segmentsOf are the first and last word of each segment. A segment is a list of
// numbers or a text of them; the segments are a list, or an object by their number.
func segmentsOf(raw json.RawMessage) ([][2]int, error) {
	var list []json.RawMessage
	if err := json.Unmarshal(raw, &list); err != nil {
		var object map[string]json.RawMessage
		if json.Unmarshal(raw, &object) != nil {
			return nil, fmt.Errorf("the words are %.60s, no list", raw)
		}
		for i := range len(object) {
			segment, ok := object[strconv.Itoa(i)]
			if !ok {
				return nil, fmt.Errorf("the words are %.60s, of which segment %d is missing", raw, i)
			}
			list = append(list, segment)
		}
	}
	var segments [][2]int
	for _, s := range list {
		first, last, n := 0, 0, 0
		for _, f := range strings.FieldsFunc(string(s), func(r rune) bool { return strings.ContainsRune(" ,[]\"\n\r\t", r) }) {
			k, err := strconv.Atoi(f)
			if err != nil || k < 0 {
				return nil, fmt.Errorf("the words of a segment are %.60s", s)
			}
			if n++; n == 1 || k < first {
				first = k
			}
			last = max(last, k)
		}
		if n == 0 {
			return nil, fmt.Errorf("a segment has no words: %.60s", s)
		}
		segments = append(segments, [2]int{first, last})
	}
	return segments, nil
}
