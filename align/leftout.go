package align

import (
	"fmt"
	"slices"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align/merge"
)

// LeftOut says in words why [MergeSearch] reports other sources of a document's words, and not one
// that was found for them; nothing if it reports it. candidates are those of all parts for these
// words. The best source may be the document itself from which the words are: certain says that the
// source is left out even so.
func LeftOut(candidates []Candidate, source, what string, o Options) (why string, certain bool) {
	of := func(id string) func(commonplace.Alignment) bool {
		return func(a commonplace.Alignment) bool { return a.SourceID == id }
	}
	var mine, best commonplace.Alignment
	for _, c := range candidates {
		if c.SourceID == source && c.Score > mine.Score {
			mine = c.Alignment
		}
	}
	reported := MergeSearch(candidates, what, o)
	if mine.SourceID == "" || slices.ContainsFunc(reported, of(source)) {
		return "", false
	}
	for _, a := range reported {
		if a.DerivedBegin < mine.DerivedEnd && mine.DerivedBegin < a.DerivedEnd && a.Score > best.Score {
			best = a
		}
	}
	if best.SourceID == "" {
		return "", false
	}
	others := slices.DeleteFunc(slices.Clone(candidates), func(c Candidate) bool { return c.SourceID == best.SourceID })
	certain = !slices.ContainsFunc(MergeSearch(others, what, o), of(source))
	most := "however many"
	if o.Places > 0 {
		most = fmt.Sprintf("%d in all (places)", o.Places)
	}
	why = fmt.Sprintf("%s has the words with %.1f bits of evidence, and this document with %.1f; a word is given to the source that has it with the most evidence, and to others that have the same words with at least %.2f of that source's evidence, %s",
		best.SourceID, best.Score, mine.Score, merge.NearlyAs, most)
	if !certain {
		why += fmt.Sprintf(". Where %s itself quotes this document, the match is reported", best.SourceID)
	}
	return why, certain
}
