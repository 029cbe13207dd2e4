package ingest

import (
	"context"
	"fmt"

	"github.com/commonplace/commonplace/crawl"
	"github.com/commonplace/commonplace/crawl/archive"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
)

// Forget removes the answers that forgotten documents were made from. An answer from which
// another document is made, too, stays.
func (Crawl) Forget(ctx context.Context, c *config.Config, f engine.Forgotten) (removed int, err error) {
	a, err := archive.Load(archiveFolder(c), "")
	if err != nil {
		return 0, err
	}
	gone, stay := map[crawl.Address]bool{}, map[crawl.Address]bool{}
	take := func(w archive.Target, into map[crawl.Address]bool) {
		for _, address := range a.Trail(w) {
			into[address] = true
		}
	}
	for _, s := range c.Sources {
		if !s.Fetched() {
			continue
		}
		p, err := kinds[s.Kind].remote.plan(ctx, a, s)
		if err != nil {
			return 0, fmt.Errorf("source %s: %w", s.Name, err)
		}
		for _, w := range p.needs {
			take(w, stay)
		}
		for _, d := range p.documents {
			into := stay
			if f.Has(d.ID) {
				into = gone
			}
			for _, w := range d.Targets {
				take(w, into)
			}
		}
	}
	for address := range stay {
		delete(gone, address)
	}
	return a.Remove(ctx, gone)
}
