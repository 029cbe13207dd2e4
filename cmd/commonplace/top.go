package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// shownTop is what a build prints at its end.
type shownTop struct {
	top     int // most quotable passages
	perBook int // of each document, in place of these; 0: not so
}

// printTop prints the most quotable passages of a run, of each its best line where
// it has one, and where its tables are.
func printTop(ctx context.Context, w io.Writer, run string, show shownTop) error {
	last := table.Rankings.Name
	out, err := table.Current(ctx, run)
	if err != nil {
		return err
	}
	switch there, err := committed(ctx, out, table.Rankings.Name, table.QuoteCounts.Name); {
	case err != nil:
		return err
	case there[table.Rankings.Name]:
		if err := printRanked(ctx, w, out, show); err != nil {
			return err
		}
	case there[table.QuoteCounts.Name]: // no model: a run of quotations alone
		last = table.Alignments.Name
		if err := printQuoted(ctx, w, out, show.top); err != nil {
			return err
		}
	default: // conversations alone
		last = table.Replies.Name
	}
	if look := fmt.Sprintf("commonplace inspect %s --out %s", last, commonplace.ShellWord(run)); narrowTerminal() > 0 {
		fmt.Fprintf(w, "the tables are in %s\nlook at one with:\n  %s\n", run, look)
	} else {
		fmt.Fprintf(w, "the tables are in %s; look at one with: %s\n", run, look)
	}
	return nil
}

// committed says which of some tables a run has.
func committed(ctx context.Context, out string, names ...string) (map[string]bool, error) {
	there := map[string]bool{}
	for _, name := range names {
		_, err := table.ReadCommit(ctx, storage.Default, out, name)
		if err != nil && !errors.Is(err, table.ErrNoRecord) {
			return nil, err
		}
		there[name] = err == nil
	}
	return there, nil
}

// needRankings is an error where a run has none.
func needRankings(ctx context.Context, out string) error {
	there, err := committed(ctx, out, table.Rankings.Name)
	if err == nil && !there[table.Rankings.Name] {
		if _, err = table.Whole(ctx, storage.Default, out); err == nil {
			err = config.Refusef("%s: there are no rankings: the config has no score.model; see `commonplace status`", table.Home(out))
		}
	}
	return err
}

func printRanked(ctx context.Context, w io.Writer, out string, show shownTop) error {
	if show.top == 0 && show.perBook == 0 {
		return nil
	}
	top, err := topOf(ctx, out, show)
	if err != nil {
		return err
	}
	switch {
	case show.perBook > 0:
		fmt.Fprintln(w, "\nthe most quotable passages of each document")
	case len(top) == 1:
		fmt.Fprintln(w, "\nthe most quotable passage")
	default:
		fmt.Fprintf(w, "\nthe %d most quotable passages\n", len(top))
	}
	for _, r := range top {
		fmt.Fprintf(w, "\n%3d. %s\n", r.RankOverall, headed(oneLine(r.PassageID), fmt.Sprintf("score %.3f%s", r.Score, timesQuoted(r.QuoteCount)), narrowTerminal()-len("  1. ")))
		shown := r.Text
		if r.BestBegin != nil {
			shown = r.BestText
		}
		fmt.Fprintln(w, wrapped(excerpt(shown, 400), linesWidth(), "     "))
	}
	fmt.Fprintln(w)
	return nil
}

// headed is the name of a passage and what is said of it: in one line, or in two where a
// terminal of so many columns would break the line in a word. Elsewhere width is below 0.
func headed(name, said string, width int) string {
	if width < 0 || utf8.RuneCountInString(name)+2+utf8.RuneCountInString(said) <= width {
		return name + "  " + said
	}
	return name + "\n     " + said
}

// linesWidth is how many columns a printed line has beside its indent.
func linesWidth() int {
	if n := narrowTerminal(); n > 0 {
		return n - 5
	}
	return 76
}

// timesQuoted says how often a passage is quoted, and nothing where it is not: most are
// not, and a run without a list of quotations has none.
func timesQuoted(n int64) string {
	switch n {
	case 0:
		return ""
	case 1:
		return ", quoted once"
	}
	return fmt.Sprintf(", quoted %d times", n)
}

// topOf are the first rows by rank, passages of equal rank in order of their ids; or
// those of each document.
func topOf(ctx context.Context, out string, show shownTop) ([]commonplace.Ranking, error) {
	c, err := table.ReadCommit(ctx, storage.Default, out, table.Rankings.Name)
	if err != nil {
		return nil, err
	}
	var top []commonplace.Ranking
	for _, path := range c.ShardPaths(out) {
		for r, err := range table.Rankings.Rows(ctx, path) {
			switch {
			case err != nil:
				return nil, err
			case show.perBook > 0:
				if r.RankInDocument <= int64(show.perBook) {
					top = append(top, r)
				}
				continue
			case r.RankOverall > int64(show.top):
				continue
			}
			if top = append(top, r); len(top) > 2*show.top+100 { // ties can be many
				top = best(top, show.top, byRank)
			}
		}
	}
	if show.perBook > 0 {
		slices.SortFunc(top, byDocument)
		return top, nil
	}
	return best(top, show.top, byRank), nil
}

// byDocument is the order of documents, and of ranks within each.
func byDocument(a, b commonplace.Ranking) int {
	return cmp.Or(cmp.Compare(a.DocID, b.DocID), byRank(a, b))
}

// byRank is the order of ranks, and of ids where ranks are equal.
func byRank(a, b commonplace.Ranking) int {
	return cmp.Or(cmp.Compare(a.RankOverall, b.RankOverall), cmp.Compare(a.PassageID, b.PassageID))
}

// best are the first n rows in an order.
func best[T any](rows []T, n int, order func(a, b T) int) []T {
	slices.SortFunc(rows, order)
	return slices.Clone(rows[:min(n, len(rows))])
}

// excerpt is a text on one line, cut at a word after about n bytes.
func excerpt(text string, n int) string {
	words := strings.Fields(text)
	size := 0
	for i, w := range words {
		if size += len(w) + 1; size > n && i > 0 {
			return strings.Join(words[:i], " ") + " …"
		}
	}
	return strings.Join(words, " ")
}

// wrapped breaks a line at words.
func wrapped(line string, width int, indent string) string {
	var b strings.Builder
	column := 0
	for _, w := range strings.Fields(line) {
		switch {
		case column == 0:
			b.WriteString(indent)
		case column+1+utf8.RuneCountInString(w) > width:
			b.WriteString("\n" + indent)
			column = 0
		default:
			b.WriteString(" ")
			column++
		}
		b.WriteString(w)
		column += utf8.RuneCountInString(w)
	}
	return b.String()
}
