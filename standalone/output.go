package standalone

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"golang.org/x/sync/errgroup"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/crawl/files"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/storage"
)

// readFile reads a file for the bare commands.
func readFile(ctx context.Context, f files.File) (commonplace.Document, *commonplace.Reject) {
	doc, err := files.Read(ctx, f, files.Options{Bare: true})
	return doc, files.RejectOf(f, err)
}

// listFiles lists what a bare command reads. Files that it must refuse go to refuse.
func listFiles(ctx context.Context, folder string, refuse func(commonplace.Reject)) ([]files.File, error) {
	if storage.Remote(folder) {
		return nil, fmt.Errorf("%w: %s lies in a bucket; name a folder of this machine, or a config file", config.ErrInvalid, folder)
	}
	l, err := files.List(ctx, []string{folder})
	if err != nil {
		return nil, fmt.Errorf("%w: %w", config.ErrInvalid, err)
	}
	for _, t := range l.Duplicates {
		refuse(t.Reject())
	}
	return l.Files, nil
}

// inOrder runs work on every file, several at once, and hands the results to
// take one by one in the files' order. No more results wait than workers run,
// so memory is bounded by that many documents.
func inOrder[R any](ctx context.Context, list []files.File, parallelism int, work func(context.Context, files.File) (R, error), take func(R) error) error {
	if parallelism < 1 {
		parallelism = runtime.GOMAXPROCS(0)
	}
	g, ctx := errgroup.WithContext(ctx)
	waiting := make(chan chan R, parallelism-1) // the consumer holds one more
	g.Go(func() error {
		defer close(waiting)
		for _, f := range list {
			result := make(chan R, 1)
			select {
			case waiting <- result: // blocks while too many are under way
			case <-ctx.Done():
				return ctx.Err()
			}
			g.Go(func() error {
				r, err := work(ctx, f)
				if err != nil {
					return err
				}
				result <- r
				return nil
			})
		}
		return nil
	})
	g.Go(func() error {
		for result := range waiting {
			select {
			case r := <-result:
				if err := take(r); err != nil {
					return err
				}
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	return g.Wait()
}

// publishFile writes a result file in one step: path appears whole or not at all.
// A path of "-" is standard output; a link is followed; what is no regular file,
// such as a pipe, is written to as it stands.
func publishFile(ctx context.Context, path string, write func(storage.Writer) error) error {
	if path == "-" {
		return write(os.Stdout)
	}
	if dir := filepath.Dir(path); !isFolder(dir) {
		return fmt.Errorf("%w: --out is %s, but there is no folder %s", config.ErrInvalid, path, dir)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().IsRegular() {
		if real, err := filepath.EvalSymlinks(path); err == nil {
			path = real
		}
		return storage.WriteWith(ctx, storage.Local, path, write)
	}
	if info.IsDir() {
		return fmt.Errorf("%w: --out is %s, a folder, must be a file", config.ErrInvalid, path)
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return fmt.Errorf("write %s: %w: %w", path, storage.ErrRefused, err)
	}
	return errors.Join(write(f), f.Close())
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
