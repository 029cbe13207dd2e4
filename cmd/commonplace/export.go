package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/export"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/storage"
)

const exportLong = `Write a run's tables as a folder that works without this program. It contains
Parquet files with Hugging Face features (data/SPLIT-NNNNN-of-NNNNN.parquet, one
Hugging Face config per table), a dataset card with sources, rights, checks,
statistics and plots, checksums, and a manifest of its inputs. Other formats:

  jsonl   the same rows as JSON lines
  squad   SQuAD 1.1, of examples and quoted spans
  conll   IOB2 in two columns, of examples
  relic   the layout that RELiC's evaluation reads, of windows
  passim  out.json of passim 2, of clusters, and align.json with padded texts
  passim-docwise, passim-linewise
          its collations: the lines of each document with what they were copied from
  textpair
          what TextPAIR's page loads: alignments, metadata, and the texts

The formats of passim and TextPAIR hold matches between documents. A match is left out
if better ones have at least half of its words. --all-pairs writes every match.

With --for, the folder also has rows to train models on. Each kind has a folder of its
own, with a card, a script that trains on the rows, and training.jsonl for the model:

  token-classification   a passage with all its quotes, and passages without
  span                   a context and a passage, with what the context quotes of it
  rank                   a context and a candidate, right or wrong
  pairs                  a context, its right candidate, and wrong ones
  counts                 a passage and how often it is quoted, by fold
  replies                a conversation and what follows, and the list of quotations

--negatives says how many wrong ones there are for each right one. The contexts are
those that recommend gives to models. The config's recommend.context holds here too, or
that of the run's recommendations where FOLDER is named.

The folder appears in one step when it is complete. An earlier export is replaced;
a folder with other contents is refused.

With --without-text, a text is exported only if it is in the public domain, CC0,
CC BY or CC BY-SA. Of other texts only the ids, offsets and labels are exported.
--rights states the rights of a source whose files do not state them.`

func exportCommand(*globalFlags) *cobra.Command {
	var out, to string
	var rights []string
	var o export.Options
	c := &cobra.Command{
		Use:     "export [CONFIG | FOLDER]",
		GroupID: "look",
		Short:   "write a dataset folder for others",
		Long:    exportLong,
		Example: examples(
			"commonplace export configs/demo.yaml --to demo-dataset",
			"commonplace export out/books --to books-dataset --format hf,jsonl,squad,conll",
			"commonplace export configs/demo.yaml --to demo-dataset --for token-classification,span,rank --negatives 3",
			`commonplace export out/books --to books-dataset --without-text --rights "books=public domain"`,
		),
		RunE: func(c *cobra.Command, args []string) error {
			dir, err := outFolder(c.Context(), args, out)
			if err != nil {
				return err
			}
			if err := exportTo(to); err != nil {
				return err
			}
			if o.Rights, err = statements(rights); err != nil {
				return err
			}
			if err := needWhole(c, args, dir); err != nil {
				return err
			}
			read, err := contextOf(c.Context(), args, dir)
			if err != nil {
				return err
			}
			o.Paraphrased = read.Paraphrased
			o.Questions = questionsOf(dir, read, o.Negatives, o.Nearest)
			o.Documents = trainingLines(dir)
			return writeExport(c, dir, to, o)
		},
	}
	c.Flags().StringVar(&out, "out", "", "folder of the tables")
	c.Flags().StringVar(&to, "to", "", "folder to write")
	c.Flags().StringSliceVar(&o.Formats, "format", []string{export.HF}, strings.Join(export.Formats(), ", "))
	c.Flags().Float64Var(&o.Negatives, "negatives", 1, "with --for: wrong candidates for each right one, passages without a quote for each with one")
	c.Flags().Float64Var(&o.Nearest, "nearest", .5, "with --for span, rank, pairs: the share of the wrong candidates that are the nearest to the context by BM25; the others are drawn")
	c.Flags().StringSliceVar(&o.For, "for", nil, "rows to train models on: "+strings.Join(export.Purposes(), ", "))
	c.Flags().BoolVar(&o.AllPairs, "all-pairs", false, "passim, textpair: every match, also those of which better ones have half")
	c.Flags().StringSliceVar(&o.Tables, "tables", nil, "only these tables")
	c.Flags().BoolVar(&o.WithoutText, "without-text", false, "omit texts whose rights do not permit redistribution")
	c.Flags().StringArrayVar(&rights, "rights", nil, "SOURCE=STATEMENT: the rights of a source, a quote list, or conversations")
	c.Flags().StringVar(&o.Licence, "license", "", "the card's license, such as cc-by-4.0 (default: derived from the rights)")
	c.Flags().StringVar(&o.Title, "title", "", "title of the card (default: the folder's name)")
	return c
}

// exportTo says what is wrong with --to.
func exportTo(to string) error {
	if to == "" {
		return usage("name the folder to write with --to")
	}
	if storage.Remote(to) {
		return usage("--to is %s, must be a folder of this machine: it is exchanged in one step; copy it into a bucket when it is whole", to)
	}
	return nil
}

// statements reads the values of --rights.
func statements(rights []string) (map[string]string, error) {
	if len(rights) == 0 {
		return nil, nil
	}
	statements := map[string]string{}
	for _, r := range rights {
		name, statement, ok := strings.Cut(r, "=")
		if !ok || name == "" {
			return nil, usage("--rights is %q, must be SOURCE=STATEMENT", r)
		}
		statements[name] = statement
	}
	return statements, nil
}

func writeExport(c *cobra.Command, dir, to string, o export.Options) error {
	bar := exportBar()
	if bar != nil {
		o.Progress = func(done, of int) { bar.ChangeMax(of); bar.Set(done) }
	}
	s, err := export.Write(c.Context(), dir, to, o)
	if bar != nil {
		bar.Clear()
	}
	if errors.Is(err, export.ErrOptions) || errors.Is(err, export.ErrForeign) {
		return usage("%v", err)
	}
	if err != nil {
		return err
	}
	engine.NoteOutput(c.Context(), dir, "export", to)
	if s.Leaks != "" {
		fmt.Fprintf(c.ErrOrStderr(), "export   %s; see README.md\n", s.Leaks)
	}
	for _, warning := range s.Thin {
		fmt.Fprintf(c.ErrOrStderr(), "export   %s\n", warning)
	}
	fmt.Fprintf(c.OutOrStdout(), "%s: %s, %s in %s, %.1f MB\n", to, commonplace.CountOf(s.Configs, "config"), commonplace.CountOf(s.Rows, "row"), commonplace.CountOf(s.Files, "file"), float64(s.Bytes)/1e6)
	return nil
}

// exportBar is a bar on a terminal, and nothing in a pipe.
func exportBar() *progressbar.ProgressBar {
	if !term.IsTerminal(int(bars.Fd())) {
		return nil
	}
	return progressbar.NewOptions(1,
		progressbar.OptionSetWriter(bars),
		progressbar.OptionSetDescription("export  "),
		progressbar.OptionSetItsString("shards"),
		progressbar.OptionShowCount(),
		progressbar.OptionClearOnFinish(),
	)
}
