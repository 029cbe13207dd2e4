package pipelines

import (
	"context"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/label"
	"github.com/commonplace/commonplace/table"
)

// labelStage turns alignments into examples.
var labelStage = &stage{
	name: "label", table: "examples", revision: 1,
	short:    "make training examples of what was found",
	unit:     "alignments",
	settings: func(c *Config) any { return c.Label },
	inputs:   and(sameShard("documents", "passages", "alignments"), every("quotes")),
	make:     makeExamples,
}

// countStage counts how often each passage is quoted.
var countStage = &stage{
	name: "count", table: "quote_counts", revision: 1,
	short:    "count how often each passage is quoted",
	unit:     "passages",
	settings: func(c *Config) any { return struct{}{} },
	inputs:   sameShard("documents", "passages", "alignments"),
	make:     makeCounts,
}

func makeExamples(ctx context.Context, t Task) (table.TaskRecord, error) {
	var s LabelConfig
	if err := t.decode(&s); err != nil {
		return table.TaskRecord{}, err
	}
	quotes, err := readQuotes(t)
	if err != nil {
		return table.TaskRecord{}, err
	}
	o := label.Defaults()
	o.ContextWords = s.ContextWords
	o.Split = label.Split{Train: s.Split.Train, Validation: s.Split.Validation, Test: s.Split.Test, By: s.Split.By, Seed: s.Split.Seed}
	o.Groups = label.GroupQuotes(quotes)
	return output(ctx, t, table.Examples, func(out *out[commonplace.Example]) error {
		return eachDocument(t, func(doc commonplace.Document, passages []commonplace.Passage, alignments []commonplace.Alignment) error {
			examples, rejects := label.Triples(doc, passages, alignments, o)
			out.in += int64(len(alignments))
			for _, e := range examples {
				if err := out.put(e); err != nil {
					return err
				}
				out.taken++
			}
			for _, r := range rejects {
				out.refuse(r)
			}
			return nil
		})
	})
}

func makeCounts(ctx context.Context, t Task) (table.TaskRecord, error) {
	return output(ctx, t, table.QuoteCounts, func(out *out[commonplace.QuoteCount]) error {
		return eachDocument(t, func(doc commonplace.Document, passages []commonplace.Passage, alignments []commonplace.Alignment) error {
			out.in += int64(len(passages))
			for _, c := range label.Counts(doc, passages, alignments) {
				if err := out.put(c); err != nil {
					return err
				}
				out.taken++
			}
			return nil
		})
	})
}

// eachDocument walks the task's documents with their passages and alignments.
func eachDocument(t Task, do func(commonplace.Document, []commonplace.Passage, []commonplace.Alignment) error) error {
	passages := follow(table.Passages, t.path("passages"), func(p *commonplace.Passage) string { return p.DocID })
	defer passages.stop()
	alignments := follow(table.Alignments, t.path("alignments"), func(a *commonplace.Alignment) string { return a.SourceID })
	defer alignments.stop()
	for doc, err := range table.Documents.Rows(t.path("documents"), "doc_id", "text", "characters") {
		if err != nil {
			return err
		}
		of, err := passages.of(doc.ID)
		if err != nil {
			return err
		}
		found, err := alignments.of(doc.ID)
		if err != nil {
			return err
		}
		if err := do(doc, of, found); err != nil {
			return err
		}
	}
	if err := passages.end(); err != nil {
		return err
	}
	return alignments.end()
}
