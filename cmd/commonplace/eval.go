package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/commonplace/commonplace/pipelines"
)

// evaluated is anything that eval can print.
type evaluated interface {
	Text() string
	Markdown() string
}

func evalCommand(*globalFlags) *cobra.Command {
	var out, format, file string
	var features bool
	var v pipelines.Evaluation
	c := &cobra.Command{
		Use:     "eval [CONFIG]",
		GroupID: "look",
		Short:   "say how good the rankings are",
		Long: `Hold the scores of rankings against the quote counts, per document and then
averaged, with intervals, beside baselines that read nothing and beside what the
papers reached. Documents without a quoted passage say nothing and are left out.

With --features, compare the most with the least quoted fifth of the passages,
feature by feature.`,
		Example: examples(
			"commonplace eval configs/twain.yaml",
			"commonplace eval --out out/twain --format json",
			"commonplace eval configs/twain.yaml --against out/other-model --format markdown --report eval.md",
			"commonplace eval configs/twain.yaml --features",
		),
		RunE: func(c *cobra.Command, args []string) error {
			var err error
			if v.Dir, err = outFolder(args, out); err != nil {
				return err
			}
			switch {
			case format != "text" && format != "json" && format != "markdown":
				return usage("--format is %q, must be text, json or markdown", format)
			case v.Resamples < 1:
				return usage("--resamples is %d, must be 1 or more", v.Resamples)
			case v.Confidence <= 0 || v.Confidence >= 1:
				return usage("--confidence is %g, must be between 0 and 1", v.Confidence)
			case features && v.Against != "":
				return usage("--features looks at one run: leave --against out")
			}
			var result evaluated
			if features {
				result, err = v.Features()
			} else {
				result, err = v.Rankings()
			}
			if err != nil {
				return err
			}
			w := c.OutOrStdout()
			if file == "" {
				return printEvaluated(w, result, format)
			}
			f, err := os.Create(file)
			if err != nil {
				return err
			}
			if err := printEvaluated(f, result, format); err != nil {
				f.Close()
				return err
			}
			return f.Close()
		},
	}
	c.Flags().StringVar(&out, "out", "", "folder of the tables")
	c.Flags().StringVar(&v.Against, "against", "", "folder of another run over the same passages, compared in a row of its own")
	c.Flags().BoolVar(&features, "features", false, "compare the most with the least quoted passages by their features")
	c.Flags().StringVar(&format, "format", "text", "text, json or markdown")
	c.Flags().StringVar(&file, "report", "", "write to this file instead of standard output")
	c.Flags().Float64Var(&v.Confidence, "confidence", 0.95, "of the intervals")
	c.Flags().IntVar(&v.Resamples, "resamples", 2000, "of bootstrap and permutation test")
	c.Flags().Uint64Var(&v.Seed, "seed", 1, "another seed, other resamples")
	return c
}

func printEvaluated(w io.Writer, result evaluated, format string) error {
	switch format {
	case "json":
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		e.SetEscapeHTML(false)
		return e.Encode(result)
	case "markdown":
		_, err := io.WriteString(w, result.Markdown())
		return err
	}
	_, err := fmt.Fprint(w, result.Text())
	return err
}
