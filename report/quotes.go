package report

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align/collate"
	"github.com/commonplace/commonplace/chart"
	"github.com/commonplace/commonplace/table"
)

// perPassage is the number of quotations shown of one passage.
const perPassage = 5

// readAlignments marks the quotations on strips and passages.
func (g *gatherer) readAlignments() error {
	c, ok := g.commits[table.Alignments.Name]
	if !ok {
		return nil
	}
	similarity := chart.NewHistogram(0.5, 1, 20)
	for _, path := range c.ShardPaths(g.dir) {
		for a, err := range table.Alignments.Rows(g.ctx, path) {
			if err != nil {
				return err
			}
			similarity.Add(a.Similarity)
			g.page.numbers.alignments++
			if s := g.strips[a.SourceID]; s != nil {
				s.mark(a.SourceBegin, a.SourceEnd)
			}
			g.quoteIn(a)
		}
	}
	g.page.numbers.similarity = similarity
	for _, p := range g.page.Passages {
		for _, q := range p.Quotes {
			q.Lines, q.Cut = linesOf(q.alignment)
		}
		if len(p.Quotes) > 0 {
			p.quoted = p.Quotes[0].alignment.SourceText
		}
	}
	return nil
}

// quoteIn adds an alignment to the passages that it touches.
func (g *gatherer) quoteIn(a commonplace.Alignment) {
	passages := g.passages[a.SourceID]
	first := sort.Search(len(passages), func(i int) bool { return passages[i].end > a.SourceBegin })
	for _, p := range passages[first:] {
		if p.begin >= a.SourceEnd {
			return
		}
		q := &quote{Kind: a.Kind, Similarity: number(a.Similarity), Confidence: number(a.Confidence), alignment: a}
		for _, part := range partsOf(a) {
			if b, e := max(part.SourceBegin, p.begin), min(part.SourceEnd, p.end); b < e {
				q.Spans = append(q.Spans, span{b - p.begin, e - p.begin})
			}
		}
		if len(q.Spans) == 0 {
			continue // the passage lies in the gap of an ellipsis
		}
		p.Quotes = append(p.Quotes, q)
		if len(p.Quotes) > perPassage {
			slices.SortFunc(p.Quotes, func(a, b *quote) int {
				return cmp.Or(cmp.Compare(b.Confidence, a.Confidence), cmp.Compare(b.alignment.MatchedWords, a.alignment.MatchedWords),
					cmp.Compare(a.alignment.ID, b.alignment.ID))
			})
			p.Quotes = p.Quotes[:perPassage]
			p.More++
		}
	}
}

// partsOf are the parts of an alignment; one without parts is its own.
func partsOf(a commonplace.Alignment) []commonplace.Part {
	if len(a.Parts) > 0 {
		return a.Parts
	}
	return []commonplace.Part{{DerivedBegin: a.DerivedBegin, DerivedEnd: a.DerivedEnd, SourceBegin: a.SourceBegin, SourceEnd: a.SourceEnd}}
}

// linesOf puts the two sides of an alignment one above the other, part by part,
// so that what an ellipsis leaves out is set against nothing.
func linesOf(a commonplace.Alignment) (columns []collate.Column, cut bool) {
	if len(a.Parts) < 2 {
		return collate.Words(a.SourceText, a.DerivedText)
	}
	source, derived := commonplace.NewOffsets(a.SourceText), commonplace.NewOffsets(a.DerivedText)
	piece := func(o *commonplace.Offsets, begin, end, from int64) string {
		b, e := int(begin-from), int(end-from)
		if b < 0 || e > o.Len() || b >= e {
			return ""
		}
		return o.Slice(commonplace.Span{Begin: b, End: e})
	}
	s, d := a.SourceBegin, a.DerivedBegin
	for _, p := range a.Parts {
		gap, _ := collate.Words(firstWords(piece(source, s, p.SourceBegin, a.SourceBegin), 60), piece(derived, d, p.DerivedBegin, a.DerivedBegin))
		part, over := collate.Words(piece(source, p.SourceBegin, p.SourceEnd, a.SourceBegin), piece(derived, p.DerivedBegin, p.DerivedEnd, a.DerivedBegin))
		columns, cut = append(append(columns, gap...), part...), cut || over
		s, d = p.SourceEnd, p.DerivedEnd
	}
	return columns, cut
}

// book is a document that a passage or strip is of.
type book struct {
	ID     string `json:"id"`
	Title  string `json:"t"`
	Author string `json:"a,omitempty"`
}

// readNames finds the titles of documents and the authors of quotes.
func (g *gatherer) readNames() error {
	wanted := map[string]*book{}
	quotes := map[string]string{}
	for id := range g.strips {
		wanted[id] = nil
	}
	for _, p := range g.page.Passages {
		wanted[p.docID] = nil
		for _, q := range p.Quotes {
			if q.alignment.DerivedID != "" {
				wanted[q.alignment.DerivedID] = nil
			}
			if q.alignment.QuoteID != "" {
				quotes[q.alignment.QuoteID] = ""
			}
		}
	}
	if c, ok := g.commits[table.Documents.Name]; ok {
		for _, path := range c.ShardPaths(g.dir) {
			for d, err := range table.Documents.Rows(g.ctx, path, "doc_id", "title", "author", "characters") {
				if err != nil {
					return err
				}
				if _, ok := wanted[d.ID]; ok {
					wanted[d.ID] = &book{ID: d.ID, Title: cmp.Or(oneLine(d.Title), d.ID), Author: oneLine(d.Author)}
				}
			}
		}
	}
	if c, ok := g.commits[table.Quotes.Name]; ok {
		for _, path := range c.ShardPaths(g.dir) {
			for q, err := range table.Quotes.Rows(g.ctx, path, "quote_id", "author", "work") {
				if err != nil {
					return err
				}
				if _, ok := quotes[q.ID]; ok {
					quotes[q.ID] = named(oneLine(q.Author), oneLine(q.Work), q.ID)
				}
			}
		}
	}
	g.page.name(wanted, quotes)
	return nil
}

// named joins what there is.
func named(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), " · ")
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
