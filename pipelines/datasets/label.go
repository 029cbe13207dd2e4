package datasets

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/infer/tokenizer"
	"github.com/commonplace/commonplace/label"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/join"
	"github.com/commonplace/commonplace/pipelines/worker"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// Examples turns alignments into examples (RA-MTR).
type Examples struct{}

func (Examples) Identity() engine.Identity {
	return engine.Identity{
		Name: "label", Table: "examples", Revision: 4, Group: "label",
		Short: "make training examples from alignments",
		Unit:  "alignments",
	}
}

func (Examples) Enabled(c *config.Config) bool { return config.Makes(config.DataTriples)(c) }

func (Examples) Settings(c *config.Config) any {
	return triplesSettings{c.Label.ContextWords, c.Label.MinSimilarity, c.Label.Split}
}

func (Examples) External(ctx context.Context, p *engine.Planner) (engine.External, error) {
	e, err := namedTokenizer(ctx, p.Config)
	if err != nil {
		return e, err
	}
	var named namedFiles
	err = json.Unmarshal(e.Extra(0, 1), &named.tokenizerFile)
	return withSplits(ctx, p.Config, e, named)
}

func (Examples) Plan(context.Context, *engine.Planner) (engine.Deps, error) {
	return engine.Deps{Inputs: engine.SameShard("documents", "passages", "alignments", "groups")}, nil
}

func (Examples) Check(ctx context.Context, out string, c table.Commit) (engine.Checks, error) {
	return checkExamples(ctx, out, c)
}

// triplesSettings decide examples.
type triplesSettings struct {
	ContextWords  int          `json:"context_words"`
	MinSimilarity float64      `json:"min_similarity"`
	Split         config.Split `json:"split"`
}

// namedTokenizer hashes the tokenizer's file, where the config names one.
func namedTokenizer(ctx context.Context, c *config.Config) (engine.External, error) {
	if c.Label.Tokenizer == "" {
		return engine.External{Extra: func(int, int) json.RawMessage { return storage.MustJSON(tokenizerFile{}) }}, nil
	}
	sum, err := storage.SumOf(ctx, c.Label.Tokenizer)
	f := tokenizerFile{c.Label.Tokenizer, sum}
	if err == nil {
		_, err = f.open(ctx)
	}
	if err != nil {
		return engine.External{}, fmt.Errorf("%w: %s: label.tokenizer: %w", config.ErrInvalid, c.Where("label.tokenizer"), err)
	}
	return engine.External{
		Contents: func(int, int) string { return sum },
		Parts:    engine.OnePart("file of label.tokenizer", sum),
		Extra:    func(int, int) json.RawMessage { return storage.MustJSON(f) },
	}, nil
}

// tokenizerFile is where a task finds the tokenizer.
type tokenizerFile struct {
	Path   string `json:"path"`
	SHA256 string `json:"sha256"`
}

var lastTokenizer worker.Memo[*tokenizer.Tokenizer]

// open opens the tokenizer, whose file has to be as it was listed.
func (f tokenizerFile) open(ctx context.Context) (*tokenizer.Tokenizer, error) {
	return lastTokenizer.Get(ctx, f.SHA256, func() (tok *tokenizer.Tokenizer, err error) {
		err = engine.ReadUnchanged(ctx, f.Path, f.SHA256, func(name string) (err error) {
			tok, err = tokenizer.Open(name)
			return err
		})
		return tok, err
	})
}

// taskTokenizer is the tokenizer of a task; nil where there is none.
func taskTokenizer(ctx context.Context, t engine.Task) (*tokenizer.Tokenizer, error) {
	var f tokenizerFile
	if err := json.Unmarshal(t.Extra, &f); err != nil || f.Path == "" {
		return nil, err
	}
	return f.open(ctx)
}

func (Examples) Make(ctx context.Context, t engine.Task) (table.TaskRecord, error) {
	var s triplesSettings
	if err := t.Decode(&s); err != nil {
		return table.TaskRecord{}, err
	}
	split, err := splitOf(ctx, t, s.Split)
	if err != nil {
		return table.TaskRecord{}, err
	}
	o := label.Options{ContextWords: s.ContextWords, Split: split}
	tok, err := taskTokenizer(ctx, t)
	if err != nil {
		return table.TaskRecord{}, err
	}
	if tok != nil {
		o.Pieces = func(passage string) ([]commonplace.Span, error) {
			e, err := tok.Pieces(passage)
			return e.Spans, err
		}
	}
	return engine.WriteShard(ctx, t, table.Examples, func(out *engine.Output[commonplace.Example]) error {
		groups := join.Open(ctx, table.Groups, t.Path("groups"), func(g *commonplace.Group) string { return g.DocID })
		defer groups.Stop()
		err := join.EachDocument(ctx, t, func(doc commonplace.Document, passages []commonplace.Passage, alignments []commonplace.Alignment) error {
			rows, err := groups.Of(doc.ID)
			if err != nil {
				return err
			}
			o.Groups = make(map[string]commonplace.Group, len(rows))
			for _, g := range rows {
				o.Groups[g.AlignmentID] = g
			}
			alignments, dropped := similar(alignments, s.MinSimilarity)
			out.Count("below_min_similarity", dropped)
			examples, rejects := label.Triples(doc, passages, alignments, o)
			out.In += int64(len(alignments))
			for _, e := range examples {
				if err := out.Put(e); err != nil {
					return err
				}
				out.Taken++
				out.Count("in_"+e.Split, 1)
			}
			for _, r := range rejects {
				out.Reject(r)
			}
			return nil
		})
		if err != nil {
			return err
		}
		return groups.End()
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
