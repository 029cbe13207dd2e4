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
		Use:     "diff [CONFIG]",
		GroupID: "look",
		Short:   "say what rose and fell since the last ranking",
		Long: `Compare a run's rankings with the previous version, or with another run's. The
output lists passages that rose, fell, are new or were removed. A passage whose
text changed counts as removed and new. The largest changes of percentile are
shown; --format jsonl gives every passage whose percentile changed.`,
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
		if change.Kind == ranking.Same {
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
	far := map[string][]ranking.Change{} // of each kind, farthest first
	for change, err := range ranking.Diff(ctx, out, against) {
		if err != nil {
			return err
		}
		count[change.Kind]++
		list := far[change.Kind]
		at, _ := slices.BinarySearchFunc(list, change, farther)
		if at < top {
			list = slices.Insert(list, at, change)
			far[change.Kind] = list[:min(len(list), top)]
		}
	}
	for _, kind := range []string{ranking.Risen, ranking.Fallen, ranking.New, ranking.Gone, ranking.Same} {
		fmt.Fprintf(w, "%9d %s\n", count[kind], kind)
		if kind == ranking.Same {
			break
		}
		for _, c := range far[kind] {
			fmt.Fprintf(w, "          %s  %s  %s\n", places(c), oneLine(c.PassageID), shown(c.Text))
		}
	}
	return nil
}

// farther orders changes of one kind by how far they went, then by their place.
func farther(a, b ranking.Change) int {
	far := func(c ranking.Change) float64 { return max(c.Moved(), -c.Moved()) }
	return cmp.Or(cmp.Compare(far(b), far(a)), cmp.Compare(a.RankIs+a.RankWas, b.RankIs+b.RankWas), cmp.Compare(a.PassageID, b.PassageID))
}

func places(c ranking.Change) string {
	switch c.Kind {
	case ranking.New:
		return fmt.Sprintf("at %d", c.RankIs)
	case ranking.Gone:
		return fmt.Sprintf("was %d", c.RankWas)
	}
	return fmt.Sprintf("%d to %d", c.RankWas, c.RankIs)
}
