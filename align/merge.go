package align

import (
	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align/merge"
)

// Merge makes the candidates of one derived document, from all parts, final:
// one alignment per quotation, and the same passage in several editions
// grouped; of boilerplate, which by the counts occurs too often for a
// collection of its size, only the best occurrence.
// No letter of the derived text is in two quotations: where matches share less than half of the
// weaker one, the overlap is cut where it costs least on both sides, and a match is dropped only if
// what is left of it has too little evidence; where they share more, what is left needs twice the evidence. Ties go
// to the greater similarity, then to the source, position and length that come first.
// The result is sorted by (derived_begin, derived_end, source_id, source_begin).
func Merge(candidates []Candidate, o Options) []commonplace.Alignment {
	return merge.Documents(candidates, o.limits())
}

// MergeMarked keeps, for every marked quotation of one derived document, the most
// similar occurrence of all parts and, grouped with it, the others of the same words,
// as [Merge] does; it raises the confidence of quotations that have one of the same
// source near by on both sides (the neighbourhood), and drops what stays below
// o.MinConfidence. Sorted by (derived_begin, derived_end, source_id, source_begin).
func MergeMarked(candidates []Candidate, o Options) []commonplace.Alignment {
	return merge.Marked(candidates, o.limits())
}

// limits are the options of merging.
func (o Options) limits() merge.Limits {
	o = o.orDefaults()
	return merge.Limits{MinSimilarity: o.MinSimilarity, MinConfidence: o.MinConfidence, MinWords: o.MinWords, Places: o.Places}
}

// Candidate is a match of one index part. Matches of several parts, and of several occurrences,
// may overlap in the derived text: [Merge] decides between them, and where an overlap is cut.
// Alignment is the match; the other fields are for [Merge].
type Candidate = merge.Candidate

// BestFirst orders rows by quote, then evidence, similarity and position.
func BestFirst(a, b commonplace.Alignment) int { return merge.BestFirst(a, b) }
