package storage

import (
	"context"
	"os"
)

type tempKey struct{}

// WithTempDir gives a context a folder of this machine for temporary files: what
// is written before it is uploaded, what is downloaded, what is sorted. Each build
// has its own, which it removes; so builds in one process do not meet in [os.TempDir].
func WithTempDir(ctx context.Context, dir string) context.Context {
	return context.WithValue(ctx, tempKey{}, dir)
}

// TempDir is the folder of [WithTempDir], and else the machine's.
func TempDir(ctx context.Context) string {
	if dir, ok := ctx.Value(tempKey{}).(string); ok {
		return dir
	}
	return os.TempDir()
}
