package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

func statusCommand(*globalFlags) *cobra.Command {
	var out, prometheus string
	var asJSON bool
	c := &cobra.Command{
		Use:     "status [CONFIG | FOLDER]",
		GroupID: "look",
		Short:   "list the tables and say which are out of date",
		Long: `For each table, print whether it is complete, its rows, bytes and rejects, and
whether a table that it was made from has changed since, and in which shards. For
a table that is not finished, print how many shards exist and which ones it waits
for. The command reads only records, not the tables.

Name a CONFIG, and it is compared with the settings that the tables were made with. A
FOLDER is judged by its own settings.

The exit status is 7 if a table is not finished or out of date, if a setting changed, or
if the last build failed. The last line says how the last build ended; run.json in the
folder has the details.`,
		Example: examples("commonplace status configs/demo.yaml", "commonplace status --out out/demo --json",
			"commonplace status --out out/demo --prometheus /var/lib/node_exporter/commonplace.prom"),
		RunE: func(c *cobra.Command, args []string) error {
			status, err := look(c.Context(), args, out)
			if err != nil {
				return err
			}
			if prometheus != "" {
				if err := writeMetrics(c.Context(), prometheus, status); err != nil {
					return err
				}
			}
			if asJSON {
				b, err := json.MarshalIndent(status, "", "  ")
				if err != nil {
					return err
				}
				fmt.Fprintln(c.OutOrStdout(), string(b))
			} else {
				printStatus(c.OutOrStdout(), status)
			}
			if !status.Whole {
				return fmt.Errorf("%s: %w: %s; run `commonplace build`", status.Folder, table.ErrNotWhole, notWhole(status))
			}
			if r := status.Run; r != nil && (r.Status == engine.RunFailed || r.Status == engine.RunStopped) {
				return fmt.Errorf("%s: %w: the last build %s, and these tables are those of the build before it; see error in run.json", status.Folder, table.ErrNotWhole, ended(r))
			}
			return nil
		},
	}
	c.Flags().StringVar(&out, "out", "", "folder of the tables")
	c.Flags().BoolVar(&asJSON, "json", false, "print a JSON object, with what run.json says")
	c.Flags().StringVar(&prometheus, "prometheus", "", "also write metrics to this file, for the textfile collector of Prometheus")
	return c
}

// notWhole says why a run is not whole.
func notWhole(status *engine.Status) string {
	if slices.ContainsFunc(status.Tables, func(t engine.TableStatus) bool { return t.State != engine.TableDone }) {
		return "a table is not finished or out of date"
	}
	if len(status.Changed) > 0 {
		return "its tables were made with other settings"
	}
	return "its tables are done, and the build is not"
}

// look tells what is there of the run that a config or --out names.
func look(ctx context.Context, args []string, out string) (*engine.Status, error) {
	dir, err := outFolder(ctx, args, out)
	if err != nil {
		return nil, err
	}
	var c *config.Config
	if len(args) == 1 && !isFolder(args[0]) {
		if c, err = config.Load(ctx, args[0]); err != nil {
			return nil, err
		}
	}
	return engine.Look(ctx, dir, c)
}

// printStatus prints a line for each table, below it why it is out of date, and a line
// about the last build.
func printStatus(w io.Writer, status *engine.Status) {
	var names []string
	for _, t := range status.Tables {
		names = append(names, t.Table)
	}
	columns := engine.TableColumns(names)
	for _, t := range status.Tables {
		name, making := columns.Table(t.Table), unfinished(t.Unfinished)
		if t.State == engine.TableMissing || t.State == engine.TableUnfinished {
			fmt.Fprintf(w, "%s not there, or not finished%s\n", name, making)
			continue
		}
		old := ""
		if t.OutdatedBy != "" {
			old = "  made from another version of " + t.OutdatedBy
		}
		if t.LeftOut > 0 {
			old = fmt.Sprintf(", %d left out", t.LeftOut) + old
		}
		fmt.Fprintf(w, "%s %9d %-4s  %6.1f MB  %s  %d rejected%s%s\n", name, t.Rows, commonplace.NounOf(t.Rows, "row"), float64(t.Bytes)/1e6, commonplace.CountOf(t.Shards, "shard"), t.Rejected, old, making)
		for _, why := range t.Because {
			fmt.Fprintf(w, "%s   because %s\n", columns.Table(""), why)
		}
	}
	if len(status.Changed) > 0 {
		fmt.Fprintf(w, "the config changed: %s; commonplace build rebuilds what that touches\n", strings.Join(status.Changed, "; "))
	}
	if status.Working != "" {
		fmt.Fprintf(w, "a build works in %s or was stopped there, and these tables stay as they are until it is done; see commonplace status --out %s\n", status.Working, commonplace.ShellWord(status.Working))
	}
	if status.Pinned != nil {
		fmt.Fprintf(w, "pinned to version %d: builds are refused until commonplace pin --release --out %s\n", *status.Pinned, commonplace.ShellWord(status.Folder))
	}
	if status.Run != nil {
		fmt.Fprintln(w, lastRun(status.Run))
	}
}

// lastRun is a line about the last build.
func lastRun(r *engine.RunRecord) string {
	line := fmt.Sprintf("the last build, of version %s, began %s", r.Version, r.Started.Format(time.RFC3339))
	if r.Ended == nil {
		return line + " and has not ended: it is at work, or was killed"
	}
	line += fmt.Sprintf(" and %s after %.1f s", ended(r), r.Seconds)
	if r.Error != "" {
		line += ": " + oneLine(r.Error)
	}
	return line
}

// needWhole refuses a run that is not whole, or that was made with settings other than
// those of the config that is named, for every command that gives a run on or shows it as
// a whole. Where the last build was not done, readers have the tables of the
// build before it: this is said on standard error.
func needWhole(c *cobra.Command, args []string, dir string) error {
	if _, err := table.Whole(c.Context(), storage.Default, dir); err != nil {
		return err
	}
	if len(args) == 1 && !isFolder(args[0]) {
		named, err := config.Load(c.Context(), args[0])
		if err != nil {
			return err
		}
		if err := engine.RefuseChanged(c.Context(), dir, named); err != nil {
			return err
		}
	}
	r, err := engine.ReadRun(c.Context(), dir)
	if err != nil || r == nil || r.Status == engine.RunDone {
		return err
	}
	how := "has not ended"
	if r.Ended != nil {
		how = ended(r)
	}
	fmt.Fprintf(c.ErrOrStderr(), "the last build %s, and this is of the build before it; see commonplace status --out %s\n", how, commonplace.ShellWord(table.Home(dir)))
	return nil
}

// ended says how a build ended.
func ended(r *engine.RunRecord) string {
	return map[string]string{engine.RunDone: "was done", engine.RunFailed: "failed", engine.RunStopped: "was stopped"}[r.Status]
}

// unfinished says how far a table is that a run is making, and what it waits for.
func unfinished(u *engine.Unfinished) string {
	if u == nil {
		return ""
	}
	line := fmt.Sprintf(": %d of %s made", u.Made, commonplace.CountOf(u.Of, "shard"))
	const most = 5
	for i, w := range u.At {
		if i == most {
			return line + fmt.Sprintf("; and %d more", len(u.At)-most)
		}
		line += fmt.Sprintf("; shard %d", w.Shard)
		if w.Begun {
			line += " begun"
		}
		if w.Bytes > 0 {
			line += fmt.Sprintf(" (%.1f MB of documents, %.1f times the median)", float64(w.Bytes)/1e6, w.Median)
		}
	}
	return line
}
