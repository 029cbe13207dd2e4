package ranking

import (
	"context"

	"github.com/commonplace/commonplace/pipelines/join"
)

// paraphrases gives the paraphrases of a document's contexts, by context, for documents in
// the order of the shard; none where contexts are read as they are.
func (in poolInput) paraphrases(ctx context.Context) (of func(docID string) (map[string]string, error), stop func()) {
	if !in.Paraphrased {
		return func(string) (map[string]string, error) { return nil, nil }, func() {}
	}
	return join.Paraphrases(ctx, in.path("paraphrases"))
}
