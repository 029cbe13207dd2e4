package main

import (
	"encoding/json"
	"slices"

	"github.com/spf13/cobra"

	"github.com/commonplace/commonplace/pipelines/ranking"
	"github.com/commonplace/commonplace/table"
)

func trainingCommand(g *globalFlags) *cobra.Command {
	var out, split string
	c := &cobra.Command{
		Use:     "training [CONFIG | FOLDER]",
		GroupID: "look",
		Short:   "list a run's documents as a model folder names its training data",
		Long: `Print a line for each document of a run: its id, a hash of its words, and a sketch
by which another edition of it is known. A model folder that was trained on these
documents has the lines in training.jsonl (docs/model-format.md). Then score marks
the documents in sample, and eval leaves them out.

With --split, print a line for each context of that split instead: of examples,
queries, windows and replies, for models that rank candidates. A model whose best
epoch the validation split chose was taught by both splits.`,
		Example: examples(
			"commonplace training configs/classics.yaml > models/my-model/training.jsonl",
			"commonplace training configs/quotus.yaml --split train > models/my-ranker/training.jsonl",
		),
		RunE: func(c *cobra.Command, args []string) error {
			lines := json.NewEncoder(c.OutOrStdout())
			if split != "" {
				return printContexts(c, runFlags{out: out}, g, args, split, lines)
			}
			dir, err := outFolder(c.Context(), args, out)
			if err != nil {
				return err
			}
			for d, err := range ranking.TrainedOn(c.Context(), dir) {
				if err == nil {
					err = lines.Encode(d)
				}
				if err != nil {
					return err
				}
			}
			return nil
		},
	}
	c.Flags().StringVar(&out, "out", "", "folder of the tables")
	c.Flags().StringVar(&split, "split", "", "train, validation or test: the contexts of that split, by a config")
	return c
}

func printContexts(c *cobra.Command, f runFlags, g *globalFlags, args []string, split string, lines *json.Encoder) error {
	if !slices.Contains([]string{"train", "validation", "test"}, split) {
		return usage("--split is %q, must be train, validation or test", split)
	}
	config, err := f.config(c, g, args)
	if err != nil {
		return err
	}
	if config.Out, err = table.Current(c.Context(), config.Out); err != nil {
		return err
	}
	contexts, err := ranking.ContextsTrainedOn(c.Context(), config, split)
	if err != nil {
		return err
	}
	for _, one := range contexts {
		if err := lines.Encode(one); err != nil {
			return err
		}
	}
	return nil
}
