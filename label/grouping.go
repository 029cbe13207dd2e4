package label

import (
	"cmp"
	"slices"

	"github.com/commonplace/commonplace"
)

// Stretch is a part of a source in which every character is quoted, between
// characters that are not: the spans in it overlap from one to the next.
type Stretch struct {
	DocID      string
	Begin, End int64    // code points of the source
	Text       string   // its words, as [Normalise] folds them
	Quotes     []string // the listed quotes among those found in it, in order
}

// Stretches are those of one source, in order. Alignments of other documents
// and spans outside the text are passed over; [Triples] rejects them.
func Stretches(doc commonplace.Document, alignments []commonplace.Alignment) []Stretch {
	offsets := commonplace.NewOffsets(doc.Text)
	rows := slices.DeleteFunc(slices.Clone(alignments), func(a commonplace.Alignment) bool {
		return a.SourceID != doc.ID || a.SourceBegin < 0 || a.SourceEnd <= a.SourceBegin || a.SourceEnd > int64(offsets.Len())
	})
	slices.SortFunc(rows, func(a, b commonplace.Alignment) int {
		return cmp.Or(cmp.Compare(a.SourceBegin, b.SourceBegin), cmp.Compare(a.SourceEnd, b.SourceEnd), cmp.Compare(a.ID, b.ID))
	})
	var out []Stretch
	for _, a := range rows {
		if len(out) == 0 || out[len(out)-1].End <= a.SourceBegin {
			out = append(out, Stretch{DocID: doc.ID, Begin: a.SourceBegin})
		}
		s := &out[len(out)-1]
		s.End = max(s.End, a.SourceEnd)
		if a.QuoteID != "" {
			s.Quotes = append(s.Quotes, a.QuoteID)
		}
	}
	for i := range out {
		s := &out[i]
		slices.Sort(s.Quotes)
		s.Quotes = slices.Compact(s.Quotes)
		s.Text = Normalise(offsets.Slice(commonplace.Span{Begin: int(s.Begin), End: int(s.End)}))
	}
	return out
}

// Grouping says what must stay together. Quotes that are equal or near-duplicates
// are one group; so are the spans of a stretch and the quotes found in it; so are
// stretches that are equal or near-duplicates of one another or of quotes; and so
// on from one to the next.
//
// A group that has a listed quote is named by the first of its quotes' texts in
// alphabetical order; another by the first of its works. So the name depends on
// the list first, and what a new book brings joins a group without moving it,
// unless it joins two.
type Grouping struct {
	groups    map[string]string // of quotes, by id
	works     map[string]string // of documents, by id
	stretches map[string][]groupedStretch
}

// groupedStretch is a stretch and its group.
type groupedStretch struct {
	begin, end int64
	group      string
}

// NewGrouping reads all quotes of the lists and all stretches of the sources, in
// any order. works names the work of a document, from [Works]; a document that
// is not named is its own.
func NewGrouping(quotes []commonplace.Quote, stretches []Stretch, works map[string]string) *Grouping {
	g := &Grouping{groups: make(map[string]string, len(quotes)), works: works, stretches: map[string][]groupedStretch{}}
	stretches = slices.Clone(stretches)
	slices.SortFunc(stretches, func(a, b Stretch) int {
		return cmp.Or(cmp.Compare(g.work(a.DocID), g.work(b.DocID)), cmp.Compare(a.DocID, b.DocID), cmp.Compare(a.Begin, b.Begin))
	})
	own := make([]string, len(quotes))
	for i, q := range quotes {
		own[i] = quoteText(q)
	}
	// First the quotes' texts in alphabetical order, then the stretches by work:
	// the root of a group is what it is named by.
	texts := slices.Compact(slices.Sorted(slices.Values(own)))
	listed := len(texts)
	for _, s := range stretches {
		texts = append(texts, s.Text)
	}
	trees := joinNear(texts, shingleWords)
	at := make(map[string]int, len(quotes)) // by quote id, its text
	for i, q := range quotes {
		at[q.ID], _ = slices.BinarySearch(texts[:listed], own[i])
	}
	first := map[string]int{} // by a stretch's text
	for i, s := range stretches {
		k, seen := first[s.Text]
		if !seen {
			first[s.Text] = i
		} else {
			trees.join(listed+k, listed+i)
		}
		for _, id := range s.Quotes {
			if q, ok := at[id]; ok {
				trees.join(q, listed+i)
			}
		}
	}
	name := func(i int) string {
		if r := trees.root(i); r < listed {
			return texts[r]
		} else {
			return g.work(stretches[r-listed].DocID)
		}
	}
	for _, q := range quotes {
		g.groups[q.ID] = name(at[q.ID])
	}
	for i, s := range stretches {
		g.stretches[s.DocID] = append(g.stretches[s.DocID], groupedStretch{s.Begin, s.End, name(listed + i)})
	}
	return g
}

// quoteText is what a quote is equal to others by.
func quoteText(q commonplace.Quote) string {
	return cmp.Or(Normalise(q.Text), q.ID) // punctuation only: nothing to be equal by
}

func (g *Grouping) work(docID string) string { return cmp.Or(g.works[docID], docID) }

// Of is the row of an alignment. One that is in no stretch, for its span is none,
// is in its quote's group or its source's.
func (g *Grouping) Of(a commonplace.Alignment) commonplace.Group {
	row := commonplace.Group{AlignmentID: a.ID, DocID: a.SourceID, SourceBegin: a.SourceBegin, SourceEnd: a.SourceEnd, Work: g.work(a.SourceID)}
	places := g.stretches[a.SourceID]
	i, found := slices.BinarySearchFunc(places, a.SourceBegin, func(p groupedStretch, begin int64) int { return cmp.Compare(p.begin, begin) })
	if !found {
		i--
	}
	switch {
	case i >= 0 && a.SourceBegin < places[i].end:
		row.Group = places[i].group
	case a.QuoteID != "":
		row.Group = cmp.Or(g.groups[a.QuoteID], a.QuoteID)
	default:
		row.Group = row.Work
	}
	return row
}
