package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
	"github.com/commonplace/commonplace/table/inspect"
	"github.com/commonplace/commonplace/table/verify"
)

// outFolder is the night that readers get of a run: of --out, or of the config named.
// A command reads all tables from it, also when a build replaces them meanwhile.
func outFolder(ctx context.Context, args []string, out string) (string, error) {
	run, err := runFolder(ctx, args, out)
	if err != nil {
		return "", err
	}
	return table.Current(ctx, run)
}

// runFolder is the folder of a run: --out, a folder named in its place, or that of the
// config named.
func runFolder(ctx context.Context, args []string, out string) (string, error) {
	switch {
	case out != "" && len(args) == 0:
		return out, someRun(ctx, out)
	case out == "" && len(args) == 1 && isFolder(args[0]):
		return args[0], someRun(ctx, args[0])
	case out == "" && len(args) == 1:
		config, err := config.Load(ctx, args[0])
		if err != nil {
			return "", err
		}
		return config.Out, nil
	}
	return "", usage("name a config file or --out FOLDER, one of the two")
}

// isFolder says that an argument names a folder and not a config. In a bucket, only its
// name tells.
func isFolder(arg string) bool {
	if storage.Remote(arg) {
		return path.Ext(arg) != ".yaml" && path.Ext(arg) != ".yml"
	}
	info, err := os.Stat(arg)
	return err == nil && info.IsDir()
}

// someRun is an error where a folder holds no run at all: neither the mark of one nor
// a committed table.
func someRun(ctx context.Context, out string) error {
	commits, err := table.Commits(ctx, storage.Default, out)
	if err != nil || len(commits) > 0 {
		return nil // what is damaged is a run, and the command says what is wrong with it
	}
	if names, err := storage.Default.List(ctx, out); err == nil && slices.ContainsFunc(names, func(name string) bool {
		_, isTable := table.Named(name)
		return isTable || name == table.MarkFile || name == table.Rejects.Name
	}) {
		return nil
	}
	return usage("%s: no run here; name the folder that a build wrote (the out of its config)", out)
}

func verifyCommand(*globalFlags) *cobra.Command {
	var out string
	c := &cobra.Command{
		Use:     "verify [CONFIG | FOLDER]",
		GroupID: "look",
		Short:   "check every shard, row and offset of a run",
		Long: `Check a run's tables against their commit records: every SHA-256, row count,
schema and sort order, the shard of every row, and unique keys. Also check that
text[begin:end] is the span in every row of every table. A run without a finished
table ends with 7.`,
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
			if found > 0 && found == v.OtherFormat {
				return fmt.Errorf("%s: %w: %s of an earlier release, as it wrote them; the next build makes their tables again", table.Home(dir), storage.ErrFormat, commonplace.CountOf(found, "shard"))
			}
			if found > 0 {
				return fmt.Errorf("%s: %w: %s; build again with --check to rebuild damaged shards", table.Home(dir), errDamage, commonplace.CountOf(found, "problem"))
			}
			if v.Tables == 0 {
				return fmt.Errorf("%s: %w: no table is finished; run `commonplace build` first", table.Home(dir), table.ErrNotWhole)
			}
			fmt.Fprintf(c.OutOrStdout(), "%s: %s, %s, %s, %s: all is well\n", table.Home(dir), commonplace.CountOf(v.Tables, "table"), commonplace.CountOf(v.Shards, "shard"), commonplace.CountOf(v.Rows, "row"), commonplace.CountOf(v.Spans, "span"))
			return nil
		},
	}
	c.Flags().StringVar(&out, "out", "", "folder of the tables")
	return c
}

func inspectCommand(*globalFlags) *cobra.Command {
	var out, doc, where, format, by string
	var columns []string
	var offset, limit int64
	c := &cobra.Command{
		Use:     "inspect TABLE [CONFIG | FOLDER]",
		GroupID: "look",
		Short:   "print rows of a table",
		Long: `Print some rows of a table: all rows, or those of one document. Rankings come by
rank, other tables as they lie; --sort names a column to sort by, and -COLUMN begins
with the greatest.`,
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) == 0 {
				return tables(), cobra.ShellCompDirectiveNoFileComp
			}
			return []string{"yaml"}, cobra.ShellCompDirectiveFilterFileExt
		},
		Example: examples(
			"commonplace inspect rankings configs/demo.yaml --limit 5",
			"commonplace inspect quote_counts configs/demo.yaml --sort=-count --limit 5",
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
				return noTable(args[0])
			}
			selection := inspect.Selection{DocID: doc, Columns: columns, Offset: offset, Limit: limit}
			if where != "" {
				if selection.Where, err = inspect.ParseWhere(args[0], where); err != nil {
					return usage("--where: %v", err)
				}
			}
			if selection.Sort, err = sortedBy(args[0], by, doc); err != nil {
				return err
			}
			for _, column := range columns {
				if t, _ := table.Named(args[0]); !slices.Contains(columnsOf(t), column) {
					return usage("--columns has %q; the columns of %s are %s", column, args[0], strings.Join(columnsOf(t), ", "))
				}
			}
			if limit > 0 && limit < math.MaxInt64 {
				selection.Limit++ // one more than is printed tells that there are more
			}
			w, printed := c.OutOrStdout(), int64(0)
			for row, err := range inspect.Rows(c.Context(), storage.Default, dir, args[0], selection) {
				if err != nil {
					return err
				}
				if printed++; limit > 0 && printed > limit {
					fmt.Fprintln(c.ErrOrStderr(), "there are more rows; --limit 0 prints all")
					break
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
	c.Flags().StringVar(&where, "where", "", "only rows for which this is true, such as 'score > 3 and text ~ \"sea\"', or 'metadata.series = penny'")
	c.Flags().StringSliceVar(&columns, "columns", nil, "only these columns")
	c.Flags().Int64Var(&offset, "offset", 0, "rows to skip")
	c.Flags().Int64Var(&limit, "limit", 10, "rows to print, 0 for all")
	c.Flags().StringVar(&by, "sort", "", "column to sort by, or -COLUMN from the greatest on (default: rankings by rank_overall)")
	c.Flags().StringVar(&format, "format", "text", "text or jsonl (whole values)")
	completeColumns(c, "columns", "sort")
	return c
}

// sortedBy is the column that a table's rows are sorted by. Whoever looks at rankings
// wants the first of them; those of one document come as they stand in it.
func sortedBy(name, by, doc string) (string, error) {
	if by == "" {
		if name == table.Rankings.Name && doc == "" {
			return "rank_overall", nil
		}
		return "", nil
	}
	t, _ := table.Named(name)
	if column := strings.TrimPrefix(by, "-"); !slices.Contains(columnsOf(t), column) {
		return "", usage("--sort is %q; the columns of %s are %s", by, name, strings.Join(columnsOf(t), ", "))
	}
	return by, nil
}

// noTable refuses a table that there is not, and names the nearest that there is.
func noTable(name string) error {
	return usage("there is no table %q; the nearest is %q; there are %s", name, config.Nearest(name, tables()), tableNames())
}

func tableNames() string { return strings.Join(tables(), ", ") }

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
