package join

import (
	"context"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/table"
)

// Paraphrases gives the paraphrases of a document's contexts, by context, for documents in
// the order of the shard.
func Paraphrases(ctx context.Context, path string) (of func(docID string) (map[string]string, error), stop func()) {
	rows := Open(ctx, table.Paraphrases, path, func(p *commonplace.Paraphrase) string { return p.DocID }, "context_id", "doc_id", "target_context")
	return func(docID string) (map[string]string, error) {
		found, err := rows.Of(docID)
		said := map[string]string{}
		for _, p := range found {
			said[p.ContextID] = p.Target
		}
		return said, err
	}, rows.Stop
}
