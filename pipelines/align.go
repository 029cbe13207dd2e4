package pipelines

import (
	"context"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align"
	"github.com/commonplace/commonplace/table"
)

// alignStage finds the quotes of the lists in the sources.
var alignStage = &stage{
	name: "align", table: "alignments", revision: 1,
	short:    "find the quotations in the documents",
	unit:     "documents",
	settings: func(c *Config) any { return c.Align },
	inputs:   and(sameShard("documents"), every("quotes")),
	make:     makeAlignments,
}

func makeAlignments(ctx context.Context, t Task) (table.TaskRecord, error) {
	var s AlignConfig
	if err := t.decode(&s); err != nil {
		return table.TaskRecord{}, err
	}
	quotes, err := readQuotes(t)
	if err != nil {
		return table.TaskRecord{}, err
	}
	stats := align.NewStats(s.options())
	list, err := align.NewQuoteList(quotes, stats, s.options())
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
			if doc.Role == "derived" {
				continue
			}
			for _, a := range list.Find(doc) {
				if err := o.put(a); err != nil {
					return err
				}
			}
		}
		return nil
	})
}
