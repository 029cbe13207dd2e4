package quotes

import (
	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align"
	"github.com/commonplace/commonplace/pipelines/config"
)

// FindIn is the candidates of one index part.
func FindIn(p *align.Part, doc commonplace.Document, use string) []align.Candidate {
	if use == config.UseMarked {
		return p.FindMarked(doc)
	}
	return p.Find(doc)
}

// Merge makes the candidates of all parts final.
func Merge(candidates []align.Candidate, use string, o align.Options) []commonplace.Alignment {
	if use == config.UseMarked {
		return align.MergeMarked(candidates, o)
	}
	return align.Merge(candidates, o)
}
