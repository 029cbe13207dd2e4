package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/commonplace/commonplace/export"
	"github.com/commonplace/commonplace/pipelines/ranking"
	"github.com/commonplace/commonplace/report"
	"github.com/commonplace/commonplace/serve"
	"github.com/commonplace/commonplace/storage"
)

// servedPart is how many bytes a page has at once. Parts are smaller than those of a
// file: a browser asks for them one by one, and waits for the text of a book.
const servedPart = 400_000

func serveCommand(*globalFlags) *cobra.Command {
	var out string
	var port int
	var lines, withoutText bool
	c := &cobra.Command{
		Use:     "serve [CONFIG | FOLDER]",
		GroupID: "look",
		Short:   "show a run's page in a browser of this machine, however large",
		Long: `Show the page of report in a browser of this machine, without a file: the page of
text reuse where documents are matched with documents, else the page about the run.
The browser loads the matches of a document when they are looked at. When two documents
are to be read side by side, it loads their texts, with every match marked in both.
With --without-text it gets no words of a document whose rights do not allow
redistribution (docs/export.md).

The command prints an address and serves it until Ctrl-C. It listens on 127.0.0.1 alone.
The address has a token, new each time. Anyone who knows it can read the page, and
nobody can change anything. The page shows the run as it was when the command began,
and nothing is written into the run's folder.

To look at a run of another machine, start the command there with --port 8080, and here
ssh -L 8080:127.0.0.1:8080 MACHINE. Then open the address that it printed.`,
		Example: examples(
			"commonplace serve configs/reuse.yaml",
			"commonplace serve out/reuse --port 8080",
			"commonplace serve out/books --lines",
		),
		RunE: func(c *cobra.Command, args []string) error {
			if port < 0 || port > 65535 {
				return usage("--port must be 0 to 65535")
			}
			dir, err := outFolder(c.Context(), args, out)
			if err != nil {
				return err
			}
			if err := needWhole(c, args, dir); err != nil {
				return err
			}
			return servePage(c, dir, port, lines, withoutText)
		},
	}
	c.Flags().StringVar(&out, "out", "", "folder of the tables")
	c.Flags().IntVar(&port, "port", 0, "port to listen on (default: one that is free)")
	c.Flags().BoolVar(&lines, "lines", false, "the page about the run, also where documents are matched")
	c.Flags().BoolVar(&withoutText, "without-text", false, withoutTextUsage)
	return c
}

// withoutTextUsage is said by all commands that have the flag for a page of text reuse.
const withoutTextUsage = "of a page of text reuse: no words of documents whose rights do not permit redistribution"

// servePage writes the page where nobody else reads it, and serves it until the context
// ends, which is what Ctrl-C does.
func servePage(c *cobra.Command, dir string, port int, lines, withoutText bool) error {
	ctx := c.Context()
	site, err := serve.NewSite(storage.TempDir(ctx))
	if err != nil {
		return err
	}
	defer site.Close()
	o := report.Options{Part: site.AddPart, PageSize: servedPart}
	if withoutText {
		o.Open = export.Open
	}
	if !lines {
		texts, err := report.NewTexts(ctx, dir, o.Open) // before the page, so that it is of these texts
		if err != nil {
			return err
		}
		o.TextsAt = site.SetTexts(texts.Piece)
	}
	page, err := pageOf(ctx, dir, lines, o)
	if err != nil {
		return err
	}
	if err := site.SetPage(page); err != nil {
		return err
	}
	s, err := serve.Listen(site, port)
	if err != nil {
		return fmt.Errorf("%w; choose another --port, or none", err)
	}
	fmt.Fprintln(c.OutOrStdout(), s.Address())
	if term.IsTerminal(int(bars.Fd())) {
		fmt.Fprintf(c.ErrOrStderr(), "%s; open the address in a browser of this machine; Ctrl-C ends it\n", report.Size(site.Size()))
	}
	return s.Serve(ctx)
}

// pageOf writes the page of text reuse, or where there is none, or lines are wanted, the
// page about the run.
func pageOf(ctx context.Context, dir string, lines bool, o report.Options) ([]byte, error) {
	show := newReportProgress(bars)
	defer show.end()
	o.Progress = show.step
	var page bytes.Buffer
	if !lines {
		err := report.WriteReuse(ctx, &page, dir, o)
		if !errors.Is(err, report.ErrNoReuse) {
			return page.Bytes(), err
		}
	}
	if o.Open != nil {
		return nil, usage("--without-text is for the page of text reuse; this is the page about the run, which shows its texts")
	}
	o.PageSize = 0
	o.Judge = func(ctx context.Context) (report.Judgement, error) {
		j, err := ranking.Judge(ctx, dir)
		return report.Judgement(j), err
	}
	page.Reset()
	err := report.Write(ctx, &page, dir, o)
	return page.Bytes(), err
}
