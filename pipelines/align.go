package pipelines

import (
	"cmp"
	"context"
	"slices"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/table"
)

// alignStage finds the quotes of the lists in the sources, and adds to each
// source what the derived documents quote of it.
var alignStage = &stage{
	name: "align", table: "alignments", revision: alignRevision,
	short:    "find the quotations of the lists in the sources",
	unit:     "documents",
	settings: func(c *Config) any { return c.Align },
	prepare:  keepCounts,
	inputs:   alignInputs,
	outside:  lookForCounts,
	make:     makeAlignments,
	sweep:    sweepIndex,
}

// alignInputs are a shard and what is looked for in it; also all documents where
// they say what is rare.
func alignInputs(p *planner, shard, of int) ([]Input, error) {
	inputs := and(sameShard("documents"), whole("quotes", "matches"))
	if p.config.Align.Counts == "" {
		inputs = and(inputs, whole("documents"))
	}
	return inputs(p, shard, of)
}

func makeAlignments(ctx context.Context, t Task) (table.TaskRecord, error) {
	var s AlignConfig
	if err := t.decode(&s); err != nil {
		return table.TaskRecord{}, err
	}
	c, err := collectionOf(t, s)
	if err != nil {
		return table.TaskRecord{}, err
	}
	list, err := c.list(ctx, t)
	if err != nil {
		return table.TaskRecord{}, err
	}
	matches, err := matchesOf(t)
	if err != nil {
		return table.TaskRecord{}, err
	}
	return output(ctx, t, table.Alignments, func(o *out[commonplace.Alignment]) error {
		for doc, err := range table.Documents.Rows(t.path("documents"), "doc_id", "text", "characters", "role") {
			if err != nil {
				return err
			}
			o.in++
			o.taken++
			if !quotable(&doc) {
				continue
			}
			rows := slices.Concat(list.Find(doc), matches[doc.ID])
			slices.SortFunc(rows, bySource)
			for _, a := range rows {
				if err := o.put(a); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// matchesOf are the finds of the task's sources in derived documents, by source.
func matchesOf(t Task) (map[string][]commonplace.Alignment, error) {
	found := map[string][]commonplace.Alignment{}
	for _, path := range t.paths("matches") {
		for a, err := range table.Matches.Rows(path) {
			if err != nil {
				return nil, err
			}
			if table.ShardOf(a.SourceID, t.Of) == t.Shard {
				found[a.SourceID] = append(found[a.SourceID], a)
			}
		}
	}
	return found, nil
}

// bySource is the order of the table alignments.
func bySource(a, b commonplace.Alignment) int {
	return cmp.Or(cmp.Compare(a.SourceID, b.SourceID), cmp.Compare(a.SourceBegin, b.SourceBegin), cmp.Compare(a.SourceEnd, b.SourceEnd),
		cmp.Compare(a.QuoteID, b.QuoteID), cmp.Compare(a.DerivedID, b.DerivedID), cmp.Compare(a.DerivedBegin, b.DerivedBegin))
}
