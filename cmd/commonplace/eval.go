package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/commonplace/commonplace/pipelines/ranking"
	"github.com/commonplace/commonplace/table"
)

// evaluated is anything that eval can print.
type evaluated interface {
	Text(columns int) string
	Markdown() string
}

func evalCommand(*globalFlags) *cobra.Command {
	var out, format, file string
	var features bool
	var by string
	var v ranking.Evaluation
	c := &cobra.Command{
		Use:     "eval [CONFIG | FOLDER]",
		GroupID: "look",
		Short:   "say how good rankings and recommendations are",
		Long: `Evaluate a ranking: compare its scores with quote counts. Metrics are computed
per document and averaged, with confidence intervals. Beside them are baselines
that do not read the text, and the papers' results. Documents without a quoted
passage are left out, and so are documents that taught the model (the column
in_sample of scores). Where all of them did, or where the model does not say
what taught it, its row says so.

If the config has evaluate, the run has a table of the figures of every dataset,
with recommendations and their baselines, and eval prints it. The flags that
choose figures of the rankings (--metrics, --by and so on) print these instead.

With --counts only the quotations of readers, or of editors, count. With --spans
the spans of a file count instead of the run's quotations. Use it to test that a
model does not prefer certain passages: then the AUC should be 0.5. A span counts
for a passage if one contains more than half of the other.

With --features, compare the most quoted fifth of the passages with the least
quoted fifth, feature by feature.`,
		Example: examples(
			"commonplace eval configs/classics.yaml",
			"commonplace eval --out out/twain --format json",
			"commonplace eval configs/classics.yaml --against out/other-model --format markdown --report eval.md",
			"commonplace eval configs/classics.yaml --features",
			"commonplace eval configs/spans.yaml --counts readers --by genre --metrics 'AUC,rho,P@20,top tenth'",
			"commonplace eval configs/spans.yaml --spans control.jsonl.gz --columns document=book",
		),
		RunE: func(c *cobra.Command, args []string) error {
			var err error
			if v.Dir, err = outFolder(c.Context(), args, out); err != nil {
				return err
			}
			switch {
			case format != "text" && format != "json" && format != "markdown":
				return usage("--format is %q, must be text, json or markdown", format)
			case v.Resamples < 1:
				return usage("--resamples is %d, must be 1 or more", v.Resamples)
			case v.Confidence <= 0 || v.Confidence >= 1:
				return usage("--confidence is %g, must be between 0 and 1", v.Confidence)
			case v.Counts != "all" && v.Counts != "readers" && v.Counts != "editors":
				return usage("--counts is %q, must be all, readers or editors", v.Counts)
			case by != "" && by != "genre":
				return usage("--by is %q, must be genre", by)
			case features && (by != "" || v.Spans != "" || v.Counts != "all"):
				return usage("--features looks at all counts of a run: leave --by, --spans and --counts out")
			case v.Spans != "" && v.Counts != "all":
				return usage("--spans takes the place of the run's counts: leave --counts out")
			case len(v.Columns) > 0 && v.Spans == "":
				return usage("--columns names the fields of the file of --spans, which is missing")
			case features && v.Against != "":
				return usage("--features looks at one run: leave --against out")
			}
			if v.Against != "" {
				if v.Against, err = table.Current(c.Context(), v.Against); err != nil {
					return err
				}
			}
			if !features && !rankingsAlone(c) {
				figures, made, err := ranking.Evaluations(c.Context(), v.Dir)
				if err != nil {
					return err
				}
				if made {
					return printTo(c, file, figures, format)
				}
			}
			if !features {
				if err := needRankings(c.Context(), v.Dir); err != nil {
					return err
				}
			}
			var result evaluated
			if features {
				result, err = v.Features(c.Context(), 0)
			} else if by != "" {
				result, err = v.ByGenre(c.Context())
			} else {
				result, err = v.Rankings(c.Context())
			}
			if err != nil {
				return err
			}
			return printTo(c, file, result, format)
		},
	}
	c.Flags().StringVar(&out, "out", "", "folder of the tables")
	c.Flags().StringVar(&v.Against, "against", "", "folder of another run with the same passages, which gets a row of its own")
	c.Flags().BoolVar(&v.InSample, "in-sample", false, "also judge the documents that taught the model; its row says so")
	c.Flags().StringVar(&v.Counts, "counts", "all", "whose quotations count: all, readers or editors")
	c.Flags().StringVar(&v.Spans, "spans", "", "JSONL file of spans to use instead of the run's quotations")
	c.Flags().StringToStringVar(&v.Columns, "columns", nil, "the field names of --spans, for document, begin, end, text and count, such as document=book")
	c.Flags().StringSliceVar(&v.Metrics, "metrics", nil, "only these columns, such as AUC,rho,P@20,\"top tenth\"")
	c.Flags().StringVar(&by, "by", "", "genre: also evaluate the documents of each genre")
	c.Flags().BoolVar(&features, "features", false, "compare the most with the least quoted passages by their features")
	c.Flags().StringVar(&format, "format", "text", "text, json or markdown")
	c.Flags().StringVar(&file, "report", "", "write to this file instead of standard output")
	c.Flags().Float64Var(&v.Confidence, "confidence", 0.95, "confidence level of the intervals")
	c.Flags().IntVar(&v.Resamples, "resamples", 2000, "number of resamples of bootstrap and permutation test")
	c.Flags().Uint64Var(&v.Seed, "seed", 1, "seed of the resamples")
	return c
}

// rankingsAlone says that a flag asks for figures of the rankings that no table has.
func rankingsAlone(c *cobra.Command) bool {
	return slices.ContainsFunc([]string{"against", "in-sample", "counts", "spans", "metrics", "by", "confidence", "resamples", "seed"}, c.Flags().Changed)
}

// printTo prints to a file, or where there is none to standard output.
func printTo(c *cobra.Command, file string, result evaluated, format string) error {
	if file == "" {
		return printEvaluated(c.OutOrStdout(), result, format, narrowTerminal())
	}
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	if err := printEvaluated(f, result, format, 0); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

// printEvaluated prints a text in so many columns; 0 leaves them to eval.
func printEvaluated(w io.Writer, result evaluated, format string, columns int) error {
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
	_, err := fmt.Fprint(w, result.Text(columns))
	return err
}
