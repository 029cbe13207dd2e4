package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/commonplace/commonplace/bounded"
	"github.com/commonplace/commonplace/export"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/ranking"
	"github.com/commonplace/commonplace/report"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

func reportCommand(*globalFlags) *cobra.Command {
	var out, to, figures string
	var single, reuse, withoutText bool
	var o report.Options
	c := &cobra.Command{
		Use:     "report [CONFIG | FOLDER]",
		GroupID: "look",
		Short:   "write one HTML page about a run",
		Long: `Write an HTML page about a run, which opens from a file. It has the lines by rank,
with a search and the passage around each. It has a plot of each book's quotability over
its length, cards of a book's best lines, and the quotations compared word by word. It
also has the evaluation, and what every stage accepted and rejected.

A page of more than about 2 MB keeps the rest in a folder beside it, which it loads
when it is needed: PAGE.html and PAGE_data. Keep both together, or use --single.

With --reuse the page is about documents that have words of others. It shows who
quotes whom and when, and where in a book it is quoted. It shows two texts side by side
with all links, the copies of a passage, a search, and citations to copy. With
--texts it also has the texts of these documents, to be read side by side with every
match marked in both. With --without-text it has no words of a document whose rights do
not allow redistribution (docs/export.md).`,
		Example: examples(
			"commonplace report configs/demo.yaml --to demo.html",
			"commonplace report --out out/books --to books.html --top 2000",
			"commonplace report --out out/books --to books.html --figures figures",
		),
		RunE: func(c *cobra.Command, args []string) error {
			dir, err := outFolder(c.Context(), args, out)
			if err != nil {
				return err
			}
			if o.Top < 1 || o.Books < 1 {
				return usage("--top and --books must be 1 or more")
			}
			if !reuse && (o.Texts || withoutText) {
				return usage("--texts and --without-text are for the page of text reuse: add --reuse")
			}
			if withoutText {
				o.Open = export.Open
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
			if err := needWhole(c, args, dir); err != nil {
				return err
			}
			show := newReportProgress(bars)
			o.Progress = show.step
			defer show.end()
			if reuse {
				return writeReport(c, dir, to, "", single, o, report.WriteReuse, show.end)
			}
			o.Judge = func(ctx context.Context) (report.Judgement, error) {
				j, err := ranking.Judge(ctx, dir)
				return report.Judgement(j), err
			}
			return writeReport(c, dir, to, figures, single, o, report.Write, show.end)
		},
	}
	c.Flags().StringVar(&out, "out", "", "folder of the tables")
	c.Flags().StringVar(&to, "to", "", "file to write (default: the folder's name with .html)")
	c.Flags().StringVar(&o.Title, "title", "", "title of the page (default: Lines of and the folder's name)")
	c.Flags().BoolVar(&single, "single", false, "put everything into one file, however large")
	c.Flags().BoolVar(&reuse, "reuse", false, "a page about text reuse instead: which documents have words of others")
	c.Flags().BoolVar(&o.Texts, "texts", false, "of a page of text reuse: the texts of its documents too, which are as large as the books")
	c.Flags().BoolVar(&withoutText, "without-text", false, withoutTextUsage)
	c.Flags().StringVar(&figures, "figures", "", "folder to write the charts to as well, as SVG and CSV")
	c.Flags().IntVar(&o.Top, "top", 5000, "number of passages, best rank first, that can be searched and read; the most quoted ones are added")
	c.Flags().IntVar(&o.Books, "books", 200, "number of books that get a plot, most quoted first")
	return c
}

// replaceable refuses to write over a file that is neither empty nor a page.
func replaceable(to string) error {
	refused := usage("%s is there and is no page of this program; name another file with --to", to)
	f, size, err := bounded.OpenFile(to)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case errors.Is(err, bounded.ErrNotRegular):
		return refused
	case err != nil:
		return err
	}
	defer f.Close()
	if size == 0 || report.IsPage(f) {
		return nil
	}
	return refused
}

// writePage writes one of the pages about a run.
type writePage func(ctx context.Context, w io.Writer, dir string, o report.Options) error

// writeReport leaves the old page in place until the new one is whole, with the files
// of data that it loads.
func writeReport(c *cobra.Command, dir, to, figures string, single bool, o report.Options, write writePage, end func()) error {
	ctx := c.Context()
	if _, err := os.Stat(filepath.Dir(to)); err != nil {
		return err
	}
	parts := newParts(ctx, to)
	if !single {
		o.Part = parts.write
	}
	if figures != "" {
		if err := os.MkdirAll(figures, 0o777); err != nil {
			return err
		}
		o.Figure = func(name string, content []byte) error {
			return storage.Write(ctx, storage.Local, filepath.Join(figures, name), content)
		}
	}
	size := int64(0)
	err := storage.WriteWith(ctx, storage.Local, to, func(f storage.Writer) error {
		w := bufio.NewWriterSize(counting{f, &size}, 1<<16)
		if err := write(ctx, w, dir, o); err != nil {
			return err
		}
		return w.Flush()
	})
	if err != nil {
		return err
	}
	if err := parts.sweep(); err != nil {
		return err
	}
	engine.NoteOutput(ctx, dir, "report", to)
	for _, folder := range []string{parts.folder, figures} {
		if _, err := os.Stat(folder); err == nil {
			engine.NoteOutput(ctx, dir, "report", folder)
		}
	}
	end()
	fmt.Fprintf(c.OutOrStdout(), "%s: %s; open it in a browser\n", to, report.Size(size))
	if n := len(parts.names); n > 0 {
		fmt.Fprintf(c.OutOrStdout(), "%s: %s of data that the page loads when it needs it; keep the folder beside the page\n", parts.folder, report.Size(parts.bytes))
	}
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
