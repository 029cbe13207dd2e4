package datasets

import (
	"cmp"
	"context"
	"slices"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/label"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/join"
	"github.com/commonplace/commonplace/table"
)

// Negatives offers passages to the contexts of examples: a ranker's listwise
// rows, a reranker's yes and no.
type Negatives struct{}

func (Negatives) Identity() engine.Identity {
	return engine.Identity{
		Name: "negatives", Formerly: "choose", Table: "choices", Revision: 1, Group: "label",
		Keys:  map[string]string{"": "label", "seed": "label.split.seed", "paraphrased": "recommend.context.paraphrased"},
		Short: "choose negatives for each example",
		Unit:  "examples",
	}
}

func (Negatives) Enabled(c *config.Config) bool {
	return config.Makes(config.DataTriples)(c) && len(c.Label.Negatives) > 0
}

func (Negatives) Settings(c *config.Config) any {
	s := choiceSettings(c)
	s.Paraphrased = c.Recommend.Context.Paraphrased
	return s
}

func (Negatives) Plan(_ context.Context, p *engine.Planner) (engine.Deps, error) {
	tables := []string{"documents", "passages", "examples"}
	if p.Config.Recommend.Context.Paraphrased {
		tables = append(tables, "paraphrases")
	}
	return engine.Deps{Inputs: engine.SameShard(tables...)}, nil
}

// SpanNegatives does the same for quoted spans of transcripts.
type SpanNegatives struct{}

func (SpanNegatives) Identity() engine.Identity {
	return engine.Identity{
		Name: "span_negatives", Formerly: "offer", Table: "span_choices", Revision: 1, Group: "label",
		Keys:  map[string]string{"": "label", "seed": "label.split.seed"},
		Short: "choose negatives for each quoted span",
		Unit:  "spans",
	}
}

func (SpanNegatives) Enabled(c *config.Config) bool {
	return config.Makes(config.DataQueries)(c) && len(c.Label.Negatives) > 0
}

func (SpanNegatives) Settings(c *config.Config) any { return choiceSettings(c) }

func (SpanNegatives) Plan(context.Context, *engine.Planner) (engine.Deps, error) {
	return engine.Deps{Inputs: engine.SameShard("documents", "passages", "queries", "quoted_spans")}, nil
}

// picksSettings decide choices.
type picksSettings struct {
	Negatives   []string `json:"negatives"`
	Seed        int64    `json:"seed"`
	Paraphrased bool     `json:"paraphrased,omitzero"` // of examples: the context in other words
}

func choiceSettings(c *config.Config) picksSettings {
	return picksSettings{Negatives: c.Label.Negatives, Seed: c.Label.Split.Seed}
}

func (Negatives) Make(ctx context.Context, t engine.Task) (table.TaskRecord, error) {
	examples := join.Open(ctx, table.Examples, t.Path("examples"), func(e *commonplace.Example) string { return e.DocID },
		"context_id", "quote_id", "doc_id", "quote_begin", "quote_end", "context", "passage_ids", "split")
	var s picksSettings
	if err := t.Decode(&s); err != nil {
		return table.TaskRecord{}, err
	}
	said, stop := paraphrasesOf(ctx, t, s.Paraphrased)
	defer stop()
	return choices(ctx, t, table.Choices, examples, func(o *engine.Output[commonplace.Choice], passages []commonplace.Passage, rows []commonplace.Example, seed int64, list []label.Pick) error {
		if len(rows) == 0 {
			return nil
		}
		sampler := label.NewSampler(passages, rows, seed)
		inOtherWords, err := said(rows[0].DocID)
		if err != nil {
			return err
		}
		slices.SortFunc(rows, func(a, b commonplace.Example) int { return cmp.Compare(a.ID, b.ID) })
		for _, e := range rows {
			if s.Paraphrased {
				if e.Context = inOtherWords[e.ID]; e.Context == "" {
					o.Count("without_a_paraphrase", 1)
					continue
				}
			}
			offered, err := sampler.Choices(e, list)
			if err := o.PutAll(offered, err); err != nil {
				return err
			}
		}
		return nil
	})
}

func (SpanNegatives) Make(ctx context.Context, t engine.Task) (table.TaskRecord, error) {
	queries := join.Open(ctx, table.Queries, t.Path("queries"), func(q *commonplace.Query) string { return q.DocID }, "query_id", "cluster_id", "doc_id", "span_begin", "span_end", "passage_ids")
	defer queries.Stop()
	spans := join.Open(ctx, table.QuotedSpans, t.Path("quoted_spans"), func(q *commonplace.QuotedSpan) string { return q.DocID })
	return choices(ctx, t, table.SpanChoices, spans, func(o *engine.Output[commonplace.Choice], passages []commonplace.Passage, rows []commonplace.QuotedSpan, seed int64, list []label.Pick) error {
		if len(rows) == 0 {
			return nil
		}
		asked, err := queries.Of(rows[0].DocID)
		if err != nil {
			return err
		}
		sampler := label.NewSpanSampler(passages, asked, seed)
		for _, s := range rows {
			offered, err := sampler.SpanChoices(s, list)
			if err := o.PutAll(offered, err); err != nil {
				return err
			}
		}
		return nil
	})
}

// choices walks a task's documents with their passages and what choices are
// made for.
func choices[T any](ctx context.Context, t engine.Task, tab *table.Table[commonplace.Choice], rows *join.Reader[T], do func(*engine.Output[commonplace.Choice], []commonplace.Passage, []T, int64, []label.Pick) error) (table.TaskRecord, error) {
	defer rows.Stop()
	var s picksSettings
	if err := t.Decode(&s); err != nil {
		return table.TaskRecord{}, err
	}
	list, err := config.Picks(s.Negatives)
	if err != nil {
		return table.TaskRecord{}, err
	}
	return engine.WriteShard(ctx, t, tab, func(o *engine.Output[commonplace.Choice]) error {
		passages := join.Open(ctx, table.Passages, t.Path("passages"), func(p *commonplace.Passage) string { return p.DocID }, "passage_id", "doc_id", "index", "begin", "end", "text")
		defer passages.Stop()
		for doc, err := range table.Documents.Rows(ctx, t.Path("documents"), "doc_id") {
			if err != nil {
				return err
			}
			cut, err := passages.Of(doc.ID)
			if err != nil {
				return err
			}
			of, err := rows.Of(doc.ID)
			if err == nil {
				err = do(o, cut, of, s.Seed, list)
			}
			if err != nil {
				return err
			}
		}
		if err := rows.End(); err != nil {
			return err
		}
		return passages.End()
	})
}

// paraphrasesOf gives the paraphrases of a document's contexts, by context, for documents in the
// order of the shard; none where contexts are read as they are.
func paraphrasesOf(ctx context.Context, t engine.Task, paraphrased bool) (of func(docID string) (map[string]string, error), stop func()) {
	if !paraphrased {
		return func(string) (map[string]string, error) { return nil, nil }, func() {}
	}
	return join.Paraphrases(ctx, t.Path("paraphrases"))
}
