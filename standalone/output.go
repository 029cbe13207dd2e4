package standalone

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"runtime"

	"golang.org/x/sync/errgroup"
	"golang.org/x/term"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/crawl/files"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/storage"
)

// ErrNoneRead says that every file was refused, so that there is nothing to work on.
var ErrNoneRead = errors.New("no file could be read")

// listed lists what a command reads. Files that it must refuse go to refuse. A result in
// out must take the place of none of them.
func listed(ctx context.Context, patterns []string, out string, list func(context.Context, []string) (files.Listing, error), refuse func(commonplace.Reject)) ([]files.File, error) {
	for _, pattern := range patterns {
		if storage.Remote(pattern) {
			return nil, config.Refusef("%s is in a bucket; name a folder of this machine, or a config file", pattern)
		}
	}
	l, err := list(ctx, patterns)
	if err != nil {
		return nil, config.Refusef("%w", err)
	}
	if err := keepsInputs(out, "one of the files that are read", pathsOf(l)); err != nil {
		return nil, err
	}
	for _, t := range l.Duplicates {
		refuse(t.Reject())
	}
	return l.Files, nil
}

// document is one document that is still to be read.
type document struct {
	origin string // where it lies: the same document has the same under any id
	read   func(context.Context) (commonplace.Document, *commonplace.Reject)
}

// documentsOf are the documents of files, in order. A text is read by who calls; the
// documents of a list or an archive are read here, one after another, as their file has
// them. Where files are taken as they are, a page or a TEI file is refused: offsets into
// its text are not offsets into the file. A text of too many lines is refused, as in a run.
func documentsOf(ctx context.Context, list []files.File, opts files.Options) iter.Seq[document] {
	return func(yield func(document) bool) {
		for _, f := range list {
			if opts.Bare && f.IsMarkup() {
				reject := files.NotAsItIs(f)
				if !yield(document{f.Path, func(context.Context) (commonplace.Document, *commonplace.Reject) {
					return commonplace.Document{}, reject
				}}) {
					return
				}
				continue
			}
			if f.IsPlain() || f.IsTable() {
				if !yield(document{f.Path, func(ctx context.Context) (commonplace.Document, *commonplace.Reject) {
					doc, err := files.Read(ctx, f, opts)
					if err == nil {
						err = files.CheckStructure(doc, opts.Limits)
					}
					return doc, files.RejectOf(f, err)
				}}) {
					return
				}
				continue
			}
			for doc, err := range files.Documents(ctx, f, opts) {
				if err == nil {
					err = files.CheckStructure(doc, opts.Limits)
				}
				reject := files.RejectOf(f, err)
				if !yield(document{f.Path + "\x00" + doc.ID, func(context.Context) (commonplace.Document, *commonplace.Reject) { return doc, reject }}) {
					return
				}
			}
		}
	}
}

// inOrder runs work on all that list yields, several at once, and hands the results to
// take one by one in the same order. No more results wait than workers run,
// so memory is bounded by that many documents.
func inOrder[T, R any](ctx context.Context, list iter.Seq[T], parallelism int, work func(context.Context, T) (R, error), take func(R) error) error {
	if parallelism < 1 {
		parallelism = runtime.GOMAXPROCS(0)
	}
	g, ctx := errgroup.WithContext(ctx)
	waiting := make(chan chan R, parallelism-1) // the consumer holds one more
	g.Go(func() error {
		defer close(waiting)
		for item := range list {
			result := make(chan R, 1)
			select {
			case waiting <- result: // blocks while too many are under way
			case <-ctx.Done():
				return ctx.Err()
			}
			g.Go(func() error {
				r, err := work(ctx, item)
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
		return write(standardOutput())
	}
	if dir := filepath.Dir(path); !isFolder(dir) {
		return config.Refusef("--out is %s, but there is no folder %s", path, dir)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().IsRegular() {
		if real, err := filepath.EvalSymlinks(path); err == nil {
			path = real
		}
		return storage.WriteWith(ctx, storage.Local, path, write)
	}
	if info.IsDir() {
		return config.Refusef("--out is %s, a folder, must be a file", path)
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return fmt.Errorf("write %s: %w: %w", path, storage.ErrRefused, err)
	}
	return errors.Join(write(f), f.Close())
}

// standardOutput is the way to standard output. What stands in a text from outside must
// not command a terminal.
func standardOutput() storage.Writer {
	if !term.IsTerminal(int(os.Stdout.Fd())) {
		return os.Stdout
	}
	return struct {
		io.Writer
		io.WriterAt
	}{commonplace.NewPrintableWriter(os.Stdout), os.Stdout}
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
