package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/storage"
)

// ErrVanished marks an input that an earlier build could read and that is not there
// now: a disk that is not mounted is no mistake of the config.
var ErrVanished = errors.New("an input is gone")

// vanished tells a mistake of the config from an input that is gone: the record of
// the last whole build names it, and it is not there now, or holds nothing.
func vanished(ctx context.Context, c *config.Config, err error) error {
	if !errors.Is(err, config.ErrInvalid) {
		return err
	}
	was, failed := ReadRun(ctx, c.Out)
	if failed != nil || was == nil {
		return err
	}
	for _, path := range c.Inputs() {
		if slices.Contains(was.Inputs, path) && !isThere(ctx, path) {
			return fmt.Errorf("%w: an earlier build read %s, and now it is not there or holds nothing; mount or restore it, or take it out of the config", ErrVanished, path)
		}
	}
	return err
}

// isThere says that a path, or what a glob begins with, is there and holds something.
func isThere(ctx context.Context, path string) bool {
	t, err := storage.OpenTree(ctx, path)
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist)
	}
	if t.File != "" {
		return true
	}
	names, err := fs.ReadDir(t.FS, ".")
	return err != nil || len(names) > 0
}
