package datasets

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/commonplace/commonplace/bounded"
	"github.com/commonplace/commonplace/crawl/files"
	"github.com/commonplace/commonplace/label"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/worker"
	"github.com/commonplace/commonplace/storage"
)

// splitFile is where a task finds the splits and folds that label.split.file gives.
type splitFile struct {
	Path   string `json:"path"`
	SHA256 string `json:"sha256"`
	Folds  int    `json:"folds"`
}

// namedFiles are the files of labelling that a task reads: the tokenizer, the splits, the
// dictionary of Chinese words.
type namedFiles struct {
	tokenizerFile
	Given      *splitFile      `json:"given,omitempty"`
	Dictionary *dictionaryFile `json:"dictionary,omitempty"`
}

// givenSplits hashes and checks label.split.file, where the config names one.
func givenSplits(ctx context.Context, c *config.Config) (engine.External, error) {
	return withSplits(ctx, c, engine.External{}, namedFiles{})
}

// withSplits adds the file of splits to what else a stage reads.
func withSplits(ctx context.Context, c *config.Config, e engine.External, named namedFiles) (engine.External, error) {
	if c.Label.Split.File == "" {
		return e, nil
	}
	given := splitFile{Path: c.Label.Split.File, Folds: c.Label.Counts.Folds}
	var err error
	if given.SHA256, err = storage.SumOf(ctx, given.Path); err == nil {
		_, err = given.open(ctx)
	}
	if err != nil {
		return engine.External{}, fmt.Errorf("%w: %s: label.split.file: %w", config.ErrInvalid, c.Where("label.split.file"), err)
	}
	named.Given = &given
	before := e.Contents
	e.Contents = func(shard, of int) string {
		if before == nil {
			return given.SHA256
		}
		return before(shard, of) + given.SHA256
	}
	if e.Parts == nil {
		e.Parts = engine.Parts{}
	}
	e.Parts.Add("file", "label.split.file", given.SHA256)
	e.Extra = func(int, int) json.RawMessage { return storage.MustJSON(named) }
	return e, nil
}

var lastGiven worker.Memo[*label.Given]

// open reads the file, which has to be as it was listed.
func (f splitFile) open(ctx context.Context) (*label.Given, error) {
	return lastGiven.Get(ctx, fmt.Sprint(f), func() (g *label.Given, err error) {
		err = engine.ReadUnchanged(ctx, f.Path, f.SHA256, func(name string) error {
			list, _, err := files.ReadSplits(ctx, name, bounded.Limits{})
			if err == nil {
				g, err = f.given(list)
			}
			return err
		})
		return g, err
	})
}

func (f splitFile) given(list []files.GivenSplit) (*label.Given, error) {
	g := &label.Given{Splits: map[string]string{}, Folds: map[string]int64{}}
	splits := []string{"", label.Train, label.Validation, label.Test}
	for _, s := range list {
		switch before := g.Splits[s.ID]; {
		case !slices.Contains(splits, s.Split):
			return nil, fmt.Errorf("line %d: split is %q, must be train, validation or test", s.Line, s.Split)
		case before != "" && s.Split != "" && before != s.Split:
			return nil, fmt.Errorf("line %d: %s is in %s and in %s", s.Line, s.ID, before, s.Split)
		case s.Fold != nil && *s.Fold >= int64(f.Folds):
			return nil, fmt.Errorf("line %d: fold is %d, and label.counts.folds is %d: the folds are 0 to %d", s.Line, *s.Fold, f.Folds, f.Folds-1)
		}
		if s.Split != "" {
			g.Splits[s.ID] = s.Split
		}
		if s.Fold != nil {
			g.Folds[s.ID] = *s.Fold
		}
	}
	return g, nil
}

// splitOf is the split of a task's config with what the file gives.
func splitOf(ctx context.Context, t engine.Task, s config.Split) (label.Split, error) {
	split := s.Split()
	var err error
	split.Given, err = givenTo(ctx, t)
	return split, err
}

// givenTo are the splits and folds that were given to a task; nil: none.
func givenTo(ctx context.Context, t engine.Task) (*label.Given, error) {
	if len(t.Extra) == 0 {
		return nil, nil
	}
	var named namedFiles
	if err := json.Unmarshal(t.Extra, &named); err != nil || named.Given == nil {
		return nil, err
	}
	return named.Given.open(ctx)
}
