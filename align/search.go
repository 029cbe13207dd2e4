package align

import (
	"github.com/commonplace/commonplace"
)

// What is looked for in documents that quote.
const (
	SearchDocuments = "documents" // every place that repeats a source
	SearchMarked    = "marked"    // what stands between quotation marks or in block quotes, with a confidence
)

// Searches are the ways to search a document.
var Searches = []string{SearchDocuments, SearchMarked}

// Search finds the candidates of one index part in a document.
func (p *Part) Search(doc commonplace.Document, what string) []Candidate {
	if what == SearchMarked {
		return p.FindMarked(doc)
	}
	return p.Find(doc)
}

// MergeSearch makes the candidates of all parts of one document final.
func MergeSearch(candidates []Candidate, what string, o Options) []commonplace.Alignment {
	if what == SearchMarked {
		return MergeMarked(candidates, o)
	}
	return Merge(candidates, o)
}
