package storage

import (
	"context"
	"io/fs"
	"path/filepath"
)

// Walk gives every file below a folder, or the file itself, in the order of their paths.
// Links are not followed.
func Walk(ctx context.Context, dir string, do func(file string) error) error {
	if Remote(dir) {
		names, err := ListBelow(ctx, dir, deepest)
		for _, name := range names {
			if err == nil {
				err = do(Join(dir, name))
			}
		}
		return err
	}
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		return do(path)
	})
}
