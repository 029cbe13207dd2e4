package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/pipelines/ranking"
	"github.com/commonplace/commonplace/table"
)

func tuneCommand(g *globalFlags) *cobra.Command {
	var f runFlags
	split := "validation"
	c := &cobra.Command{
		Use:     "tune CONFIG",
		GroupID: "look",
		Short:   "find the best weights for combining rankers",
		Long: `Find the weights that give two or three rankers the best mean average precision
on one split. The rankers are recommend.models, and the retriever where
recommend.weight is above 0. For a product each weight is one of 0, 0.5, ... 10, with
three rankers of 0, 1, ... 10. For a mixture the weights add up to 1. No model is run,
because the table recommendations has each score. Tune on one split and evaluate
on another.`,
		Example: examples("commonplace tune configs/recommend.yaml"),
		RunE: func(c *cobra.Command, args []string) error {
			config, err := f.config(c, g, args)
			if err != nil {
				return err
			}
			if config.Out, err = table.Current(c.Context(), config.Out); err != nil {
				return err
			}
			t, err := ranking.Tune(c.Context(), config, split)
			if err != nil {
				return err
			}
			out := c.OutOrStdout()
			marked := ""
			if t.InSample != "" {
				marked = ", " + t.InSample
			}
			fmt.Fprintf(out, "%s of %s%s, mean average precision\n", commonplace.CountOf(t.Contexts, "context"), t.Split, marked)
			for i, score := range t.Alone {
				if i < len(config.Recommend.Models) {
					fmt.Fprintf(out, "  %-28s %.4f  %s\n", fmt.Sprintf("model %d alone", i+1), score, config.Recommend.Models[i].Model)
				} else {
					fmt.Fprintf(out, "  %-28s %.4f  %s\n", "retriever alone", score, config.Recommend.Retrieve)
				}
			}
			fmt.Fprintf(out, "  %-28s %.4f\n", "weights of the config", t.Before)
			fmt.Fprintf(out, "  %-28s %.4f\n", "best weights "+strings.Trim(strings.Join(strings.Fields(fmt.Sprint(t.Weights)), " and "), "[]"), t.Score)
			return nil
		},
	}
	c.Flags().StringVar(&f.out, "out", "", "folder of the tables, instead of the config's")
	c.Flags().StringVar(&split, "split", split, "train, validation or test")
	return c
}
