package ranking

import (
	"context"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/pipelines/join"
	"github.com/commonplace/commonplace/table"
)

// paraphrases gives the paraphrases of a document's contexts, by context, for documents in
// the order of the shard; none where contexts are read as they are.
func (in poolInput) paraphrases(ctx context.Context) (of func(docID string) (map[string]string, error), stop func()) {
	if !in.Paraphrased {
		return func(string) (map[string]string, error) { return nil, nil }, func() {}
	}
	rows := join.Open(ctx, table.Paraphrases, in.path("paraphrases"), func(p *commonplace.Paraphrase) string { return p.DocID }, "context_id", "doc_id", "target_context")
	return func(docID string) (map[string]string, error) {
		found, err := rows.Of(docID)
		said := map[string]string{}
		for _, p := range found {
			said[p.ContextID] = p.Target
		}
		return said, err
	}, rows.Stop
}
