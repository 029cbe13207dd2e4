package align

import "github.com/commonplace/commonplace"

// The search modes for documents that quote.
const (
	SearchDocuments = "documents" // all text that repeats a source
	SearchMarked    = "marked"    // text between quotation marks or in block quotes, with a confidence
)

// Searches are the search modes.
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
