package datasets

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/commonplace/commonplace/bounded"
	"github.com/commonplace/commonplace/label"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/worker"
	"github.com/commonplace/commonplace/storage"
)

// dictionaryFile is where a task finds the words of label.replies.dictionary.
type dictionaryFile struct {
	Path   string `json:"path"`
	SHA256 string `json:"sha256"`
}

// namedDictionary hashes and checks the dictionary, where the config names one.
func namedDictionary(ctx context.Context, c *config.Config) (engine.External, namedFiles, error) {
	path := c.Label.Replies.Dictionary
	if path == "" {
		return engine.External{}, namedFiles{}, nil
	}
	sum, err := storage.SumOf(ctx, path)
	f := dictionaryFile{path, sum}
	if err == nil {
		_, err = f.open(ctx)
	}
	if err != nil {
		return engine.External{}, namedFiles{}, fmt.Errorf("%w: %s: label.replies.dictionary: %w", config.ErrInvalid, c.Where("label.replies.dictionary"), err)
	}
	named := namedFiles{Dictionary: &f}
	return engine.External{
		Contents: func(int, int) string { return sum },
		Parts:    engine.OnePart("file of label.replies.dictionary", sum),
		Extra:    func(int, int) json.RawMessage { return storage.MustJSON(named) },
	}, named, nil
}

var lastDictionary worker.Memo[*label.Dictionary]

// open reads the words, whose file has to be as it was listed.
func (f dictionaryFile) open(ctx context.Context) (*label.Dictionary, error) {
	return lastDictionary.Get(ctx, f.SHA256, func() (d *label.Dictionary, err error) {
		err = engine.ReadUnchanged(ctx, f.Path, f.SHA256, func(name string) error {
			text, err := bounded.ReadFile(name, bounded.Defaults())
			if err == nil {
				d, err = label.ReadDictionary(text)
			}
			if err != nil {
				return fmt.Errorf("%s: %w", f.Path, err)
			}
			return nil
		})
		return d, err
	})
}

// taskDictionary is the dictionary of a task; nil where there is none.
func taskDictionary(ctx context.Context, t engine.Task) (*label.Dictionary, error) {
	if len(t.Extra) == 0 {
		return nil, nil
	}
	var named namedFiles
	if err := json.Unmarshal(t.Extra, &named); err != nil || named.Dictionary == nil {
		return nil, err
	}
	return named.Dictionary.open(ctx)
}
