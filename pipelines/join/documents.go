package join

import (
	"context"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/table"
)

// EachDocument walks the task's documents with their passages and alignments.
func EachDocument(ctx context.Context, t engine.Task, do func(commonplace.Document, []commonplace.Passage, []commonplace.Alignment) error) error {
	return EachDocumentOf(ctx, t.Path("documents"), t.Path("passages"), t.Path("alignments"), do)
}

// EachDocumentOf walks the documents of a shard.
func EachDocumentOf(ctx context.Context, documents, cut, found string, do func(commonplace.Document, []commonplace.Passage, []commonplace.Alignment) error) error {
	passages := Open(ctx, table.Passages, cut, func(p *commonplace.Passage) string { return p.DocID })
	defer passages.Stop()
	alignments := Open(ctx, table.Alignments, found, func(a *commonplace.Alignment) string { return a.SourceID })
	defer alignments.Stop()
	for doc, err := range table.Documents.Rows(ctx, documents, "doc_id", "author", "text", "characters", "date") {
		if err != nil {
			return err
		}
		of, err := passages.Of(doc.ID)
		if err != nil {
			return err
		}
		found, err := alignments.Of(doc.ID)
		if err != nil {
			return err
		}
		if err := do(doc, of, found); err != nil {
			return err
		}
	}
	if err := passages.End(); err != nil {
		return err
	}
	return alignments.End()
}
