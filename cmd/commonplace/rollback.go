package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

func rollbackCommand(*globalFlags) *cobra.Command {
	var out string
	var to int
	var list bool
	c := &cobra.Command{
		Use:     "rollback [CONFIG | FOLDER]",
		GroupID: "run",
		Short:   "give readers the version before the current one",
		Long: `Give readers an earlier version of a run: all its tables and its rankings, in one
step. A config's rankings.keep says how many earlier versions are kept. The run is
then pinned: builds are refused until commonplace pin --release.`,
		Example: examples("commonplace rollback configs/demo.yaml --list", "commonplace rollback --out out/demo", "commonplace rollback --out out/demo --to 12"),
		RunE: func(c *cobra.Command, args []string) error {
			run, err := runFolder(c.Context(), args, out)
			if err != nil {
				return err
			}
			if list {
				return printVersions(c.Context(), c.OutOrStdout(), run)
			}
			kept, err := engine.Rollback(c.Context(), run, to)
			if err != nil {
				return err
			}
			fmt.Fprintf(c.OutOrStdout(), "%s: readers get version %d; builds are refused until commonplace pin --release --out %s\n", run, kept.Number, commonplace.ShellWord(run))
			return nil
		},
	}
	c.Flags().StringVar(&out, "out", "", "folder of the tables")
	c.Flags().IntVar(&to, "to", 0, "number of the version (default: the one before the current one)")
	c.Flags().BoolVar(&list, "list", false, "list the versions that are kept, and change nothing")
	return c
}

func pinCommand(*globalFlags) *cobra.Command {
	var out string
	var release bool
	c := &cobra.Command{
		Use:     "pin [CONFIG | FOLDER]",
		GroupID: "run",
		Short:   "keep the current version, and refuse builds",
		Long: `Keep what readers get of a run as it is: builds are refused with status 11 until
--release.`,
		Example: examples("commonplace pin --out out/demo", "commonplace pin --out out/demo --release"),
		RunE: func(c *cobra.Command, args []string) error {
			run, err := runFolder(c.Context(), args, out)
			if err != nil {
				return err
			}
			number, err := engine.Pin(c.Context(), run, !release)
			if err != nil {
				return err
			}
			if release {
				fmt.Fprintf(c.OutOrStdout(), "%s: builds go on\n", run)
				return nil
			}
			fmt.Fprintf(c.OutOrStdout(), "%s: pinned to version %d; builds are refused until commonplace pin --release --out %s\n", run, number, commonplace.ShellWord(run))
			return nil
		},
	}
	c.Flags().StringVar(&out, "out", "", "folder of the tables")
	c.Flags().BoolVar(&release, "release", false, "let builds go on")
	return c
}

// printVersions prints a line for each version that a run keeps.
func printVersions(ctx context.Context, w io.Writer, run string) error {
	kept, err := table.KeptNights(ctx, run)
	if err != nil {
		return err
	}
	for _, k := range kept {
		commits, err := table.Commits(ctx, storage.Default, k.Dir)
		if err != nil {
			return err
		}
		current, rankings := "", ""
		if k.Current {
			current = "  current"
		}
		if c, there := commits[table.Rankings.Name]; there {
			rankings = "  rankings " + c.Fingerprint()[:16]
		}
		fmt.Fprintf(w, "version %d  %s  %s%s%s\n", k.Number,
			commonplace.CountOf(commits[table.Documents.Name].Rows, "document"), commonplace.CountOf(commits[table.Passages.Name].Rows, "passage"), rankings, current)
	}
	return nil
}
