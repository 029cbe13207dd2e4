package label

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/commonplace/commonplace"
)

// Who quotes, where a list says it.
const (
	ByReaders = "readers"
	ByEditors = "editors"
)

// When a quotation counts for a passage.
const (
	OverlapAny  = "any"  // they share a character
	OverlapHalf = "half" // the passage holds more than half of the quotation, or the quotation more than half of the passage
)

// Quotation is what somebody quotes of a document at once, wherever it stands there.
type Quotation struct {
	By    string // ByReaders, ByEditors, or empty
	Times int64
	Finds []Find
}

// Find is one place of a quotation: the spans that are quoted, which may be
// several where words between them were left out.
type Find []QuotedRange

// QuotedRange is a range of code points of the document, end exclusive.
type QuotedRange struct{ Begin, End int64 }

// Counts says how often each passage of a document is quoted: the number of
// distinct portions of derived texts whose alignment overlaps it, in part or
// whole (content-based models of quotation, section 3), or of distinct quotes
// where the alignments come from a list. There is one row a passage, also for
// those never quoted, in order of the index.
//
// With [OverlapHalf] a passage is quoted where it holds more than half of a
// quotation, or a quotation more than half of it: the same for a sentence and a
// passage of 200 words, and a quotation that reaches over a border by a word counts
// on one side.
func Counts(passages []commonplace.Passage, quotations []Quotation, overlap string) []commonplace.QuoteCount {
	passages = inOrder(passages)
	counts := make([]commonplace.QuoteCount, len(passages))
	for i, p := range passages {
		counts[i] = commonplace.QuoteCount{PassageID: p.ID, DocID: p.DocID, Index: p.Index}
	}
	for _, q := range quotations {
		quoted := map[int]bool{}
		for _, f := range q.Finds {
			f.quotes(passages, overlap, quoted)
		}
		for i := range quoted {
			counts[i].Count += q.Times
			switch q.By {
			case ByReaders:
				counts[i].Readers += q.Times
			case ByEditors:
				counts[i].Editors += q.Times
			}
		}
	}
	return counts
}

// quotes marks the passages that a find quotes.
func (f Find) quotes(passages []commonplace.Passage, overlap string, quoted map[int]bool) {
	length := int64(0)
	shared := map[int]int64{} // code points, by passage
	for _, s := range joined(slices.Clone(f)) {
		length += s.End - s.Begin
		first, last := touched(passages, s.Begin, s.End)
		for i := first; i < last; i++ {
			shared[i] += min(s.End, passages[i].End) - max(s.Begin, passages[i].Begin)
		}
	}
	for i, n := range shared {
		if overlap != OverlapHalf || 2*n > length || 2*n > passages[i].End-passages[i].Begin {
			quoted[i] = true
		}
	}
}

// Quotations are the portions of derived texts, and the quotes of lists, that quote
// a source; by says who quotes, of a quote's id.
//
// Overlapping portions of the same derived text are one portion, so that two
// finds of one quotation do not count twice; portions that merely touch are
// two. Where an alignment has parts, what lies in the gap between them is not
// quoted: it was left out. Alignments of other documents are passed over;
// [Triples] rejects them.
func Quotations(source string, alignments []commonplace.Alignment, by func(quoteID string) string) []Quotation {
	var all []Quotation
	var last commonplace.Alignment
	end := int64(0) // of the portion so far, in the derived text
	for _, a := range byDerived(source, alignments) {
		same := a.QuoteID == last.QuoteID && a.DerivedID == last.DerivedID
		if len(all) == 0 || !same || a.QuoteID == "" && a.DerivedBegin >= end {
			q := Quotation{Times: 1}
			if a.QuoteID != "" && by != nil {
				q.By = by(a.QuoteID)
			}
			all = append(all, q)
			end = a.DerivedEnd
		}
		end = max(end, a.DerivedEnd)
		last = a
		find := Find{{a.SourceBegin, a.SourceEnd}}
		if len(a.Parts) > 0 {
			find = find[:0]
		}
		for _, part := range a.Parts {
			find = append(find, QuotedRange{part.SourceBegin, part.SourceEnd})
		}
		q := &all[len(all)-1]
		q.Finds = append(q.Finds, find)
	}
	return all
}

// OncePerCluster leaves of the alignments between documents whose words in the source
// are one copy of a cluster the longest alone, the first of equal ones. copies are
// the source's, sorted by begin. Alignments of listed quotes, and those that no copy
// overlaps, stay. The order stays, too.
func OncePerCluster(alignments []commonplace.Alignment, copies []commonplace.Cluster) []commonplace.Alignment {
	ends := make([]int64, len(copies)) // the last end of a copy and those before it
	for i, c := range copies {
		ends[i] = max(c.End, ends[max(i-1, 0)])
	}
	best := map[string]int{} // of a cluster: place in alignments
	of := make([]string, len(alignments))
	for i, a := range alignments {
		if a.QuoteID != "" {
			continue
		}
		first, _ := slices.BinarySearch(ends, a.SourceBegin+1)
		of[i] = clusterOf(a, copies[first:])
		if at, seen := best[of[i]]; !seen || a.SourceEnd-a.SourceBegin > alignments[at].SourceEnd-alignments[at].SourceBegin {
			best[of[i]] = i
		}
	}
	var kept []commonplace.Alignment
	for i, a := range alignments {
		if of[i] == "" || best[of[i]] == i {
			kept = append(kept, a)
		}
	}
	return kept
}

// clusterOf names the cluster of the copy that is most like an alignment's words in
// the source: the greatest part of both is shared. Empty if no copy overlaps them.
func clusterOf(a commonplace.Alignment, copies []commonplace.Cluster) (name string) {
	most := 0.0
	for _, c := range copies {
		if c.Begin >= a.SourceEnd {
			break
		}
		shared := min(a.SourceEnd, c.End) - max(a.SourceBegin, c.Begin)
		if like := float64(shared) / float64(max(a.SourceEnd, c.End)-min(a.SourceBegin, c.Begin)); like > most {
			most, name = like, c.Cluster
		}
	}
	return name
}

// joined are spans in order, as one where they overlap.
func joined(spans []QuotedRange) []QuotedRange {
	slices.SortFunc(spans, func(a, b QuotedRange) int { return cmp.Or(cmp.Compare(a.Begin, b.Begin), cmp.Compare(a.End, b.End)) })
	kept := spans[:0]
	for _, s := range spans {
		if n := len(kept); n > 0 && s.Begin <= kept[n-1].End {
			kept[n-1].End = max(kept[n-1].End, s.End)
			continue
		}
		kept = append(kept, s)
	}
	return kept
}

// QuotationsAt says of places in a document, in any order, how often the character
// there is quoted.
func QuotationsAt(places []int64, quotations []Quotation) []int64 {
	type step struct{ at, times int64 }
	var steps []step
	for _, q := range quotations {
		for _, s := range joined(slices.Concat(q.Finds...)) {
			steps = append(steps, step{s.Begin, q.Times}, step{s.End, -q.Times})
		}
	}
	slices.SortFunc(steps, func(a, b step) int { return cmp.Compare(a.at, b.at) })
	sums := make([]int64, len(steps)+1) // before each step
	for i, s := range steps {
		sums[i+1] = sums[i] + s.times
	}
	times := make([]int64, len(places))
	for i, at := range places {
		n, _ := slices.BinarySearchFunc(steps, at+1, func(s step, at int64) int { return cmp.Compare(s.at, at) }) // the first behind the place
		times[i] = sums[n]
	}
	return times
}

// Countable says which alignments are quotations that count.
type Countable struct {
	MinConfidence float64 // those below it do not count
	Boilerplate   bool    // also count text found at more than 16 places of the sources: licences, contents, and lines that many editions have
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
