package pipelines

import (
	"context"
	"slices"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/segment"
	"github.com/commonplace/commonplace/table"
)

// What joins a source with the documents that quote it needs the texts of both,
// and these lie in different shards. So a task takes some of its sources at a
// time and reads all documents once for them.

// sourceBatch is how many bytes of sources are held at once.
const sourceBatch = 64 << 20

// batch is some sources of a task's shard, in order of their ids.
type batch struct {
	ctx       context.Context
	documents []string // shards of all documents
	sources   []*batchSource
	byDerived map[string][]*batchSource // sources that a document quotes, in order
}

// batchSource is a source with its passages and what documents quote of it.
type batchSource struct {
	doc        commonplace.Document
	passages   []commonplace.Passage
	alignments []commonplace.Alignment            // between documents, in the table's order
	of         map[string][]commonplace.Alignment // the same by derived document
}

// eachBatch walks a task's sources in batches. Sources that no document quotes
// are left out.
func eachBatch(ctx context.Context, t engine.Task, do func(*batch) error) error {
	passages := follow(table.Passages, t.Path("passages"), func(p *commonplace.Passage) string { return p.DocID })
	defer passages.stop()
	alignments := follow(table.Alignments, t.Path("alignments"), func(a *commonplace.Alignment) string { return a.SourceID })
	defer alignments.stop()
	b := &batch{ctx: ctx, documents: t.Paths("documents"), byDerived: map[string][]*batchSource{}}
	size := 0
	flush := func() error {
		if len(b.sources) == 0 {
			return nil
		}
		err := do(b)
		b.sources, b.byDerived, size = nil, map[string][]*batchSource{}, 0
		return err
	}
	for doc, err := range table.Documents.Rows(t.Paths("documents")[t.Shard], "doc_id", "title", "text", "characters", "date") {
		if err != nil {
			return err
		}
		cut, err := passages.of(doc.ID)
		if err != nil {
			return err
		}
		found, err := alignments.of(doc.ID)
		if err != nil {
			return err
		}
		s := &batchSource{doc: doc, passages: cut, of: map[string][]commonplace.Alignment{}}
		for _, a := range found {
			if a.DerivedID != "" {
				s.alignments = append(s.alignments, a)
				s.of[a.DerivedID] = append(s.of[a.DerivedID], a)
			}
		}
		if len(s.alignments) == 0 {
			continue
		}
		for derived := range s.of {
			b.byDerived[derived] = append(b.byDerived[derived], s)
		}
		b.sources = append(b.sources, s)
		if size += len(doc.Text); size >= sourceBatch {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	if err := flush(); err != nil {
		return err
	}
	if err := passages.end(); err != nil {
		return err
	}
	return alignments.end()
}

// eachPair walks every document that quotes a source of the batch, with the
// source; sentences cuts the quoting document, once however many it quotes.
func (b *batch) eachPair(do func(derived commonplace.Document, sentences func() []commonplace.Passage, source *batchSource, alignments []commonplace.Alignment) error, cut segment.Cut) error {
	for _, path := range b.documents {
		for doc, err := range table.Documents.Rows(path, "doc_id", "title", "text", "characters", "language") {
			if err != nil {
				return err
			}
			if err := b.ctx.Err(); err != nil {
				return err
			}
			var sentences []commonplace.Passage
			lazily := func() []commonplace.Passage {
				if sentences == nil {
					sentences = slices.Collect(segment.Passages(doc, segment.Segmenter{By: "sentences", Cut: cut}))
				}
				return sentences
			}
			for _, s := range b.byDerived[doc.ID] {
				if err := do(doc, lazily, s, s.of[doc.ID]); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
