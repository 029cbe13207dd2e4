package main

import (
	"fmt"
	"sync"

	"github.com/spf13/cobra"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/standalone"
)

// refusals prints what a bare command refuses and remembers that it did.
type refusals struct {
	mu   sync.Mutex
	n    int
	most int // that end nothing; negative: any number
}

func (r *refusals) refuse(reject commonplace.Reject) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.n++
	fmt.Fprintf(stderr, "rejected %s: %s: %s\n", oneLine(reject.Location), reject.Reason, oneLine(reject.Detail))
}

// then is a command's error, and without one an error only where the user asked for it: a
// bad file among many is named, and the rest is done.
func (r *refusals) then(err error) error {
	if err != nil {
		return err
	}
	if r.most >= 0 && r.n > r.most {
		return fmt.Errorf("%w: %d, more than --max-rejects %d; the rest is done", engine.ErrRejects, r.n, r.most)
	}
	return nil
}

// flag adds --max-rejects to a command.
func (r *refusals) flag(c *cobra.Command) {
	c.Flags().IntVar(&r.most, "max-rejects", -1, "end with status 4 when more inputs than this cannot be read (default: only when none can)")
}

// bare makes a stage's command work on plain folders too: where one of flags is
// given, run takes the place of the stage. also are flags for folders alone.
func bare(c *cobra.Command, flags, also []string, format *string, run func(c *cobra.Command) error) {
	c.Flags().Lookup("out").Usage = "folder of the tables, instead of the config's; without a config the file to write (default: standard output)"
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
				return usage("--format is %q, must be jsonl; commonplace find writes other formats", *format)
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
	c.Long = `Segment documents into passages: the documents of a config, or the files of a
folder.

Files of a folder must be UTF-8. Nothing is removed from them, and newlines stay
as they are. Ids are the files' names without .txt and .gz. Each passage is a line
  {doc_id, index, begin, end, text}
with offsets in code points of the file, end exclusive.`
	c.Example += "\n" + examples("commonplace segment --input books --by words:200 --format jsonl --out passages.jsonl")
	c.Flags().StringVar(&s.Input, "input", "", "folder, file or glob to segment")
	c.Flags().StringVar(&s.By, "by", "words:200", "segmenter")
	c.Flags().StringVar(&format, "format", "jsonl", "jsonl")
	var r refusals
	r.flag(c)
	bare(c, []string{"input"}, []string{"by", "format", "max-rejects"}, &format, func(c *cobra.Command) error {
		s.Out, s.Refuse = plainOut(c), r.refuse
		s.Parallelism, _ = c.Flags().GetInt("parallelism")
		return r.then(s.Run(c.Context()))
	})
}

func addPlainAlign(c *cobra.Command) {
	a := standalone.NewAlign()
	var format string
	c.Use = "align CONFIG | --sources DIR (--quotes FILE | --derived DIR) --out FILE"
	c.Long = `Find quotations, with a config or in folders.

Files of a folder must be UTF-8. Nothing is removed from them, and newlines stay
as they are. Ids are the files' names without .txt and .gz. commonplace find
reads other encodings too, and removes Project Gutenberg's frames; its offsets
count without them.

With --quotes (JSONL: quote_id, text; or what find reads) the output has one line per
match, the best of each quote first:
  {quote_id, source_id, source_begin, source_end, similarity, score, kind,
   confidence, attributed}
With --derived it has one line per quotation, in the order of the derived text:
  {derived_id, derived_begin, derived_end, source_id, source_begin, source_end,
   similarity, score, kind, confidence, places, parts, others}
others has other places of the same words in the sources, such as other editions.

--use marked searches only text between quotation marks or in block quotes,
however short. For each it gives the most similar place, if its confidence is at
least --min-confidence. Offsets are code points, end exclusive.`
	c.Example += "\n" + examples(
		"commonplace align --sources books --quotes quotes.jsonl --format jsonl --out finds.jsonl",
		"commonplace align --sources books --derived essays --format jsonl --out finds.jsonl",
		"commonplace align --sources books --derived essays --use marked --min-confidence 0.95 --out finds.jsonl",
	)
	c.Flags().StringVar(&a.Sources, "sources", "", "source texts: folder, file or glob")
	c.Flags().StringVar(&a.Quotes, "quotes", "", "list of quotations: .jsonl, .csv, .tsv, .txt or .md; - is standard input")
	c.Flags().StringVar(&a.Derived, "derived", "", "texts that quote the sources: folder, file or glob")
	c.Flags().Float64Var(&a.Options.MinSimilarity, "min-similarity", a.Options.MinSimilarity, "lowest similarity of a match, 0 to 1")
	c.Flags().StringVar(&a.Options.Match, "match", a.Options.Match, "how --quotes must match: similar, or exact: the string itself, at every place")
	c.Flags().Float64Var(&a.Options.MaxFalse, "max-false", 0, "share of false finds accepted of --quotes, such as 0.01, by what the whole list shows (default: each quote by itself)")
	c.Flags().StringVar(&a.Use, "use", a.Use, "what is searched in --derived: documents or marked")
	c.Flags().StringVar(&a.Inflected, "inflected", "", "la (Latin), el (ancient Greek) or fr (French): also find words of this language in other cases and persons, as kind inflected, in --derived")
	c.Flags().Float64Var(&a.Options.MinConfidence, "min-confidence", a.Options.MinConfidence, "lowest confidence of a marked quotation, 0 to 1")
	c.Flags().Int64Var(&a.PartBytes, "part-bytes", a.PartBytes, "bytes of source text in one index part")
	c.Flags().StringVar(&format, "format", "jsonl", "jsonl")
	var r refusals
	r.flag(c)
	bare(c, []string{"sources", "quotes", "derived"}, []string{"min-similarity", "match", "max-false", "use", "inflected", "min-confidence", "part-bytes", "format", "max-rejects"}, &format, func(c *cobra.Command) error {
		if a.Sources == "" || (a.Quotes == "") == (a.Derived == "") {
			return usage("align on folders takes --sources and one of --quotes and --derived")
		}
		if a.Quotes == "" && (c.Flags().Changed("match") || c.Flags().Changed("max-false")) {
			return usage("--match and --max-false are for --quotes")
		}
		if a.Derived == "" && (c.Flags().Changed("use") || c.Flags().Changed("inflected") || c.Flags().Changed("min-confidence")) {
			return usage("--use, --inflected and --min-confidence are for --derived")
		}
		if a.Quotes != "" {
			collectSooner(listGarbagePart)
		}
		a.Out, a.Refuse = plainOut(c), r.refuse
		a.Report = func(sentence string) { fmt.Fprintln(stderr, oneLine(sentence)) }
		a.Parallelism, _ = c.Flags().GetInt("parallelism")
		return r.then(a.Run(c.Context()))
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
