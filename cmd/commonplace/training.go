package main

import (
	"encoding/json"

	"github.com/spf13/cobra"

	"github.com/commonplace/commonplace/pipelines/ranking"
)

func trainingCommand(*globalFlags) *cobra.Command {
	var out string
	c := &cobra.Command{
		Use:     "training [CONFIG]",
		GroupID: "look",
		Short:   "list a run's documents as a model folder names its training data",
		Long: `Print a line for each document of a run: its id, a hash of its words, and a sketch
by which another edition of it is known. A model folder that was trained on these
documents has the lines in training.jsonl (docs/model-format.md). Then score marks
the documents in sample, and eval leaves them out.`,
		Example: examples("commonplace training configs/readers.yaml > models/my-model/training.jsonl"),
		RunE: func(c *cobra.Command, args []string) error {
			dir, err := outFolder(c.Context(), args, out)
			if err != nil {
				return err
			}
			lines := json.NewEncoder(c.OutOrStdout())
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
	return c
}
