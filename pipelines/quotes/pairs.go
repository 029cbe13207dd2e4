package quotes

import (
	"context"
	"slices"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align"
	"github.com/commonplace/commonplace/align/pairs"
	"github.com/commonplace/commonplace/table"
)

// describing are the columns of a document that rules on pairs, and fields that the
// tables hold, can name. The last has the fields that are no columns.
var describing = append(slices.Clone(commonplace.Describing), "metadata")

// described are the documents of a part, by id, with what the rules and the tables
// need of them and no more: a part may have very many.
func (c collection) described(ctx context.Context, p part) (map[string]*commonplace.Document, error) {
	documents := map[string]*commonplace.Document{}
	names := slices.Compact(slices.Sorted(slices.Values(slices.Concat(c.pairs.Differ, c.metadata))))
	for shard := p.first; shard < p.end; shard++ {
		for doc, err := range table.Documents.Rows(ctx, c.path(shard), describing...) {
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				return nil, err
			}
			documents[doc.ID] = &commonplace.Document{ID: doc.ID, Date: doc.Date, Metadata: doc.FieldsNamed(names)}
		}
	}
	return documents, nil
}

// paired says whether the rules allow a find, and writes down what is known of its two
// documents.
func (c collection) paired(a *align.Candidate, source, derived *commonplace.Document) bool {
	if a.SourceID == derived.ID || !c.pairs.Allow(source, derived) {
		return false
	}
	a.SourceIs = pairs.SourceIs(source, derived)
	a.SourceMetadata, a.DerivedMetadata = source.FieldsNamed(c.metadata), derived.FieldsNamed(c.metadata)
	return true
}
