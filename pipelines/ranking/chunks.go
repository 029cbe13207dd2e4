package ranking

import (
	"slices"
	"sort"
	"strings"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/segment"
)

// A retriever may read a book in other pieces than the reader that is taught by its passages:
// RA-MTR retrieves chunks of 1,200 characters and judges them by the paragraph that is quoted
// (sections 5.1 and 8.2).

// chunked is the text of a document's passages, a blank line between them, cut into chunks.
type chunked struct {
	candidates []offered
	runs       []commonplace.Span // of each candidate, in code points of the joined text
	places     []int64            // of each code point of the joined text, its place in the document
	text       []rune
}

// intoChunks takes the passages of one document in order; no two of them overlap.
func intoChunks(passages []commonplace.Passage, by segment.Segmenter) chunked {
	var r chunked
	for i, p := range passages {
		if i > 0 {
			r.text = append(r.text, '\n', '\n')
			r.places = append(r.places, passages[i-1].End, passages[i-1].End)
		}
		for k, c := range []rune(p.Text) {
			r.text, r.places = append(r.text, c), append(r.places, p.Begin+int64(k))
		}
	}
	text := string(r.text)
	for c := range segment.Passages(commonplace.Document{Text: text}, by) {
		begin, end := int(c.Begin), int(c.End)
		id := commonplace.PassageID(passages[0].DocID+":"+by.By, c.Index)
		r.candidates = append(r.candidates, offered{id: id, index: c.Index, text: c.Text, begin: r.places[begin], end: r.places[end-1] + 1})
		r.runs = append(r.runs, commonplace.Span{Begin: begin, End: end})
	}
	return r
}

// holding are the candidates that have a part of code points [begin, end) of the document, and
// the place and text in that which has most of it, the first of several.
func (r chunked) holding(begin, end int64) (ids []string, most answerSpan, part string) {
	at := func(place int64) int {
		return sort.Search(len(r.places), func(k int) bool { return r.places[k] >= place })
	}
	from, to := at(begin), at(end)
	for i, run := range r.runs {
		span := commonplace.Span{Begin: max(from, run.Begin) - run.Begin, End: min(to, run.End) - run.Begin}
		if span.End <= span.Begin {
			continue
		}
		text := string(r.text[run.Begin+span.Begin : run.Begin+span.End])
		if strings.TrimSpace(text) == "" {
			continue
		}
		ids = append(ids, r.candidates[i].id)
		if span.End-span.Begin > most.End-most.Begin {
			most, part = answerSpan{r.candidates[i].id, span}, text
		}
	}
	return ids, most, part
}

// textOf is the text of the passage with an id.
func textOf(passages []commonplace.Passage, id string) string {
	if i := slices.IndexFunc(passages, func(p commonplace.Passage) bool { return p.ID == id }); i >= 0 {
		return passages[i].Text
	}
	return ""
}
