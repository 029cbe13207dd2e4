package join

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

// Batch is some sources of a task's shard, in order of their ids.
type Batch struct {
	ctx       context.Context
	documents []string // shards of all documents
	Sources   []*Source
	byDerived map[string][]*Source // sources that a document quotes, in order
}

// Source is a source with its passages and what documents quote of it.
type Source struct {
	Doc        commonplace.Document
	Passages   []commonplace.Passage
	Alignments []commonplace.Alignment            // between documents, in the table's order
	ByDerived  map[string][]commonplace.Alignment // the same by derived document
}

// EachBatch walks a task's sources in batches. Sources that no document quotes
// are left out.
func EachBatch(ctx context.Context, t engine.Task, do func(*Batch) error) error {
	passages := Open(ctx, table.Passages, t.Path("passages"), func(p *commonplace.Passage) string { return p.DocID })
	defer passages.Stop()
	alignments := Open(ctx, table.Alignments, t.Path("alignments"), func(a *commonplace.Alignment) string { return a.SourceID })
	defer alignments.Stop()
	b := &Batch{ctx: ctx, documents: t.Paths("documents"), byDerived: map[string][]*Source{}}
	size := 0
	flush := func() error {
		if len(b.Sources) == 0 {
			return nil
		}
		err := do(b)
		b.Sources, b.byDerived, size = nil, map[string][]*Source{}, 0
		return err
	}
	for doc, err := range table.Documents.Rows(ctx, t.Paths("documents")[t.Shard], "doc_id", "title", "text", "characters", "date") {
		if err != nil {
			return err
		}
		cut, err := passages.Of(doc.ID)
		if err != nil {
			return err
		}
		found, err := alignments.Of(doc.ID)
		if err != nil {
			return err
		}
		s := &Source{Doc: doc, Passages: cut, ByDerived: map[string][]commonplace.Alignment{}}
		for _, a := range found {
			if a.DerivedID != "" {
				s.Alignments = append(s.Alignments, a)
				s.ByDerived[a.DerivedID] = append(s.ByDerived[a.DerivedID], a)
			}
		}
		if len(s.Alignments) == 0 {
			continue
		}
		for derived := range s.ByDerived {
			b.byDerived[derived] = append(b.byDerived[derived], s)
		}
		b.Sources = append(b.Sources, s)
		if size += len(doc.Text); size >= sourceBatch {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	if err := flush(); err != nil {
		return err
	}
	if err := passages.End(); err != nil {
		return err
	}
	return alignments.End()
}

// EachPair walks every document that quotes a source of the batch, with the
// source; sentences cuts the quoting document, once however many it quotes.
func (b *Batch) EachPair(do func(derived commonplace.Document, sentences func() []commonplace.Passage, source *Source, alignments []commonplace.Alignment) error, cut segment.Cut) error {
	for _, path := range b.documents {
		for doc, err := range table.Documents.Rows(b.ctx, path, "doc_id", "title", "text", "characters", "language") {
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
				if err := do(doc, lazily, s, s.ByDerived[doc.ID]); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
