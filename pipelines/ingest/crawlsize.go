package ingest

import (
	"context"

	"github.com/commonplace/commonplace/crawl/archive"
	"github.com/commonplace/commonplace/crawl/gutenberg"
	"github.com/commonplace/commonplace/pipelines/config"
)

// Size is how much text the sources hold, as far as their files, the archive or the
// catalogue say. What cannot be read counts nothing here: the stage says so when it lists it.
func (Crawl) Size(ctx context.Context, c *config.Config) (int64, error) {
	var all int64
	for _, s := range c.Sources {
		all += sizeOf(ctx, c, s)
	}
	return all, ctx.Err()
}

func sizeOf(ctx context.Context, c *config.Config, s config.Source) int64 {
	if s.Fetched() {
		if n := (archiveSource{kinds[s.Kind].remote, archiveFolder(c), c.Out}).size(ctx, s); n > 0 {
			return n
		}
	}
	size, err := SizesOf(ctx, s)
	if err != nil {
		return 0
	}
	if s.Kind == "gutenberg" && !s.Fetched() { // a mirror has more than is chosen
		return min(size.Text, bookSize*chosenBooks(ctx, s))
	}
	return size.Text
}

// size is how many bytes of a source's documents were fetched. Where the archive cannot
// be read it is 0.
func (n archiveSource) size(ctx context.Context, s config.Source) (bytes int64) {
	a, err := archive.Load(n.folder, "")
	if err != nil {
		return 0
	}
	p, err := n.plan(ctx, a, s)
	if err != nil {
		return 0
	}
	for _, d := range p.documents {
		for _, t := range d.Targets {
			if o := a.Best(t); o.Found {
				bytes += o.Entry.Bytes
			}
		}
	}
	return bytes
}

// chosenBooks are how many books of a mirror the config asks for at most.
func chosenBooks(ctx context.Context, s config.Source) int64 {
	if s.Gutenberg.Catalog == "" {
		return int64(len(s.Gutenberg.IDs))
	}
	entries := map[int64]gutenberg.Entry{}
	if err := readCatalog(ctx, s, entries, func(item) {}); err != nil {
		return 0
	}
	return int64(len(entries))
}
