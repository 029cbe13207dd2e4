package main

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/commonplace/commonplace/lake"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

const publishLong = `Publish a run's rankings, or another table, as a snapshot of an Apache Iceberg table in
a folder. DuckDB, pyiceberg and other readers of Iceberg then get whole versions of it
without a server:

  SELECT * FROM iceberg_scan('DIR')

Each publish replaces the whole content in one step. Readers never wait: until
the last step, and where a publish fails, they get the snapshot before. With --keep
the snapshots before the current one stay, and readers can go back to them. The files
of older ones are removed. A version that is the current snapshot already adds nothing.

The table's files are second names of the run's shards, or copies where the disk has no
second names. Later builds and commonplace forget do not remove them: after forget,
publish with --keep 0.`

func publishCommand(*globalFlags) *cobra.Command {
	var out, to, name string
	var keep int
	c := &cobra.Command{
		Use:     "publish [CONFIG | FOLDER]",
		GroupID: "look",
		Short:   "publish the rankings, or another table, as an Apache Iceberg table",
		Long:    publishLong,
		Example: examples(
			"commonplace publish configs/demo.yaml --iceberg lake/rankings",
			"commonplace publish out/books --iceberg lake/rankings --keep 0",
			"commonplace publish out/books --table alignments --iceberg lake/alignments",
		),
		RunE: func(c *cobra.Command, args []string) error {
			dir, err := outFolder(c.Context(), args, out)
			if err != nil {
				return err
			}
			switch {
			case to == "":
				return usage("name the table's folder with --iceberg")
			case storage.Remote(to):
				return usage("--iceberg is %s, must be a folder of this machine: its files have second names and are exchanged in one step", to)
			case keep < 0:
				return usage("--keep is %d, must be 0 or more", keep)
			}
			t, there := table.Named(name)
			if !there {
				return noTable(name)
			}
			if err := needWhole(c, args, dir); err != nil {
				return err
			}
			return publish(c, dir, t, to, keep)
		},
	}
	c.Flags().StringVar(&out, "out", "", "folder of the tables")
	c.Flags().StringVar(&to, "iceberg", "", "folder of the Iceberg table, new or published before")
	c.Flags().StringVar(&name, "table", table.Rankings.Name, "table of the run to publish")
	completeWords(c, "table", tables()...)
	c.Flags().IntVar(&keep, "keep", 1, "how many snapshots before the current one to keep")
	return c
}

func publish(c *cobra.Command, dir string, t table.Descriptor, to string, keep int) error {
	commits, err := table.Whole(c.Context(), storage.Default, dir)
	if err != nil {
		return err
	}
	name := t.Describe().Name
	commit, there := commits[name]
	if !there {
		return usage("%s: no finished table %s: run `commonplace build` first, of a config that makes it", table.Home(dir), name)
	}
	if within(table.Home(dir), to) {
		return usage("--iceberg is %s, must not be inside the run's folder: builds and forget remove what is there", to)
	}
	note := func() { engine.NoteOutput(c.Context(), dir, "iceberg", to) } // also of a publish that fails: it may leave files
	r, err := lake.Publish(c.Context(), storage.Default, dir, t, commit, to, lake.Options{Keep: keep, Begin: note})
	if errors.Is(err, lake.ErrForeign) || errors.Is(err, lake.ErrPath) {
		return usage("%v", err)
	}
	if err != nil {
		return err
	}
	did := fmt.Sprintf("%d of %d files are new", r.NewFiles, r.Files)
	if r.Unchanged {
		did = "published before, nothing added"
	}
	fmt.Fprintf(c.OutOrStdout(), "%s: version %d, snapshot %d of %s: %d rows; %s; %d earlier kept, %d removed\n", to, r.Version, r.Snapshot, name, r.Rows, did, r.Earlier, r.Expired)
	return nil
}

// within says that a path of this machine is a folder or below it. Links are followed as
// far as the path is there.
func within(folder, path string) bool {
	if storage.Remote(folder) {
		return false
	}
	from, err := resolved(folder)
	if err != nil {
		return false
	}
	to, err := resolved(path)
	if err != nil {
		return false
	}
	rel, err := filepath.Rel(from, to)
	return err == nil && filepath.IsLocal(rel)
}

// resolved is an absolute path without links.
func resolved(path string) (string, error) {
	full, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	if real, err := filepath.EvalSymlinks(full); err == nil || filepath.Dir(full) == full {
		return real, err
	}
	above, err := resolved(filepath.Dir(full))
	return filepath.Join(above, filepath.Base(full)), err
}
