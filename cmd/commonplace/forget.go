package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/pipelines/engine"
)

func forgetCommand(g *globalFlags) *cobra.Command {
	var f runFlags
	var asJSON bool
	c := &cobra.Command{
		Use:     "forget CONFIG DOCUMENT...",
		GroupID: "run",
		Short:   "remove documents from a run, for good",
		Long: `Remove documents from a run: from all tables, from all versions, from the cache and
from the archive. The command builds a version without them and removes all
other versions. These can then not be restored. It searches every byte of the folder
for the documents' ids and for pieces of their texts. It prints what it removed, what it
searched, and what still has the documents: sources, exports and reports.

The run keeps hashes of the ids in forgotten.json. No later build takes the documents
in, whatever the sources hold. DOCUMENT is a doc_id. The exit status is 1 if anything
is left in the folder. Then remove that, and run the same command again: hashes of
pieces of the texts stay in sought.json until a search finds none. docs/operation.md
says what the command cannot reach.`,
		Example: examples("commonplace forget configs/demo.yaml weathers", "commonplace forget configs/demo.yaml weathers the-salt-ledger --json"),
		RunE: func(c *cobra.Command, args []string) error {
			own, beam := beamFlags(c, args)
			if len(own) < 2 {
				return usage("forget takes a config file and the ids of documents; see commonplace forget --help")
			}
			config, err := f.config(c, g, append(own[:1:1], beam...))
			if err != nil {
				return err
			}
			r, show := f.request(g, config, nil)
			end := show.during(c.Context(), f.logEvery)
			report, err := engine.Forget(c.Context(), r, own[1:])
			end()
			if err != nil && !errors.Is(err, engine.ErrLeft) {
				return err
			}
			if asJSON {
				b, failed := json.MarshalIndent(report, "", "  ")
				fmt.Fprintln(c.OutOrStdout(), string(b))
				return errors.Join(err, failed)
			}
			printForgotten(c.OutOrStdout(), report)
			return err
		},
	}
	c.Flags().StringVar(&f.out, "out", "", "folder of the tables, instead of the config's")
	c.Flags().IntVar(&f.parallelism, "parallelism", 0, "tasks at once (default: all processors, or all slots of Flink)")
	c.Flags().BoolVar(&f.acceptLoss, "accept-loss", false, "continue although the guard reports too much lost input")
	c.Flags().DurationVar(&f.logEvery, "log-every", time.Minute, "without a terminal, how often a line says how far the build is; 0: never")
	c.Flags().BoolVar(&asJSON, "json", false, "print the report as a JSON object")
	return c
}

// printedSharers is how many of the documents are printed that have most of the pieces.
const printedSharers = 10

// printForgotten prints the report in words.
func printForgotten(w io.Writer, r *engine.ForgetReport) {
	for _, d := range r.Documents {
		text := commonplace.CountOf(d.Characters, "character")
		if d.Characters == 0 {
			text = "no version has its text any more"
		}
		fmt.Fprintf(w, "forgot %s: %s\n", d.ID, text)
	}
	fmt.Fprintf(w, "readers get version %d; removed: %s, %s of the archive\n", r.Version, commonplace.CountOf(len(r.Versions), "other version"), commonplace.CountOf(r.Answers, "answer"))
	s := r.Searched
	fmt.Fprintf(w, "searched: %s, %s, and %s that were packed in them, for the ids and %s of text\n", commonplace.CountOf(s.Files, "file"), commonplace.CountOf(s.Bytes, "byte"), commonplace.CountOf(s.Unpacked, "byte"), commonplace.CountOf(s.Pieces, "piece"))
	if s.Shallow > 0 {
		fmt.Fprintf(w, "in %s no further packed parts were looked for: too large or too deep\n", commonplace.CountOf(s.Shallow, "packed part"))
	}
	switch {
	case r.Shared == 1:
		fmt.Fprintln(w, "1 piece is in other documents or lists, too, and stays there")
	case r.Shared > 1:
		fmt.Fprintf(w, "%d pieces are in other documents or lists, too, and stay there\n", r.Shared)
	}
	for _, o := range r.Others[:min(len(r.Others), printedSharers)] {
		if o.List != "" {
			fmt.Fprintf(w, "the list %s has %d of them; change it at its source, and build\n", o.List, o.Pieces)
			continue
		}
		fmt.Fprintf(w, "document %s has %d of them\n", o.Document, o.Pieces)
	}
	if r.Known > 0 {
		fmt.Fprintf(w, "hashes that an earlier search left were looked for, too: %s. They find copies of %d bytes or more, except long dull stretches such as dotted lines\n", commonplace.CountOf(r.Known, "piece"), engine.SoughtBytes)
	}
	gone := func(d engine.ForgottenDocument) bool { return d.Characters == 0 }
	switch {
	case len(r.Left) > 0:
	case !slices.ContainsFunc(r.Documents, gone):
		fmt.Fprintln(w, "nothing is left in the folder")
	case r.Known > 0:
		fmt.Fprintln(w, "no id is left in the folder, and no piece whose hash was kept")
	default:
		fmt.Fprintln(w, "no id is left in the folder; a text that no version has was not looked for")
	}
	for _, t := range r.Left {
		fmt.Fprintf(w, "left: %s\n", traceOf(t))
	}
	for _, p := range r.Sources {
		fmt.Fprintf(w, "source %s still has %s; builds leave it out\n", p.Source, p.Rel)
	}
	for _, t := range r.Outputs {
		fmt.Fprintf(w, "outside the folder: %s\n", traceOf(t))
	}
	for _, t := range r.Unread {
		fmt.Fprintf(w, "outside the folder, and could not be searched: %s: %s\n", t.Path, t.Error)
	}
	if r.Kept > 0 {
		fmt.Fprintf(w, "the folder keeps the hashes of %s of text until a search finds none; remove what was found, and run the same command again\n", commonplace.CountOf(r.Kept, "piece"))
	}
	fmt.Fprintln(w, "not searched: copies and exports that this run did not write on this machine, backups, snapshots, earlier object versions of a bucket, objects more than eight folders deep in one of Amazon's")
}

// traceOf says what was found in a file.
func traceOf(t engine.Trace) string {
	line := fmt.Sprintf("%s has %s of text", t.Path, commonplace.CountOf(t.Pieces, "piece"))
	if len(t.Names) > 0 {
		line += fmt.Sprintf(" and the ids %q", t.Names)
	}
	if len(t.NamedBy) > 0 {
		line += fmt.Sprintf("; its name has the ids %q", t.NamedBy)
	}
	return line
}
