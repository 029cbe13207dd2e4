package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/ranking"
	"github.com/commonplace/commonplace/report"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

func reportCommand(*globalFlags) *cobra.Command {
	var out, to string
	var o report.Options
	c := &cobra.Command{
		Use:     "report [CONFIG]",
		GroupID: "look",
		Short:   "write one HTML page about a run",
		Long: `Write one HTML page about a run, which opens from a file and loads nothing else.
It has the passages by rank with a search, a page to read them, a plot of each
book's quotability over its length, the quotations compared word by word, the
evaluation, and what every stage accepted and rejected.`,
		Example: examples(
			"commonplace report configs/demo.yaml --to demo.html",
			"commonplace report --out out/books --to books.html --top 2000",
		),
		RunE: func(c *cobra.Command, args []string) error {
			dir, err := outFolder(c.Context(), args, out)
			if err != nil {
				return err
			}
			if o.Top < 1 || o.Books < 1 {
				return usage("--top and --books must be 1 or more")
			}
			if to == "" {
				to = filepath.Base(table.Home(dir)) + ".html"
			}
			if storage.Remote(to) {
				return usage("--to is %s, must be a file of this machine", to)
			}
			if err := replaceable(to); err != nil {
				return err
			}
			if _, err := table.Whole(c.Context(), storage.Default, dir); err != nil {
				return err
			}
			// A run without counts or quotations still has a page.
			v := ranking.Evaluation{Dir: dir, Seed: 1}
			absent := func(err error) bool {
				return errors.Is(err, config.ErrInvalid) || errors.Is(err, ranking.ErrNothing)
			}
			if r, err := v.Rankings(c.Context()); err == nil {
				o.Evaluation = &r
			} else if !absent(err) {
				return err
			}
			if r, err := v.Features(c.Context()); err == nil {
				o.Attributes = &r
			} else if !absent(err) {
				return err
			}
			return writeReport(c, dir, to, o)
		},
	}
	c.Flags().StringVar(&out, "out", "", "folder of the tables")
	c.Flags().StringVar(&to, "to", "", "file to write (default: the folder's name with .html)")
	c.Flags().StringVar(&o.Title, "title", "", "title of the page (default: the folder's name)")
	c.Flags().IntVar(&o.Top, "top", 5000, "number of passages, best rank first, that can be searched and read; the most quoted ones are added")
	c.Flags().IntVar(&o.Books, "books", 200, "number of books that get a plot, most quoted first")
	return c
}

// replaceable refuses to write over a file that is neither empty nor a page.
func replaceable(to string) error {
	f, err := os.Open(to)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() && (info.Size() == 0 || report.IsPage(f)) {
		return nil
	}
	return usage("%s is there and is no page of this program; name another file with --to", to)
}

// writeReport leaves the old page in place until the new one is whole.
func writeReport(c *cobra.Command, dir, to string, o report.Options) error {
	if _, err := os.Stat(filepath.Dir(to)); err != nil {
		return err
	}
	size := int64(0)
	err := storage.WriteWith(c.Context(), storage.Local, to, func(f storage.Writer) error {
		w := bufio.NewWriterSize(counting{f, &size}, 1<<16)
		if err := report.Write(c.Context(), w, dir, o); err != nil {
			return err
		}
		return w.Flush()
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(c.OutOrStdout(), "%s: %.1f MB; open it in a browser\n", to, float64(size)/1e6)
	return nil
}

// counting counts the bytes that it passes on.
type counting struct {
	to io.Writer
	n  *int64
}

func (w counting) Write(p []byte) (int, error) {
	n, err := w.to.Write(p)
	*w.n += int64(n)
	return n, err
}
