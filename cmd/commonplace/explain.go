package main

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/quotes"
)

func explainCommand(*globalFlags) *cobra.Command {
	var q quotes.Question
	var format string
	c := &cobra.Command{
		Use:     "explain CONFIG --doc ID (--quote ID | --text WORDS)",
		GroupID: "look",
		Short:   "say why a quote was or was not found in a document",
		Long: `Say why a quote was found or not found in a document of a run. The output has the
evidence that its words give, in bits: the rarer the words, the more. Then come the
number of runs of its letters that the document has, and the best match. For each
threshold it says whether the match reached it, or by how much it missed
(docs/alignment.md). With --marked the words are
searched as if they were in quotation marks in a derived document (align.use:
marked), and the output has their confidence. Where the config has no lists, the words
of --text are judged as words of a derived document, by align.min_words too.`,
		Example: examples(
			"commonplace explain configs/demo.yaml --doc weathers --quote demo-30",
			`commonplace explain configs/demo.yaml --doc weathers --text "the year goes out as visitors do"`,
		),
		RunE: func(c *cobra.Command, args []string) (err error) {
			if err := explainable(args, q); err != nil {
				return err
			}
			if q.Config, err = config.Load(c.Context(), args[0]); err != nil {
				return err
			}
			e, err := quotes.Explain(c.Context(), q)
			if err != nil {
				return err
			}
			w := c.OutOrStdout()
			switch format {
			case "json":
				return json.NewEncoder(w).Encode(e)
			case "text":
			default:
				return usage("--format is %q, must be text or json", format)
			}
			fmt.Fprintln(w, oneLine(e.Verdict))
			fmt.Fprintf(w, "  quote      %s; found whole, it gives %.1f bits of evidence\n", commonplace.CountOf(e.Letters, "letter"), e.WholeBits)
			fmt.Fprintf(w, "  looked up  %s of its letters; the document has them at %s\n", commonplace.CountOf(e.Seeds, "run"), commonplace.CountOf(e.Hits, "place"))
			fmt.Fprintf(w, "  best match %s, %.2f of its letters (needed %.2f), %.1f bits of evidence (needed %.1f)\n", commonplace.CountOf(e.Pieces, "part"), e.Cover, e.MinCover, e.Bits, e.Threshold)
			for _, k := range e.Checks {
				state := "reached"
				if k.Missed > 0 {
					state = fmt.Sprintf("missed by %.3f", k.Missed)
				}
				label := "needed"
				if k.Elsewhere {
					label = "elsewhere"
				}
				fmt.Fprintf(w, "  %-10s %s: %.3f of %.3f, %s\n", label, k.Name, k.Got, k.Needed, state)
			}
			if e.Best != nil {
				fmt.Fprintf(w, "  text       [%d:%d] %s\n  similarity %.3f (needed %.3f)\n", e.Best.SourceBegin, e.Best.SourceEnd, shown(e.Best.SourceText), e.Best.Similarity, e.MinSimilarity)
			}
			return nil
		},
	}
	c.Flags().StringVar(&q.DocID, "doc", "", "document to search")
	c.Flags().StringVar(&q.QuoteID, "quote", "", "quote of the run's lists")
	c.Flags().StringVar(&q.Text, "text", "", "words to search instead of a listed quote")
	c.Flags().BoolVar(&q.Marked, "marked", false, "search as a marked quotation of a derived document")
	c.Flags().StringVar(&format, "format", "text", "text or json")
	return c
}

// explainable says which part of the question is missing, and how to find it.
func explainable(args []string, q quotes.Question) error {
	switch {
	case len(args) != 1:
		return usage("explain takes one config, got %d; such as: commonplace explain configs/demo.yaml --doc weathers --quote demo-30", len(args))
	case isFolder(args[0]):
		return usage("explain takes the config that the run was built with, which has the settings to explain, and not a folder")
	case q.DocID == "":
		return usage("name the document to search with --doc, such as: commonplace explain %s --doc ID %s; these are the documents: commonplace inspect documents %s --columns doc_id,title", commonplace.ShellWord(args[0]), askedWords(q), commonplace.ShellWord(args[0]))
	case q.QuoteID == "" && q.Text == "":
		return usage(`name the words: --quote ID of a quote of the run's lists, or --text "any words", such as: commonplace explain %s --doc %s --text "any words"; these are the quotes: commonplace inspect quotes %s --columns quote_id,text`, commonplace.ShellWord(args[0]), commonplace.ShellWord(q.DocID), commonplace.ShellWord(args[0]))
	case q.QuoteID != "" && q.Text != "":
		return usage("--quote and --text exclude each other: give one")
	}
	return nil
}

// askedWords is the flag that names the words of a question, for an example of it.
func askedWords(q quotes.Question) string {
	switch {
	case q.QuoteID != "":
		return "--quote " + commonplace.ShellWord(q.QuoteID)
	case q.Text != "":
		return "--text " + commonplace.ShellWord(q.Text)
	}
	return "--quote ID"
}
