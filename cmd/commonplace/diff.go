package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/commonplace/commonplace/pipelines/ranking"
	"github.com/commonplace/commonplace/table"
)

func diffCommand(*globalFlags) *cobra.Command {
	var out, against, format string
	var top int
	c := &cobra.Command{
		Use:     "diff [CONFIG | FOLDER]",
		GroupID: "look",
		Short:   "say what rose and fell since the last ranking",
		Long: `Compare a run's rankings with the previous version, or with another run's. The
output lists passages that rose or fell by a thousandth of all passages or more, are
new or were removed. The largest changes come first. Then come those that are now among
the first hundred of their book, and those that are quoted more or less often. Each is
shown by its best line. A passage whose text changed counts as removed and new.
--format jsonl gives every change.`,
		Example: examples("commonplace diff configs/demo.yaml", "commonplace diff --out out/demo --against out/other --format jsonl"),
		RunE: func(c *cobra.Command, args []string) error {
			dir, err := outFolder(c.Context(), args, out)
			if err != nil {
				return err
			}
			switch {
			case top < 0:
				return usage("--top is %d, must be 0 or more", top)
			case format != "text" && format != "jsonl":
				return usage("--format is %q, must be text or jsonl", format)
			}
			if err := needWhole(c, args, dir); err != nil {
				return err
			}
			if err := needRankings(c.Context(), dir); err != nil {
				return err
			}
			if against != "" {
				if against, err = table.Current(c.Context(), against); err != nil {
					return err
				}
			}
			if format == "jsonl" {
				return writeChanges(c.Context(), c.OutOrStdout(), dir, against)
			}
			return showChanges(c.Context(), c.OutOrStdout(), dir, against, top)
		},
	}
	c.Flags().StringVar(&out, "out", "", "folder of the tables")
	c.Flags().StringVar(&against, "against", "", "folder of another run, instead of the previous version")
	c.Flags().StringVar(&format, "format", "text", "text or jsonl")
	c.Flags().IntVar(&top, "top", 5, "passages shown of each kind")
	return c
}

func writeChanges(ctx context.Context, w io.Writer, out, against string) error {
	lines := json.NewEncoder(w)
	lines.SetEscapeHTML(false)
	for change, err := range ranking.Diff(ctx, out, against) {
		if err != nil {
			return err
		}
		if change.Kind == ranking.Same && change.CountIs == change.CountWas && !change.Entered(hundred) {
			continue
		}
		if err := lines.Encode(change); err != nil {
			return err
		}
	}
	return nil
}

// showChanges prints the number of every kind and the farthest of them.
func showChanges(ctx context.Context, w io.Writer, out, against string, top int) error {
	count := map[string]int64{}
	listed := map[string]int64{}         // of them, those that are also new or gone, which are in that list
	far := map[string][]ranking.Change{} // of each kind, farthest first
	for change, err := range ranking.Diff(ctx, out, against) {
		if err != nil {
			return err
		}
		add := func(kind string, farther func(a, b ranking.Change) int) {
			count[kind]++
			if kind != change.Kind && (change.Kind == ranking.New || change.Kind == ranking.Gone) {
				listed[kind]++
				return
			}
			list := far[kind]
			at, _ := slices.BinarySearchFunc(list, change, farther)
			if at < top {
				list = slices.Insert(list, at, change)
				far[kind] = list[:min(len(list), top)]
			}
		}
		add(change.Kind, farther)
		if change.Entered(hundred) {
			add(entered, func(a, b ranking.Change) int {
				return cmp.Or(cmp.Compare(a.InBookIs, b.InBookIs), cmp.Compare(a.RankIs, b.RankIs), cmp.Compare(a.PassageID, b.PassageID))
			})
		}
		switch {
		case change.CountIs > change.CountWas:
			add(oftener, moreCounted)
		case change.CountIs < change.CountWas:
			add(rarer, moreCounted)
		}
	}
	for _, kind := range []string{ranking.Risen, ranking.Fallen, ranking.New, ranking.Gone, entered, oftener, rarer} {
		fmt.Fprintf(w, "%9d %s", count[kind], kind)
		if n := listed[kind]; n > 0 {
			also := ranking.New
			if kind == rarer {
				also = ranking.Gone
			}
			fmt.Fprintf(w, ", %d of them %s", n, also)
		}
		fmt.Fprintln(w)
		for _, c := range far[kind] {
			fmt.Fprintln(w, changed(fmt.Sprintf("%s  %s  %s", places(c, kind), oneLine(c.PassageID), shown(cmp.Or(c.Line, c.Text))), narrowTerminal()))
		}
	}
	fmt.Fprintf(w, "%9d %s\n", count[ranking.Same], ranking.Same)
	return nil
}

// changed is a passage below its kind. On a terminal of so few columns, 0 for a wide one,
// it goes on below itself.
func changed(passage string, columns int) string {
	const indent = "          "
	if columns == 0 {
		return indent + passage
	}
	return wrapped(passage, columns-len(indent), indent)
}

// hundred is how many passages of a book are its best.
const hundred = 100

// Kinds of changes that a passage may have beside its own.
const (
	entered = "now among the first hundred of their book"
	oftener = "quoted more often"
	rarer   = "quoted less often"
)

// moreCounted orders changes by how much the number of quotations changed.
func moreCounted(a, b ranking.Change) int {
	far := func(c ranking.Change) int64 { return max(c.CountIs-c.CountWas, c.CountWas-c.CountIs) }
	return cmp.Or(cmp.Compare(far(b), far(a)), cmp.Compare(a.RankIs+a.RankWas, b.RankIs+b.RankWas), cmp.Compare(a.PassageID, b.PassageID))
}

// farther orders changes of one kind by how far they went, then by their place.
func farther(a, b ranking.Change) int {
	far := func(c ranking.Change) float64 { return max(c.Moved(), -c.Moved()) }
	return cmp.Or(cmp.Compare(far(b), far(a)), cmp.Compare(a.RankIs+a.RankWas, b.RankIs+b.RankWas), cmp.Compare(a.PassageID, b.PassageID))
}

// places are where a passage was and is, in words.
func places(c ranking.Change, kind string) string {
	above := func(share float64) string { return fmt.Sprintf("above %.1f %%", 100*share) }
	switch kind {
	case ranking.New:
		return above(c.PercentileIs)
	case ranking.Gone:
		return "was " + above(c.PercentileWas)
	case entered:
		if c.InBookWas == 0 {
			return fmt.Sprintf("%d of its book", c.InBookIs)
		}
		return fmt.Sprintf("%d of its book, was %d", c.InBookIs, c.InBookWas)
	case oftener, rarer:
		return fmt.Sprintf("%d, was %d", c.CountIs, c.CountWas)
	}
	return above(c.PercentileIs) + ", was " + fmt.Sprintf("%.1f %%", 100*c.PercentileWas)
}
