package main

import (
	"errors"
	"fmt"
	"sync"

	"github.com/spf13/cobra"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/standalone"
)

// refusals prints what a bare command refuses and remembers that it did.
type refusals struct {
	mu sync.Mutex
	n  int
}

func (r *refusals) refuse(reject commonplace.Reject) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.n++
	fmt.Fprintf(stderr, "rejected %s: %s: %s\n", oneLine(reject.Location), reject.Reason, oneLine(reject.Detail))
}

func (r *refusals) err() error {
	if r.n > 0 {
		return fmt.Errorf("%w: %d, named above; the rest is done", engine.ErrRejects, r.n)
	}
	return nil
}

// bare makes a stage's command work on plain folders too: where one of flags is
// given, run takes the place of the stage. also are flags for folders alone.
func bare(c *cobra.Command, flags, also []string, format *string, run func(c *cobra.Command) error) {
	staged := c.RunE
	c.RunE = func(c *cobra.Command, args []string) error {
		for _, flag := range flags {
			if !c.Flags().Changed(flag) {
				continue
			}
			for _, other := range []string{"force", "check", "dry-run", "runner"} {
				if c.Flags().Changed(other) {
					return usage("--%s is for a config, not for folders", other)
				}
			}
			if len(args) > 0 {
				return usage("give a config or --%s, not both", flag)
			}
			if *format != "jsonl" {
				return usage("--format is %q, must be jsonl", *format)
			}
			return run(c)
		}
		for _, flag := range also {
			if c.Flags().Changed(flag) {
				return usage("--%s is for folders; a config says it itself", flag)
			}
		}
		return staged(c, args)
	}
}

func addPlainSegment(c *cobra.Command) {
	var s standalone.Segment
	var format string
	c.Use = "segment CONFIG | --input DIR --by words:200 --out FILE"
	c.Long = `Cut documents into passages: those of a config, or the files of a folder.

On a folder, files are taken as they are: UTF-8, nothing stripped, no newline
changed. Ids are the files' names without .txt and .gz. Each passage is a line
  {doc_id, index, begin, end, text}
with offsets in code points of the file, end exclusive.`
	c.Example += "\n" + examples("commonplace segment --input books --by words:200 --format jsonl --out passages.jsonl")
	c.Flags().StringVar(&s.Input, "input", "", "folder, file or glob to cut")
	c.Flags().StringVar(&s.By, "by", "words:200", "how to cut")
	c.Flags().StringVar(&format, "format", "jsonl", "jsonl")
	bare(c, []string{"input"}, []string{"by", "format"}, &format, func(c *cobra.Command) error {
		var r refusals
		s.Out, s.Refuse = plainOut(c), r.refuse
		s.Parallelism, _ = c.Flags().GetInt("parallelism")
		return errors.Join(s.Run(c.Context()), r.err())
	})
}

func addPlainAlign(c *cobra.Command) {
	a := standalone.NewAlign()
	var format string
	c.Use = "align CONFIG | --sources DIR (--quotes FILE | --derived DIR) --out FILE"
	c.Long = `Find quotations: of a config, or in plain folders.

On folders, files are taken as they are: UTF-8, nothing stripped, no newline
changed; ids are the files' names without .txt and .gz. With --quotes (JSONL:
quote_id, text) each find is a line
  {quote_id, source_id, source_begin, source_end, similarity, score, kind}
best first within a quote; with --derived
  {derived_id, derived_begin, derived_end, source_id, source_begin, source_end,
   similarity, score, kind, confidence, places, parts, others}
is one quotation, in order of the derived side; others are the same words in
other places of the sources, such as other editions. --use marked takes only what
stands between quotation marks or in block quotes, however short, and gives the
most similar place of each from --min-confidence on. Offsets are code points,
end exclusive.`
	c.Example += "\n" + examples(
		"commonplace align --sources books --quotes quotes.jsonl --format jsonl --out finds.jsonl",
		"commonplace align --sources books --derived essays --format jsonl --out finds.jsonl",
		"commonplace align --sources books --derived essays --use marked --min-confidence 0.95 --out finds.jsonl",
	)
	c.Flags().StringVar(&a.Sources, "sources", "", "folder, file or glob of what is quoted")
	c.Flags().StringVar(&a.Quotes, "quotes", "", "list of quotations, JSONL or CSV")
	c.Flags().StringVar(&a.Derived, "derived", "", "folder, file or glob of what quotes")
	c.Flags().Float64Var(&a.Options.MinSimilarity, "min-similarity", a.Options.MinSimilarity, "least identity over the aligned part, 0 to 1")
	c.Flags().StringVar(&a.Use, "use", a.Use, "what is looked for in --derived: documents or marked")
	c.Flags().Float64Var(&a.Options.MinConfidence, "min-confidence", a.Options.MinConfidence, "least confidence of a marked quotation, 0 to 1")
	c.Flags().Int64Var(&a.PartBytes, "part-bytes", a.PartBytes, "source text in one index part")
	c.Flags().StringVar(&format, "format", "jsonl", "jsonl")
	bare(c, []string{"sources", "quotes", "derived"}, []string{"min-similarity", "use", "min-confidence", "part-bytes", "format"}, &format, func(c *cobra.Command) error {
		if a.Sources == "" || (a.Quotes == "") == (a.Derived == "") {
			return usage("align on folders takes --sources and one of --quotes and --derived")
		}
		if a.Derived == "" && (c.Flags().Changed("use") || c.Flags().Changed("min-confidence")) {
			return usage("--use and --min-confidence are for --derived")
		}
		var r refusals
		a.Out, a.Refuse = plainOut(c), r.refuse
		a.Parallelism, _ = c.Flags().GetInt("parallelism")
		return errors.Join(a.Run(c.Context()), r.err())
	})
}

// plainOut is --out, or standard output without it.
func plainOut(c *cobra.Command) string {
	out, _ := c.Flags().GetString("out")
	if out == "" {
		return "-"
	}
	return out
}
