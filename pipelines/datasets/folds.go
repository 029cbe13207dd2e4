package datasets

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/infer/tokenizer"
	"github.com/commonplace/commonplace/label"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/join"
	"github.com/commonplace/commonplace/pipelines/worker"
	"github.com/commonplace/commonplace/table"
)

// PositionTokens gives passages their positional tokens, counts and folds.
type PositionTokens struct{}

func (PositionTokens) Identity() engine.Identity {
	return engine.Identity{
		Name: "position_tokens", Formerly: "mark", Table: "counted", Revision: 3, Group: "label",
		Keys:  map[string]string{"": "label.counts", "seed": "label.split.seed"},
		Short: "add positional tokens and counts to passages",
		Unit:  "passages",
	}
}

func (PositionTokens) Enabled(c *config.Config) bool { return config.Makes(config.DataCounts)(c) }

func (PositionTokens) Settings(c *config.Config) any {
	return markSettings{c.Label.Counts.Genre, foldSettingsOf(c)}
}

func (PositionTokens) External(ctx context.Context, p *engine.Planner) (engine.External, error) {
	return givenSplits(ctx, p.Config)
}

func (PositionTokens) Plan(_ context.Context, p *engine.Planner) (engine.Deps, error) {
	inputs := engine.SameShard("documents", "passages", "quote_counts", "works")
	if p.Config.Label.Counts.EvenFolds {
		inputs = engine.And(inputs, engine.Whole("passages", "works"))
	}
	return engine.Deps{Inputs: inputs}, nil
}

func (PositionTokens) Check(ctx context.Context, out string, c table.Commit) (engine.Checks, error) {
	return checkCounted(ctx, out, c)
}

// Sequences packs neighbouring passages as a model takes them.
type Sequences struct{}

func (Sequences) Identity() engine.Identity {
	return engine.Identity{
		Name: "sequence", Table: "sequences", Revision: 2, Group: "label",
		Keys:  map[string]string{"pieces": "label.counts.sequence"},
		Short: "pack neighbouring passages into sequences",
		Unit:  "passages",
	}
}

func (Sequences) Enabled(c *config.Config) bool {
	return config.Makes(config.DataCounts)(c) && c.Label.Tokenizer != ""
}

func (Sequences) Settings(c *config.Config) any { return sequenceSettings{c.Label.Counts.Sequence} }

func (Sequences) External(ctx context.Context, p *engine.Planner) (engine.External, error) {
	return namedTokenizer(ctx, p.Config)
}

func (Sequences) Plan(context.Context, *engine.Planner) (engine.Deps, error) {
	return engine.Deps{Inputs: engine.SameShard("counted")}, nil
}

func (Sequences) Check(ctx context.Context, out string, c table.Commit) (engine.Checks, error) {
	return checkFolds(ctx, table.Sequences, func(r *commonplace.Sequence) (string, int64) { return r.DocID, r.Fold })(out, c)
}

// Pairs pairs passages with less quoted ones of their document.
type Pairs struct{}

func (Pairs) Identity() engine.Identity {
	return engine.Identity{
		Name: "pair", Table: "pairs", Revision: 1, Group: "label",
		Keys:  map[string]string{"pairs": "label.counts.pairs", "seed": "label.split.seed"},
		Short: "pair passages with less quoted ones",
		Unit:  "passages",
	}
}

func (Pairs) Enabled(c *config.Config) bool {
	return config.Makes(config.DataCounts)(c) && c.Label.Counts.Pairs > 0
}

func (Pairs) Settings(c *config.Config) any {
	return pairSettings{c.Label.Counts.Pairs, c.Label.Split.Seed}
}

func (Pairs) Plan(context.Context, *engine.Planner) (engine.Deps, error) {
	return engine.Deps{Inputs: engine.SameShard("counted")}, nil
}

func (Pairs) Check(ctx context.Context, out string, c table.Commit) (engine.Checks, error) {
	return checkFolds(ctx, table.Pairs, func(r *commonplace.Pair) (string, int64) { return r.DocID, r.Fold })(out, c)
}

// readFolds names what the documents of shards of works must share a fold with.
func readFolds(ctx context.Context, by string, paths ...string) (map[string]string, error) {
	if by != config.FoldsByAuthor {
		return readWorks(ctx, paths...)
	}
	folds := map[string]string{}
	for _, path := range paths {
		for w, err := range table.Works.Rows(ctx, path, "doc_id", "work", "author") {
			if err != nil {
				return nil, err
			}
			folds[w.DocID] = cmp.Or(w.Author, w.Work)
		}
	}
	return folds, nil
}

// foldSettings say which fold a document is in.
type foldSettings struct {
	Folds   int    `json:"folds"`
	FoldsBy string `json:"folds_by"`
	Seed    int64  `json:"seed"`
	Even    bool   `json:"even_folds,omitempty"`
}

func foldSettingsOf(c *config.Config) foldSettings {
	return foldSettings{c.Label.Counts.Folds, c.Label.Counts.FoldsBy, c.Label.Split.Seed, c.Label.Counts.EvenFolds}
}

var lastEven worker.Memo[map[string]int64]

// of is the fold of each document of the works that are given: by a hash of what it must
// stay together with, or so that all folds have about as many passages. For that the task
// reads works and passages whole.
func (s foldSettings) of(ctx context.Context, t engine.Task, works ...string) (func(docID string) (int64, error), error) {
	given, err := givenTo(ctx, t)
	if err != nil {
		return nil, err
	}
	groups, err := readFolds(ctx, s.FoldsBy, works...)
	if err != nil {
		return nil, err
	}
	var even map[string]int64 // by group
	if s.Even {
		even, err = lastEven.Get(ctx, fmt.Sprint(t.InputsKey("works"), t.InputsKey("passages"), s), func() (map[string]int64, error) {
			all, err := readFolds(ctx, s.FoldsBy, t.Paths("works")...)
			if err != nil {
				return nil, err
			}
			sizes := map[string]int64{}
			for _, path := range t.Paths("passages") {
				for id, err := range table.Values[string](ctx, table.Passages, path, "doc_id") {
					if err != nil {
						return nil, err
					}
					sizes[all[id]]++
				}
			}
			return label.EvenFolds(s.Seed, sizes, s.Folds), nil
		})
		if err != nil {
			return nil, err
		}
	}
	return func(docID string) (int64, error) {
		if fold, there := given.Fold(docID); there {
			return fold, nil
		}
		group := groups[docID]
		switch {
		case group == "":
			return 0, fmt.Errorf("document %q has passages and no work", docID)
		case s.Even:
			return even[group], nil
		}
		return label.Fold(s.Seed, group, s.Folds), nil
	}, nil
}

type markSettings struct {
	Genre string `json:"genre"`
	foldSettings
}

type sequenceSettings struct {
	Pieces int `json:"pieces"`
}

type pairSettings struct {
	Pairs int   `json:"pairs"`
	Seed  int64 `json:"seed"`
}

func (PositionTokens) Make(ctx context.Context, t engine.Task) (table.TaskRecord, error) {
	var s markSettings
	if err := t.Decode(&s); err != nil {
		return table.TaskRecord{}, err
	}
	foldOf, err := s.of(ctx, t, t.Path("works"))
	if err != nil {
		return table.TaskRecord{}, err
	}
	return engine.WriteShard(ctx, t, table.Counted, func(o *engine.Output[commonplace.Counted]) error {
		counts := join.Open(ctx, table.QuoteCounts, t.Path("quote_counts"), func(c *commonplace.QuoteCount) string { return c.DocID })
		defer counts.Stop()
		err := documentsPassages(ctx, t, func(doc commonplace.Document, passages []commonplace.Passage) error {
			given, err := counts.Of(doc.ID)
			if err != nil || len(passages) == 0 {
				return err
			}
			fold, err := foldOf(doc.ID)
			if err != nil {
				return err
			}
			marked, err := label.Marked(label.Genre(s.Genre), passages, label.Sections(label.Genre(s.Genre), passages))
			if err != nil {
				return err
			}
			rows, err := label.Singles(passages, marked, given, fold)
			if err != nil {
				return err
			}
			for _, r := range rows {
				o.In++
				o.Taken++
				r.Genre = doc.Genre
				if err := o.Put(r); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		return counts.End()
	})
}

// documentsPassages walks the passages of a task's documents.
func documentsPassages(ctx context.Context, t engine.Task, do func(doc commonplace.Document, passages []commonplace.Passage) error) error {
	passages := join.Open(ctx, table.Passages, t.Path("passages"), func(p *commonplace.Passage) string { return p.DocID })
	defer passages.Stop()
	for doc, err := range table.Documents.Rows(ctx, t.Path("documents"), "doc_id", "genre") {
		if err != nil {
			return err
		}
		of, err := passages.Of(doc.ID)
		if err == nil {
			err = do(doc, of)
		}
		if err != nil {
			return err
		}
	}
	return passages.End()
}

// eachCounted walks the counted passages of a task, document by document.
func eachCounted(ctx context.Context, t engine.Task, do func([]commonplace.Counted) error) error {
	var rows []commonplace.Counted
	for r, err := range table.Counted.Rows(ctx, t.Path("counted")) {
		if err != nil {
			return err
		}
		if len(rows) > 0 && rows[0].DocID != r.DocID {
			if err := do(rows); err != nil {
				return err
			}
			rows = nil
		}
		rows = append(rows, r)
	}
	if len(rows) == 0 {
		return nil
	}
	return do(rows)
}

func (Sequences) Make(ctx context.Context, t engine.Task) (table.TaskRecord, error) {
	var s sequenceSettings
	if err := t.Decode(&s); err != nil {
		return table.TaskRecord{}, err
	}
	tok, err := taskTokenizer(ctx, t)
	if err != nil {
		return table.TaskRecord{}, err
	}
	return engine.WriteShard(ctx, t, table.Sequences, func(o *engine.Output[commonplace.Sequence]) error {
		return eachCounted(ctx, t, func(rows []commonplace.Counted) error {
			sequences, rejects := label.Sequences(rows, pieces(tok), s.Pieces)
			o.In += int64(len(rows))
			o.Taken += int64(len(rows) - len(rejects))
			for _, r := range rejects {
				o.Reject(r)
			}
			for _, q := range sequences {
				if q.Truncated {
					o.Count("truncated", 1)
				}
				if err := o.Put(q); err != nil {
					return err
				}
			}
			return nil
		})
	})
}

// pieces counts word pieces; a mark such as [Starts-Book] is one, as the paper
// adds them to the vocabulary.
func pieces(tok *tokenizer.Tokenizer) func(string) (int, error) {
	return func(marked string) (int, error) {
		text, marks := label.Unmarked(marked)
		e, err := tok.Pieces(text)
		return e.Len() + marks, err
	}
}

func (Pairs) Make(ctx context.Context, t engine.Task) (table.TaskRecord, error) {
	var s pairSettings
	if err := t.Decode(&s); err != nil {
		return table.TaskRecord{}, err
	}
	return engine.WriteShard(ctx, t, table.Pairs, func(o *engine.Output[commonplace.Pair]) error {
		return eachCounted(ctx, t, func(rows []commonplace.Counted) error {
			o.In += int64(len(rows))
			o.Taken += int64(len(rows))
			pairs := label.Pairs(rows, s.Pairs, s.Seed)
			slices.SortFunc(pairs, func(a, b commonplace.Pair) int {
				return cmp.Or(cmp.Compare(a.MoreID, b.MoreID), cmp.Compare(a.LessID, b.LessID))
			})
			for _, p := range pairs {
				if err := o.Put(p); err != nil {
					return err
				}
			}
			return nil
		})
	})
}
