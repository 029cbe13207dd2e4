package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/infer"
	"github.com/commonplace/commonplace/storage"
)

func modelCommand() *cobra.Command {
	c := &cobra.Command{
		Use:     "model check FOLDER | model new FOLDER --head HEAD",
		GroupID: "look",
		Short:   "check a model folder, or describe a graph as one",
		Long: `Check a model folder, and name all its mistakes at once. Or begin one: put model.onnx
into a folder, and tokenizer.json if the model reads text. model new writes its
model.yaml with what the graph says of itself. docs/model-format.md explains
the heads and keys.`,
		Example: examples(
			"commonplace model new my-model --head quotability",
			"commonplace model check my-model",
		),
		Args: cobra.ArbitraryArgs, // refused below, in one sentence
		RunE: func(*cobra.Command, []string) error { return usage("model takes check or new, and a folder") },
	}
	c.AddCommand(modelCheckCommand(), modelNewCommand())
	return c
}

func modelCheckCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "check FOLDER",
		Short: "name all that is wrong with a model folder",
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage("model check takes a folder")
			}
			m, wrong, note := infer.Check(args[0], "")
			for _, err := range wrong {
				fmt.Fprintln(c.OutOrStdout(), oneLine(err.Error()))
			}
			if note != "" {
				fmt.Fprintln(c.OutOrStdout(), oneLine(note))
			}
			if len(wrong) > 0 {
				return usage("%s: %s", args[0], commonplace.CountOf(len(wrong), "mistake"))
			}
			fmt.Fprintf(c.OutOrStdout(), "%s: the head %s can use it; name it as score.model or recommend.models in a config\n", oneLine(m.Name), m.Head)
			return nil
		},
	}
}

func modelNewCommand() *cobra.Command {
	var head string
	c := &cobra.Command{
		Use:   "new FOLDER --head HEAD",
		Short: "write the model.yaml of a folder that has a graph",
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) != 1 || head == "" {
				return usage("model new takes a folder with %s and --head, one of %s", infer.GraphFile, strings.Join(infer.Heads(), ", "))
			}
			path := filepath.Join(args[0], infer.ManifestFile)
			if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
				return usage("%s is there; commonplace model check %s says what is wrong with it", path, commonplace.ShellWord(args[0]))
			}
			text, err := infer.Template(args[0], head, "")
			if err != nil {
				return usage("%v", err)
			}
			if err := storage.Write(c.Context(), storage.Local, path, []byte(text)); err != nil {
				return err
			}
			fmt.Fprintf(c.OutOrStdout(), "%s: fill in what is empty, then run commonplace model check %s\n", path, commonplace.ShellWord(args[0]))
			return nil
		},
	}
	c.Flags().StringVar(&head, "head", "", "what the graph's output means: "+strings.Join(infer.Heads(), ", "))
	completeWords(c, "head", infer.Heads()...)
	return c
}
