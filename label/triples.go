package label

import (
	"cmp"
	"fmt"
	"slices"
	"sort"

	"github.com/commonplace/commonplace"
)

// Triples makes one example of every alignment of a document: quote, context
// and positive passage, with BIO tags (RA-MTR, Appendix D, Algorithms 1 to 4).
//
// passages are all passages of the document; alignments all those whose source
// it is, from a quote list or from other documents. Both may come in any order.
// Examples are sorted by quote_begin, quote_end and context_id; rejects by id.
// Every alignment gives one example or one reject (a [Reason]).
//
// Two of the paper's listings have slips, and this function does what its text
// says instead. Algorithm 3 closes a paragraph at 200 characters where 200
// words are meant: how passages are cut is not decided here. Algorithms 1 and 4
// look for a quote within one paragraph and take the context from it, so that a
// quote over a boundary is lost and contexts are cut short: here the quote has
// its place in the book, the context is of the book, and passage_ids holds all
// passages that it touches. The positive passage is the one with the largest
// part in code points, the first of equals; the span and the tags are those of
// this part, so they begin with B in any case.
//
// The context is up to ContextWords words before and after the quote's
// characters, raw as the book has them, without white space at their ends; a
// mark that stands apart is a word. At the start of a book left_context is
// empty, and left_begin and left_end are quote_begin.
func Triples(doc commonplace.Document, passages []commonplace.Passage, alignments []commonplace.Alignment, o Options) ([]commonplace.Example, []commonplace.Reject) {
	o = o.orDefaults()
	book := newBook(doc, passages)
	rows := slices.Clone(alignments)
	slices.SortStableFunc(rows, func(a, b commonplace.Alignment) int {
		return cmp.Or(cmp.Compare(a.SourceBegin, b.SourceBegin), cmp.Compare(a.SourceEnd, b.SourceEnd), cmp.Compare(a.ID, b.ID))
	})
	examples := make([]commonplace.Example, 0, len(rows))
	var rejects []commonplace.Reject
	seen := make(map[string]bool, len(rows))
	for _, a := range rows {
		e, refused := book.example(a, o)
		if refused == nil && seen[a.ID] {
			refused = &refusal{ReasonDuplicate, "the document has an earlier alignment with this id"}
		}
		if refused != nil {
			rejects = append(rejects, commonplace.Reject{Stage: "label", ID: a.ID, Reason: refused.reason, Detail: refused.detail, Location: doc.ID})
			continue
		}
		seen[a.ID] = true
		examples = append(examples, e)
	}
	slices.SortStableFunc(rejects, func(a, b commonplace.Reject) int { return cmp.Compare(a.ID, b.ID) })
	return examples, rejects
}

// Reasons for which an alignment gives no example.
const (
	ReasonSimilarity = "below min_similarity"     // asked for; no fault of the input
	ReasonDuplicate  = "duplicate alignment_id"   // the first in order of the source is kept
	ReasonDocument   = "another document"         // the alignment's source is not this document
	ReasonSpan       = "span outside the text"    // or empty, or the wrong way round
	ReasonText       = "text differs"             // source_text is not what the document has there
	ReasonNoPassage  = "in no passage"            // the quote stands where no passage does
	ReasonNoWord     = "no word in the span"      // only white space is aligned
	ReasonPassages   = "passages do not fit text" // the passages are not of this text; nothing can be trusted
)

// ReasonUnreadable is that of texts which a model's tokenizer does not read within its bounds.
const ReasonUnreadable = "not readable for the model"

type refusal struct{ reason, detail string }

// book is a document made ready to be asked for places.
type book struct {
	doc      commonplace.Document
	offsets  *commonplace.Offsets
	passages []commonplace.Passage
	tokens   map[int][]token       // of the positive passages so far, by place in passages
	pieces   map[int]passagePieces // the same
	broken   string                // why the passages cannot be used, or nothing
}

// passagePieces are the pieces of a passage, or why it has none.
type passagePieces struct {
	spans   []commonplace.Span
	refused error
}

func newBook(doc commonplace.Document, passages []commonplace.Passage) *book {
	b := &book{doc: doc, offsets: commonplace.NewOffsets(doc.Text), passages: inOrder(passages), tokens: map[int][]token{}, pieces: map[int]passagePieces{}}
	var last commonplace.Passage
	for i, p := range b.passages {
		switch {
		case p.DocID != doc.ID:
			b.broken = fmt.Sprintf("passage %s is of document %q", p.ID, p.DocID)
		case p.Index != int64(i):
			b.broken = fmt.Sprintf("passage %s has index %d where %d is next", p.ID, p.Index, i)
		case p.Begin < last.Begin || p.End < last.End || p.End <= p.Begin || p.End > int64(b.offsets.Len()): // chunks may overlap
			b.broken = fmt.Sprintf("passage %s is [%d:%d], after [%d:%d] and in a text of %d", p.ID, p.Begin, p.End, last.Begin, last.End, b.offsets.Len())
		case b.slice(p.Begin, p.End) != p.Text:
			b.broken = fmt.Sprintf("the text of passage %s is not the document's [%d:%d]", p.ID, p.Begin, p.End)
		}
		if b.broken != "" {
			break
		}
		last = p
	}
	return b
}

func inOrder(passages []commonplace.Passage) []commonplace.Passage {
	byIndex := func(a, b commonplace.Passage) int { return cmp.Compare(a.Index, b.Index) }
	if !slices.IsSortedFunc(passages, byIndex) {
		passages = slices.Clone(passages)
		slices.SortStableFunc(passages, byIndex)
	}
	return passages
}

func (b *book) slice(begin, end int64) string {
	return b.offsets.Slice(commonplace.Span{Begin: int(begin), End: int(end)})
}

// touched are the passages [first, last) that share a code point with [begin,
// end). Passages may overlap while neither begins nor ends go back.
func touched(passages []commonplace.Passage, begin, end int64) (first, last int) {
	first = sort.Search(len(passages), func(i int) bool { return passages[i].End > begin })
	last = first
	for last < len(passages) && passages[last].Begin < end {
		last++
	}
	return first, last
}

func (b *book) example(a commonplace.Alignment, o Options) (commonplace.Example, *refusal) {
	var none commonplace.Example
	if a.SourceID != b.doc.ID {
		return none, &refusal{ReasonDocument, fmt.Sprintf("source_id is %q", a.SourceID)}
	}
	if !(a.Similarity >= o.MinSimilarity) {
		return none, &refusal{ReasonSimilarity, fmt.Sprintf("similarity %v, wanted %v", a.Similarity, o.MinSimilarity)}
	}
	if a.SourceBegin < 0 || a.SourceEnd <= a.SourceBegin || a.SourceEnd > int64(b.offsets.Len()) {
		return none, &refusal{ReasonSpan, fmt.Sprintf("[%d:%d] in a text of %d", a.SourceBegin, a.SourceEnd, b.offsets.Len())}
	}
	quote := b.slice(a.SourceBegin, a.SourceEnd)
	if a.SourceText != quote {
		return none, &refusal{ReasonText, fmt.Sprintf("source_text is not the document's [%d:%d]", a.SourceBegin, a.SourceEnd)}
	}
	if b.broken != "" {
		return none, &refusal{ReasonPassages, b.broken}
	}

	e := commonplace.Example{
		ID: a.ID, QuoteID: QuoteID(a), DocID: a.SourceID,
		Quote: quote, QuoteBegin: a.SourceBegin, QuoteEnd: a.SourceEnd,
		Similarity: a.Similarity,
		Candidates: int64(len(b.passages)),
		Split:      o.Split.Of(o.group(a), a.ID, QuoteID(a), a.SourceID),
	}
	b.context(&e, o.ContextWords)
	at, refused := b.positive(&e)
	if refused != nil {
		return none, refused
	}
	if o.Pieces != nil {
		if err := b.cutPieces(&e, at, o.Pieces); err != nil {
			return none, &refusal{ReasonUnreadable, err.Error()}
		}
	}
	return e, nil
}

// QuoteID is the id of what an alignment quotes with: the quote's in a list;
// between documents the derived document's, with the place in it.
func QuoteID(a commonplace.Alignment) string {
	if a.QuoteID != "" {
		return a.QuoteID
	}
	return spanID(a.DerivedID, a.DerivedBegin, a.DerivedEnd)
}

// spanID names a region of a document.
func spanID(docID string, begin, end int64) string {
	return fmt.Sprintf("%s:%d-%d", docID, begin, end)
}

// context fills in the words around the quote.
func (b *book) context(e *commonplace.Example, words int) {
	point := func(i int) int64 { return int64(b.offsets.Point(i)) }
	from, to := wordsBefore(b.doc.Text, b.offsets.Byte(int(e.QuoteBegin)), words)
	e.LeftContext, e.LeftBegin, e.LeftEnd = b.doc.Text[from:to], point(from), point(to)
	from, to = wordsAfter(b.doc.Text, b.offsets.Byte(int(e.QuoteEnd)), words)
	e.RightContext, e.RightBegin, e.RightEnd = b.doc.Text[from:to], point(from), point(to)
	switch {
	case e.LeftContext == "":
		e.Context = e.RightContext
	case e.RightContext == "":
		e.Context = e.LeftContext
	default:
		e.Context = e.LeftContext + " " + e.RightContext
	}
}

// cutPieces fills in the word pieces of an example, of which passage at is the
// positive one.
func (b *book) cutPieces(e *commonplace.Example, at int, cut func(string) ([]commonplace.Span, error)) error {
	of, ok := b.pieces[at]
	if !ok {
		of.spans, of.refused = cut(e.PassageText)
		b.pieces[at] = of
	}
	if of.refused == nil {
		cutPieces(e, b.tokens[at], of.spans)
	}
	return of.refused
}

// positive fills in the passages that hold the quote, and the tags of the one
// that holds most of it, which is passage at.
func (b *book) positive(e *commonplace.Example) (at int, refused *refusal) {
	first, last := touched(b.passages, e.QuoteBegin, e.QuoteEnd)
	if first == last {
		return 0, &refusal{ReasonNoPassage, fmt.Sprintf("no passage holds a part of [%d:%d]", e.QuoteBegin, e.QuoteEnd)}
	}
	best, part := first, int64(0)
	for i := first; i < last; i++ {
		p := b.passages[i]
		e.PassageIDs = append(e.PassageIDs, p.ID)
		if n := min(p.End, e.QuoteEnd) - max(p.Begin, e.QuoteBegin); n > part {
			best, part = i, n
		}
	}
	p := b.passages[best]
	e.CrossesBoundary = last-first > 1
	e.PassageID, e.PassageText = p.ID, p.Text
	e.SpanBegin = max(p.Begin, e.QuoteBegin) - p.Begin
	e.SpanEnd = min(p.End, e.QuoteEnd) - p.Begin
	e.SpanText = b.slice(p.Begin+e.SpanBegin, p.Begin+e.SpanEnd)

	words, ok := b.tokens[best]
	if !ok {
		words = wordsAndMarks(p.Text)
		b.tokens[best] = words
	}
	e.Tokens, e.Tags = tag(words, int(e.SpanBegin), int(e.SpanEnd))
	if !slices.Contains(e.Tags, "B") {
		return 0, &refusal{ReasonNoWord, fmt.Sprintf("only white space at [%d:%d]", e.QuoteBegin, e.QuoteEnd)}
	}
	return best, nil
}
