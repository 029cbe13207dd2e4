package pipelines

import (
	"context"
	"strings"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align"
	"github.com/commonplace/commonplace/table"
)

// matchStage finds where derived documents quote the sources. Its table is
// sharded by the derived document, since the finds of one span compete with each
// other over all sources; align deals them to the sources' shards.
var matchStage = &stage{
	name: "match", table: "matches", revision: alignRevision,
	short:    "find where derived documents quote the sources",
	unit:     "documents",
	wanted:   documented,
	settings: func(c *Config) any { return c.Align },
	inputs:   every("documents"),
	make:     makeMatches,
}

func makeMatches(ctx context.Context, t Task) (table.TaskRecord, error) {
	var s AlignConfig
	if err := t.decode(&s); err != nil {
		return table.TaskRecord{}, err
	}
	c := collectionOf(t, s)
	return output(ctx, t, table.Matches, func(o *out[commonplace.Alignment]) error {
		parts := partsOf{c: c}
		defer parts.close()
		for doc, err := range table.Documents.Rows(c.shards[t.Shard], "doc_id", "text", "characters", "role") {
			if err != nil {
				return err
			}
			o.in++
			o.taken++
			if !quoting(&doc) {
				continue
			}
			rows, err := parts.find(ctx, doc)
			if err != nil {
				return err
			}
			for _, a := range rows {
				if err := o.put(a); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// partsOf are a collection's index parts, opened when the first document asks.
type partsOf struct {
	c    collection
	open []*align.Part
}

// find is what one derived document quotes, over all parts.
func (p *partsOf) find(ctx context.Context, doc commonplace.Document) ([]commonplace.Alignment, error) {
	for len(p.open) < len(p.c.shards) {
		part, err := p.c.part(ctx, len(p.open))
		if err != nil {
			return nil, err
		}
		p.open = append(p.open, part)
	}
	var candidates []commonplace.Alignment
	for _, part := range p.open {
		for _, a := range part.Find(doc) {
			if a.SourceID != doc.ID { // a document does not quote itself
				candidates = append(candidates, a)
			}
		}
	}
	rows := align.Merge(candidates, p.c.o)
	for i := range rows { // the rows outlive the parts, which are mapped into memory
		rows[i].SourceID = strings.Clone(rows[i].SourceID)
		rows[i].SourceText = strings.Clone(rows[i].SourceText)
	}
	return rows, nil
}

func (p *partsOf) close() {
	for _, part := range p.open {
		part.Close()
	}
}
