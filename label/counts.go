package label

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/commonplace/commonplace"
)

// Counts says how often each passage of a document is quoted: the number of
// distinct portions of derived texts whose alignment overlaps it, in part or
// whole (content-based models of quotation, section 3), or of distinct quotes
// where the alignments come from a list. There is one row a passage, also for
// those never quoted, in order of the index.
//
// Overlapping portions of the same derived text are one portion, so that two
// finds of one quotation do not count twice; portions that merely touch are
// two. Where an alignment has parts, a passage in the gap between them is not
// quoted: it was left out. Alignments of other documents are passed over;
// [Triples] rejects them.
func Counts(doc commonplace.Document, passages []commonplace.Passage, alignments []commonplace.Alignment) []commonplace.QuoteCount {
	passages = inOrder(passages)
	counts := make([]commonplace.QuoteCount, len(passages))
	for i, p := range passages {
		counts[i] = commonplace.QuoteCount{PassageID: p.ID, DocID: p.DocID, Index: p.Index}
	}

	type quoted struct{ passage, portion int }
	var all []quoted
	eachPortion(doc.ID, alignments, func(portion int, begin, end int64) {
		first, last := touched(passages, begin, end)
		for i := first; i < last; i++ {
			all = append(all, quoted{i, portion})
		}
	})
	slices.SortFunc(all, func(a, b quoted) int {
		return cmp.Or(cmp.Compare(a.passage, b.passage), cmp.Compare(a.portion, b.portion))
	})
	for _, q := range slices.Compact(all) {
		counts[q.passage].Count++
	}
	return counts
}

// eachPortion walks the portions that quote a source, numbered from 0 as they
// come, with the stretches of the source that each takes; those of one portion
// may overlap.
func eachPortion(source string, alignments []commonplace.Alignment, do func(portion int, begin, end int64)) {
	portion := -1
	var last commonplace.Alignment
	end := int64(0) // of the portion so far, in the derived text
	for _, a := range byDerived(source, alignments) {
		same := a.QuoteID == last.QuoteID && a.DerivedID == last.DerivedID
		if portion < 0 || !same || a.QuoteID == "" && a.DerivedBegin >= end {
			portion++
			end = a.DerivedEnd
		}
		end = max(end, a.DerivedEnd)
		last = a
		if len(a.Parts) == 0 {
			do(portion, a.SourceBegin, a.SourceEnd)
		}
		for _, part := range a.Parts {
			do(portion, part.SourceBegin, part.SourceEnd)
		}
	}
}

// QuotationsAt says of places in a document, in any order, how many of the portions
// that [Counts] tells apart take the character there.
func QuotationsAt(doc commonplace.Document, places []int64, alignments []commonplace.Alignment) []int64 {
	type stretch struct {
		portion    int
		begin, end int64
	}
	var all []stretch
	eachPortion(doc.ID, alignments, func(portion int, begin, end int64) { all = append(all, stretch{portion, begin, end}) })
	slices.SortFunc(all, func(a, b stretch) int {
		return cmp.Or(cmp.Compare(a.portion, b.portion), cmp.Compare(a.begin, b.begin), cmp.Compare(a.end, b.end))
	})
	var begins, ends []int64 // of the stretches, those of a portion joined where they overlap
	for i, s := range all {
		if i > 0 && s.portion == all[i-1].portion && s.begin <= ends[len(ends)-1] {
			ends[len(ends)-1] = max(ends[len(ends)-1], s.end)
			continue
		}
		begins, ends = append(begins, s.begin), append(ends, s.end)
	}
	slices.Sort(begins)
	slices.Sort(ends)
	quotations := make([]int64, len(places))
	for i, at := range places {
		begun, _ := slices.BinarySearch(begins, at+1) // the first that begins behind the place
		ended, _ := slices.BinarySearch(ends, at+1)
		quotations[i] = int64(begun - ended)
	}
	return quotations
}

// Countable says which alignments are quotations that count.
type Countable struct {
	MinConfidence float64 // those below it do not count
	Boilerplate   bool    // count also what stands at more than 16 places of the sources: licences, contents, and lines that many editions have
	MaxShare      float64 // a document that takes more than this share of the source, and a thousand characters, adapts it and does not quote it; 0 for no bound
}

// adaptation is how many characters a document takes at least that adapts its
// source: one line is a large share of a sonnet, and quoted.
const adaptation = 1000

// boilerplate is the most places at which a quotation stands, whatever the size of
// the collection.
const boilerplate = 16

// Of gives the alignments of a source that count, in their order, and how many
// do not for each reason.
func (c Countable) Of(doc commonplace.Document, alignments []commonplace.Alignment) (kept []commonplace.Alignment, dropped map[string]int64) {
	dropped = map[string]int64{}
	for _, a := range alignments {
		switch {
		case a.Confidence < c.MinConfidence:
			dropped["below_min_confidence"]++
		case a.DerivedID != "" && a.Places > boilerplate && !c.Boilerplate:
			dropped["boilerplate"]++
		default:
			kept = append(kept, a)
		}
	}
	if c.MaxShare <= 0 {
		return kept, dropped
	}
	taken := takenBy(doc.ID, kept)
	most := max(c.MaxShare*float64(doc.Characters), adaptation)
	kept = slices.DeleteFunc(kept, func(a commonplace.Alignment) bool {
		adapts := a.DerivedID != "" && float64(taken[a.DerivedID]) > most
		if adapts {
			dropped["of_adaptations"]++
		}
		return adapts
	})
	return kept, dropped
}

// takenBy says how many characters of a source each derived document takes.
func takenBy(source string, alignments []commonplace.Alignment) map[string]int64 {
	rows := slices.DeleteFunc(slices.Clone(alignments), func(a commonplace.Alignment) bool { return a.SourceID != source })
	slices.SortFunc(rows, func(a, b commonplace.Alignment) int {
		return cmp.Or(cmp.Compare(a.DerivedID, b.DerivedID), cmp.Compare(a.SourceBegin, b.SourceBegin))
	})
	taken := map[string]int64{}
	end := int64(0) // up to which the source is taken so far
	for i, a := range rows {
		if i == 0 || a.DerivedID != rows[i-1].DerivedID {
			end = 0
		}
		taken[a.DerivedID] += max(0, a.SourceEnd-max(end, a.SourceBegin))
		end = max(end, a.SourceEnd)
	}
	return taken
}

// byDerived are the alignments of a source, the portions of each derived text
// in order of the text.
func byDerived(source string, alignments []commonplace.Alignment) []commonplace.Alignment {
	var rows []commonplace.Alignment
	for _, a := range alignments {
		if a.SourceID == source && a.SourceBegin < a.SourceEnd {
			rows = append(rows, a)
		}
	}
	slices.SortFunc(rows, func(a, b commonplace.Alignment) int {
		return cmp.Or(
			cmp.Compare(a.QuoteID, b.QuoteID), cmp.Compare(a.DerivedID, b.DerivedID),
			cmp.Compare(a.DerivedBegin, b.DerivedBegin), cmp.Compare(a.DerivedEnd, b.DerivedEnd), cmp.Compare(a.ID, b.ID))
	})
	return rows
}

// AddCounts adds counts that came from elsewhere, by passage id, such as those
// that America's Public Bible gives for verses, to counts of our own, in place.
// A passage that is not named keeps its count: a gap in such a list means low
// or unknown. A negative count, or one of a passage that is not among counts,
// is rejected.
func AddCounts(counts []commonplace.QuoteCount, given map[string]int64) []commonplace.Reject {
	places := make(map[string]int, len(counts))
	for i, c := range counts {
		places[c.PassageID] = i
	}
	var rejects []commonplace.Reject
	refuse := func(id, reason, detail string) {
		rejects = append(rejects, commonplace.Reject{Stage: "label", ID: id, Reason: reason, Detail: detail})
	}
	for _, id := range slices.Sorted(maps.Keys(given)) {
		i, ok := places[id]
		switch n := given[id]; {
		case n < 0:
			refuse(id, ReasonNegative, fmt.Sprintf("count is %d", n))
		case !ok:
			refuse(id, ReasonNoSuchPassage, fmt.Sprintf("count %d is of none of the %d passages", n, len(counts)))
		default:
			counts[i].Count += n
		}
	}
	return rejects
}

// Reasons for which a count is rejected.
const (
	ReasonNegative      = "negative count"
	ReasonNoSuchPassage = "no such passage"
)
