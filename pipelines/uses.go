package pipelines

import (
	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align"
)

// What is looked for in derived documents.
const (
	useDocuments = "documents" // every place that repeats a source
	useMarked    = "marked"    // what stands between quotation marks or in block quotes, with a confidence
)

var alignUses = []string{useDocuments, useMarked}

// findIn is the candidates of one index part.
func findIn(p *align.Part, doc commonplace.Document, use string) []align.Candidate {
	if use == useMarked {
		return p.FindMarked(doc)
	}
	return p.Find(doc)
}

// merge makes the candidates of all parts final.
func merge(candidates []align.Candidate, use string, o align.Options) []commonplace.Alignment {
	if use == useMarked {
		return align.MergeMarked(candidates, o)
	}
	return align.Merge(candidates, o)
}
