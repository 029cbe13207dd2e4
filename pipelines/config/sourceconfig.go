package config

import (
	"context"
	"path/filepath"
)

// NewSource is a source of a kind with every default; its name is the kind's.
func NewSource(kind string) Source {
	s := defaultSource()
	s.Name, s.Kind = kind, kind
	return s
}

// ForSource is the config of a run of one source that is described on the
// command line, for the stage crawl alone. Paths are relative to the working folder.
func ForSource(ctx context.Context, s Source, out string, shards int) (*Config, error) {
	c := Default()
	c.path = "crawl --source " + s.Kind
	c.Out, c.Shards, c.Sources = out, shards, []Source{s}
	if err := c.check(ctx); err != nil {
		return nil, err
	}
	return &c, nil
}

// ForFolder is the config of a folder of books without a config file: what is most
// quotable in them. The tables are in out, beside where the command runs.
func ForFolder(ctx context.Context, folder string) (*Config, error) {
	c := Default()
	c.path = folder
	whole, err := filepath.Abs(folder) // . has a name too
	if err != nil {
		return nil, err
	}
	s := NewSource(KindFiles)
	s.Name, s.Files = "books", []string{folder}
	c.Out, c.Sources, c.Score.Model = filepath.Join("out", filepath.Base(whole)), []Source{s}, "best"
	c.MaxRejectFraction = 0.5 // a folder may have a file or two that are no books
	c.resolve(".")
	if err := c.check(ctx); err != nil {
		return nil, err
	}
	return &c, nil
}
