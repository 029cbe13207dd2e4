package quotes

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/commonplace/commonplace/align"
	"github.com/commonplace/commonplace/bounded"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/worker"
	"github.com/commonplace/commonplace/storage"
)

// phrases are the file that align.ignore names, and its SHA-256.
type phrases struct {
	File string `json:"file"`
	Sum  string `json:"sum"`
}

var ignoredPhrases worker.Memo[*align.Ignored]

// lookForPhrases is the file as it is now; nil if the config names none.
func lookForPhrases(ctx context.Context, c *config.Config) (*phrases, error) {
	path := c.Align.Ignore
	if path == "" {
		return nil, nil
	}
	key := c.Written("align.ignore")
	sum, err := storage.SumOf(ctx, path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %s: %s: %s is not there", config.ErrInvalid, c.Where(key), key, path)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %s: %w", c.Where(key), key, storage.Wrap("read", path, err))
	}
	p := &phrases{path, sum}
	if _, err := p.read(ctx); err != nil { // now, and not after hours of other stages
		return nil, fmt.Errorf("%w: %s: %s: %w", config.ErrInvalid, c.Where(key), key, err)
	}
	return p, nil
}

// read is the list, as it was when it was looked for.
func (p *phrases) read(ctx context.Context) (*align.Ignored, error) {
	if p == nil {
		return nil, nil
	}
	return ignoredPhrases.Get(ctx, p.Sum, func() (list *align.Ignored, err error) {
		err = engine.ReadUnchanged(ctx, p.File, p.Sum, func(name string) error {
			text, err := bounded.ReadFile(name, bounded.Defaults())
			if err == nil {
				list, err = align.ReadIgnored(p.File, text)
			}
			if err != nil {
				return fmt.Errorf("%s: %w", p.File, err)
			}
			return nil
		})
		return list, err
	})
}
