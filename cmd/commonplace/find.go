package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/standalone"
)

func findCommand(g *globalFlags) *cobra.Command {
	f := standalone.NewFind()
	var r refusals
	var out string
	c := &cobra.Command{
		Use:     "find QUOTATIONS in BOOKS...",
		GroupID: "run",
		Short:   "find quotations in books, without a config",
		Long: `Find quotations in books, without a config.

QUOTATIONS is a list: a text (.txt, .md: a line, a paragraph or a block quote
each), a table (.csv, .tsv), JSON lines, or - for one of these on standard input.
It may also be a folder or a glob of documents that quote the books. BOOKS are
folders, files or globs: texts, HTML, TEI, zip archives, JSON lines, CSV.

With one folder or glob of documents, or one file --as documents, each is
searched for passages of all others. A config can also compare only some of
them, and gather clusters: docs/datasets.md.

Encodings are decided and frames of Project Gutenberg removed, as in a run. A
sentence names each file that is not plain UTF-8; with -v each file.
Offsets count code points of the text that remains, end exclusive.`,
		Example: examples(
			"commonplace find favourites.txt in novels",
			"commonplace find favourites.csv in novels --columns text=highlight --format html --out found.html",
			"commonplace find essays in novels --format csv --out found.csv",
			"commonplace find newspapers",
		),
		RunE: func(c *cobra.Command, args []string) error {
			if at := slices.Index(args, "in"); at > 1 {
				return usage("find takes one list, folder or glob before in, got %d: name the folder that holds them, or put the glob in quotes", at)
			}
			if len(args) == 2 && args[1] == "in" && isMissing("in") {
				return usage("find needs the books after in: commonplace find %s in novels", commonplace.ShellWord(args[0]))
			}
			if len(args) > 2 && args[1] == "in" {
				args = slices.Delete(args, 1, 2)
			} else if len(args) > 2 {
				return usage("find takes one list, folder or glob, then in, then the books: commonplace find %s in %s ...", commonplace.ShellWord(args[0]), commonplace.ShellWord(args[1]))
			}
			if len(args) == 1 && (f.As == standalone.AsDocuments || isCollection(args[0])) { // all against all
				args, f.As = []string{args[0], args[0]}, standalone.AsDocuments
			}
			const takes = "find takes what to look for and where: commonplace find %s in novels"
			switch {
			case len(args) == 0:
				return usage(takes, "favourites.txt")
			case len(args) == 1 && isMissing(args[0]):
				return usage("%s is not there; "+takes, args[0], "favourites.txt")
			case len(args) == 1:
				file := commonplace.ShellWord(args[0])
				return usage(takes+"; or, to search the documents of this file for passages of each other: commonplace find %s --as documents", file, file)
			}
			f.What, f.Books = args[0], args[1:]
			if f.As != "" && f.As != standalone.AsQuotes && f.As != standalone.AsDocuments {
				return usage("--as is %q, must be quotes or documents", f.As)
			}
			if out != "" {
				f.Out = out
				if !c.Flags().Changed("format") {
					if f.Format = formatOf(out); f.Format == "" {
						return usage("--out is %s, whose name says no format: give --format", out)
					}
				}
			}
			f.Color = f.Out == "-" && f.Format == "text" && coloured()
			f.Width, f.Verbose = pageWidth(), g.verbose
			f.Refuse = r.refuse
			f.Report = func(sentence string) { fmt.Fprintln(stderr, oneLine(sentence)) }
			return r.then(f.Run(c.Context()))
		},
	}
	c.Flags().StringVar(&f.As, "as", "", "read QUOTATIONS as quotes or as documents (default: documents of a folder or glob)")
	c.Flags().StringToStringVar(&f.Columns, "columns", nil, "columns of the list, such as text=highlight,author=who (default: guessed by their names)")
	c.Flags().StringVar(&f.Format, "format", f.Format, strings.Join(standalone.Formats, ", ")+" (default: by the name of --out)")
	c.Flags().StringVar(&out, "out", "", "file (default: standard output)")
	c.Flags().StringVar(&f.Ignore, "ignore", "", "file of phrases, one a line, that are no evidence between documents")
	c.Flags().StringVar(&f.Use, "use", f.Use, "what is looked for in documents: documents or marked")
	c.Flags().Float64Var(&f.Options.MinSimilarity, "min-similarity", f.Options.MinSimilarity, "least identity over the aligned part, 0 to 1")
	c.Flags().IntVar(&f.Options.PerQuote, "per-quote", 0, "places of each quotation in each book, best first (default: all)")
	c.Flags().IntVar(&f.Parallelism, "parallelism", 0, "files at once (default: all processors)")
	r.flag(c)
	return c
}

// formatOf is the format that a file's name asks for, or nothing.
func formatOf(path string) string {
	extension := strings.ToLower(strings.TrimPrefix(filepath.Ext(path), "."))
	switch {
	case extension == "txt":
		return "text"
	case slices.Contains(standalone.Formats, extension):
		return extension
	}
	return ""
}

// isMissing says that a path of this machine leads to nothing.
func isMissing(path string) bool {
	_, err := os.Stat(path)
	return errors.Is(err, fs.ErrNotExist) && !strings.Contains(path, "://")
}

// isCollection says that a path is a folder or a glob, and so no list of quotations.
func isCollection(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir() || err != nil && strings.ContainsAny(path, "*?[")
}
