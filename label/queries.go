package label

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/commonplace/commonplace"
)

// Queries makes one query of every quotation of a transcript in an article, and
// one quoted span of each paragraph that it stands in (context-based quotation
// recommendation, "Dataset").
//
// sentences are all sentences of the article, paragraphs all native paragraphs
// of the transcript, alignments those between the two; clusters is what
// [Clusters] says of all alignments of the transcript, date the transcript's
// day. The left context is the article's sentences before the one in which the
// quote begins: nothing of that sentence, for it gives the quote away, and
// nothing after. Caps on length are word-piece caps and belong to the model.
func Queries(article commonplace.Document, sentences []commonplace.Passage, transcript commonplace.Document, paragraphs []commonplace.Passage, alignments []commonplace.Alignment, clusters map[string]string, date string, dates DateSplit) ([]commonplace.Query, []commonplace.QuotedSpan, []commonplace.Reject) {
	from, of := newBook(article, sentences), newBook(transcript, paragraphs)
	split, outside := dates.Of(date)
	rows := slices.Clone(alignments)
	slices.SortStableFunc(rows, func(a, b commonplace.Alignment) int {
		return cmp.Or(cmp.Compare(a.DerivedBegin, b.DerivedBegin), cmp.Compare(a.DerivedEnd, b.DerivedEnd), cmp.Compare(a.ID, b.ID))
	})
	var queries []commonplace.Query
	var spans []commonplace.QuotedSpan
	var rejects []commonplace.Reject
	for _, a := range rows {
		refused := fits(from, of, a)
		if refused == nil && outside != nil {
			refused = &refusal{ReasonDate, outside.Error()}
		}
		if refused != nil {
			rejects = append(rejects, commonplace.Reject{Stage: "label", ID: a.ID, Reason: refused.reason, Detail: refused.detail, Location: article.ID})
			continue
		}
		q := query(from, of, a)
		q.ClusterID = cmp.Or(clusters[a.ID], spanID(a.SourceID, a.SourceBegin, a.SourceEnd))
		q.Date, q.Split = date, split
		queries = append(queries, q)
		spans = append(spans, parts(of, q)...)
	}
	slices.SortStableFunc(rejects, func(a, b commonplace.Reject) int { return cmp.Compare(a.ID, b.ID) })
	return queries, spans, rejects
}

// query is the row of one alignment that fits both texts.
func query(from, of *book, a commonplace.Alignment) commonplace.Query {
	q := commonplace.Query{
		ID: a.ID, ArticleID: a.DerivedID, DocID: a.SourceID, Title: from.doc.Title,
		Quote: from.slice(a.DerivedBegin, a.DerivedEnd), QuoteBegin: a.DerivedBegin, QuoteEnd: a.DerivedEnd,
		Span: of.slice(a.SourceBegin, a.SourceEnd), SpanBegin: a.SourceBegin, SpanEnd: a.SourceEnd,
	}
	holds, _ := touched(from.passages, a.DerivedBegin, a.DerivedEnd)
	q.LeftBegin = from.passages[holds].Begin
	q.LeftEnd = q.LeftBegin
	if holds > 0 {
		q.LeftBegin, q.LeftEnd = from.passages[0].Begin, from.passages[holds-1].End
	}
	q.LeftContext = from.slice(q.LeftBegin, q.LeftEnd)
	q.Context = q.Title
	if q.Title != "" && q.LeftContext != "" {
		q.Context += " "
	}
	q.Context += q.LeftContext

	text := from.doc.Text
	begin, end := wordsBefore(text, from.offsets.Byte(int(a.DerivedBegin)), ContextWords)
	q.Before = text[begin:end]
	begin, end = wordsAfter(text, from.offsets.Byte(int(a.DerivedEnd)), ContextWords)
	q.After = text[begin:end]
	first, last := touched(of.passages, a.SourceBegin, a.SourceEnd)
	for _, p := range of.passages[first:last] {
		q.PassageIDs = append(q.PassageIDs, p.ID)
	}
	return q
}

// parts are the pieces of a query's span by paragraph.
func parts(of *book, q commonplace.Query) []commonplace.QuotedSpan {
	first, last := touched(of.passages, q.SpanBegin, q.SpanEnd)
	var out []commonplace.QuotedSpan
	for i, p := range of.passages[first:last] {
		begin, end := max(p.Begin, q.SpanBegin), min(p.End, q.SpanEnd)
		out = append(out, commonplace.QuotedSpan{
			ID: fmt.Sprintf("%s#%d", q.ID, i), QueryID: q.ID, ClusterID: q.ClusterID, DocID: q.DocID, PassageID: p.ID,
			Context: q.Context, PassageText: p.Text, SpanText: of.slice(begin, end), SpanBegin: begin - p.Begin, SpanEnd: end - p.Begin, Split: q.Split,
		})
	}
	return out
}

// ReasonDate says that a transcript's day is in no split, or is no day.
const ReasonDate = "date in no split"

// ArticleCharacters is the shortest body of an article that Quotus takes.
const ArticleCharacters = 100

// ArticleFilter drops what Quotus drops: articles whose body is that of an
// earlier one, bodies under 100 characters, and articles in which no quote was
// located. It keeps 32 bytes of each body that it has taken.
type ArticleFilter struct{ taken map[[32]byte]string }

// Refuses says why an article is dropped, or nothing. characters is the length
// of its body in code points, body the SHA-256 of it, located the number of
// quotes found in it. Give articles in order of their id: of two with the same
// body the first stays.
func (f *ArticleFilter) Refuses(id string, characters int64, body [32]byte, located int) string {
	if characters < ArticleCharacters {
		return fmt.Sprintf("body of %d characters, wanted %d", characters, ArticleCharacters)
	}
	if located == 0 {
		return "no quote located"
	}
	if first, ok := f.taken[body]; ok {
		return fmt.Sprintf("duplicate of %s", first)
	}
	if f.taken == nil {
		f.taken = map[[32]byte]string{}
	}
	f.taken[body] = id
	return ""
}

// QuotedSpans are the pieces of a transcript's queries by paragraph, as
// [Queries] gives them.
func QuotedSpans(transcript commonplace.Document, paragraphs []commonplace.Passage, queries []commonplace.Query) []commonplace.QuotedSpan {
	of := newBook(transcript, paragraphs)
	var out []commonplace.QuotedSpan
	for _, q := range queries {
		out = append(out, parts(of, q)...)
	}
	return out
}
