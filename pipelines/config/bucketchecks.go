package config

import (
	"context"
	"fmt"

	"github.com/commonplace/commonplace/crawl"
	"github.com/commonplace/commonplace/storage"
)

// CheckBuckets refuses paths in buckets of which this program knows nothing, and
// what has to be a folder of this machine.
func (c *Config) CheckBuckets(ctx context.Context) error {
	for _, path := range c.allPaths() {
		known, err := storage.Reachable(ctx, *path)
		if !known {
			return fmt.Errorf("%w: %s: %s: there are paths of this machine, gs://bucket/… and s3://bucket/…", ErrInvalid, c.path, crawl.WithoutUser(*path))
		}
		if err != nil {
			return fmt.Errorf("%w: %s: %s: %w", ErrInvalid, c.path, crawl.WithoutUser(*path), err)
		}
	}
	if p := c.Label.Paraphrase.Cache; storage.Remote(p) && c.Paraphrased() {
		return c.Refuse("label.paraphrase.cache", p, "a folder of this machine")
	}
	for i, s := range c.Sources {
		if s.Fetched() && storage.Remote(c.Out) {
			return c.Refuse("out", c.Out, "a folder of this machine while sources."+s.Name+" is fetched, since answers are kept as they come; crawl there, and read the archive from here as a source of the kind warc")
		}
		kind, _ := KindNamed(s.Kind)
		for _, f := range s.Files {
			if storage.Remote(f) && (s.Fetched() || kind.OnDisk) {
				return c.Refuse(fmt.Sprintf("sources[%d].files", i), f, "on this machine for a source that is "+map[bool]string{true: "fetched", false: "of the kind " + s.Kind}[s.Fetched()])
			}
		}
	}
	return nil
}
