package pipelines

import (
	"context"
	"encoding/json"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/label"
	"github.com/commonplace/commonplace/table"
)

// labelStage turns alignments into examples.
var labelStage = &stage{
	name: "label", table: "examples", revision: 2,
	short:    "make training examples of what was found",
	unit:     "alignments",
	settings: func(c *Config) any { return c.Label },
	inputs:   and(sameShard("documents", "passages", "alignments"), whole("quotes")),
	make:     makeExamples,
	check:    checkLeaks,
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
	groups, err := quoteGroups(t)
	if err != nil {
		return table.TaskRecord{}, err
	}
	o := label.Options{ContextWords: s.ContextWords, Split: s.Split.split(), Groups: groups}
	return output(ctx, t, table.Examples, func(out *out[commonplace.Example]) error {
		return eachDocument(t, func(doc commonplace.Document, passages []commonplace.Passage, alignments []commonplace.Alignment) error {
			alignments, dropped := similar(alignments, s.MinSimilarity)
			out.count("below_min_similarity", dropped)
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

// similar leaves out the alignments below a similarity. That was asked for, so
// they are counted and not rejected.
func similar(alignments []commonplace.Alignment, least float64) (kept []commonplace.Alignment, dropped int64) {
	for _, a := range alignments {
		if a.Similarity >= least {
			kept = append(kept, a)
		}
	}
	return kept, int64(len(alignments) - len(kept))
}

// checkLeaks refuses examples in which what must stay together is in two splits.
func checkLeaks(out string, c table.Commit) error {
	var s LabelConfig
	if err := json.Unmarshal(c.Config, &s); err != nil {
		return err
	}
	column := map[string]string{label.ByQuote: "quote_id", label.ByDocument: "doc_id"}[s.Split.By]
	if column == "" {
		return nil // by example, as the paper does: leaks are part of it
	}
	leaks := label.NewLeakCheck(column)
	for _, path := range c.ShardPaths(out) {
		for e, err := range table.Examples.Rows(path, column, "split") {
			if err != nil {
				return err
			}
			leaks.Add(e.QuoteID+e.DocID, e.Split) // one of them was read
		}
	}
	return leaks.Err()
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
