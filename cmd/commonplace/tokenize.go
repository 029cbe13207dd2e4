package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/standalone"
)

func tokenizeCommand(*globalFlags) *cobra.Command {
	var t standalone.Tokenize
	c := &cobra.Command{
		Use:     "tokenize --tokenizer tokenizer.json --input FILE --out FILE",
		GroupID: "look",
		Short:   "turn texts into the ids that a model reads",
		Long: `Turn texts into token ids with a Hugging Face tokenizer.json: WordPiece,
byte-level BPE and Unigram. Ids and offsets are equal to those of Hugging Face's
tokenizers. Input lines, also of a .gz, are {"id", "text"} or {"id", "text", "pair"}; output lines
are {id, input_ids, offsets} with offsets in code points. The file's own
truncation and padding are used only with --as-file.`,
		Example: examples("commonplace tokenize --tokenizer tokenizer.json --input texts.jsonl --out ids.jsonl"),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 || t.Tokenizer == "" || t.Input == "" {
				return usage("tokenize takes --tokenizer and --input, and no arguments")
			}
			if t.Out == "" {
				t.Out = "-"
			}
			n, err := t.Run(c.Context())
			if err == nil && t.Out != "-" {
				fmt.Fprintf(c.ErrOrStderr(), "%s\n", commonplace.CountOf(n, "text"))
			}
			return err
		},
	}
	c.Flags().StringVar(&t.Tokenizer, "tokenizer", "", "tokenizer.json")
	c.Flags().StringVar(&t.Input, "input", "", "JSON lines, also .gz")
	c.Flags().StringVar(&t.Out, "out", "", "JSON lines (default: standard output)")
	c.Flags().BoolVar(&t.AsFile, "as-file", false, "truncate and pad as the tokenizer's file says")
	return c
}
