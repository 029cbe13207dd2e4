package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
	"github.com/commonplace/commonplace/table/inspect"
	"github.com/commonplace/commonplace/table/verify"
)

// outFolder is the folder of a run: --out, or that of the config named.
func outFolder(ctx context.Context, args []string, out string) (string, error) {
	switch {
	case out != "" && len(args) == 0:
		return out, nil
	case out == "" && len(args) == 1:
		config, err := config.Load(ctx, args[0])
		if err != nil {
			return "", err
		}
		return config.Out, nil
	}
	return "", usage("name a config file or --out FOLDER, one of the two")
}

func verifyCommand(*globalFlags) *cobra.Command {
	var out string
	c := &cobra.Command{
		Use:     "verify [CONFIG]",
		GroupID: "look",
		Short:   "check every shard, row and offset of a run",
		Long: `Check a run's tables against their commit records: every SHA-256, row count,
schema and sort order, the shard of every row, and unique keys. Also check that
text[begin:end] is the span in every row of every table.`,
		Example: examples("commonplace verify configs/demo.yaml", "commonplace verify --out out/demo"),
		RunE: func(c *cobra.Command, args []string) error {
			dir, err := outFolder(c.Context(), args, out)
			if err != nil {
				return err
			}
			found := 0
			v, err := verify.Tables(c.Context(), storage.Default, dir, func(p verify.Problem) {
				found++
				fmt.Fprintln(c.OutOrStdout(), oneLine(p.String()))
			})
			if err != nil {
				return err
			}
			if found > 0 {
				return fmt.Errorf("%s: %w: %d problems; build again with --check to rebuild damaged shards", dir, errDamage, found)
			}
			fmt.Fprintf(c.OutOrStdout(), "%s: %d tables, %d shards, %d rows, %d spans: all is well\n", dir, v.Tables, v.Shards, v.Rows, v.Spans)
			return nil
		},
	}
	c.Flags().StringVar(&out, "out", "", "folder of the tables")
	return c
}

func inspectCommand(*globalFlags) *cobra.Command {
	var out, doc, where, format string
	var columns []string
	var offset, limit int64
	c := &cobra.Command{
		Use:     "inspect TABLE [CONFIG]",
		GroupID: "look",
		Short:   "print rows of a table",
		Long:    "Print some rows of a table: all rows, or those of one document.",
		Example: examples(
			"commonplace inspect rankings configs/demo.yaml --limit 5",
			"commonplace inspect passages --out out/demo --doc lighthouse",
			"commonplace inspect rankings --out out/demo --where 'rank_overall <= 10' --columns score,text",
			"commonplace inspect alignments --out out/demo --format jsonl",
		),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("name a table, such as passages")
			}
			dir, err := outFolder(c.Context(), args[1:], out)
			if err != nil {
				return err
			}
			if format != "text" && format != "jsonl" {
				return usage("--format is %q, must be text or jsonl", format)
			}
			if _, ok := table.Named(args[0]); !ok {
				return usage("there is no table %q; there are %s", args[0], tableNames())
			}
			selection := inspect.Selection{DocID: doc, Columns: columns, Offset: offset, Limit: limit}
			if where != "" {
				if selection.Where, err = inspect.ParseWhere(args[0], where); err != nil {
					return usage("--where: %v", err)
				}
			}
			w := c.OutOrStdout()
			for row, err := range inspect.Rows(c.Context(), storage.Default, dir, args[0], selection) {
				if err != nil {
					return err
				}
				if format == "jsonl" {
					b, err := row.MarshalJSON() // json.Marshal would escape < and &
					if err != nil {
						return err
					}
					fmt.Fprintln(w, string(b))
					continue
				}
				for _, cell := range row {
					fmt.Fprintf(w, "%16s  %s\n", cell.Column, shown(cell.Value))
				}
				fmt.Fprintln(w)
			}
			return nil
		},
	}
	c.Flags().StringVar(&out, "out", "", "folder of the tables")
	c.Flags().StringVar(&doc, "doc", "", "only rows of this document")
	c.Flags().StringVar(&where, "where", "", "only rows for which this is true, such as 'score > 3 and text ~ \"sea\"'")
	c.Flags().StringSliceVar(&columns, "columns", nil, "only these columns")
	c.Flags().Int64Var(&offset, "offset", 0, "rows to skip")
	c.Flags().Int64Var(&limit, "limit", 10, "rows to print, 0 for all")
	c.Flags().StringVar(&format, "format", "text", "text or jsonl (whole values)")
	return c
}

func tableNames() string {
	var names []string
	for _, t := range table.All() {
		names = append(names, t.Describe().Name)
	}
	return strings.Join(names, ", ")
}

// shown is a cell's value on one line.
func shown(v any) string {
	if v == nil {
		return "null"
	}
	s := strings.Join(strings.Fields(fmt.Sprint(v)), " ")
	if len(s) > 200 {
		s = excerpt(s, 200)
	}
	return s
}
