package main

import (
	"cmp"
	"context"
	"fmt"
	"io"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// printQuoted prints the passages of a run that were quoted most often, each as the words
// of it that were quoted.
func printQuoted(ctx context.Context, w io.Writer, out string, n int) error {
	if n == 0 {
		return nil
	}
	top, err := mostQuoted(ctx, out, n)
	if err != nil {
		return err
	}
	texts, err := quotedOf(ctx, out, top)
	if err != nil {
		return err
	}
	if len(top) == 0 {
		fmt.Fprintln(w, "\nno passage was quoted")
	} else {
		fmt.Fprintln(w, "\nthe most quoted passages")
	}
	for _, c := range top {
		fmt.Fprintf(w, "\n%9s  %s\n%s\n", commonplace.CountOf(int(c.Count), "time"), oneLine(c.PassageID), wrapped(texts[c.PassageID], linesWidth(), "     "))
	}
	fmt.Fprintln(w)
	return nil
}

// mostQuoted are the first n quoted passages by their counts, and by id where these are equal.
func mostQuoted(ctx context.Context, out string, n int) ([]commonplace.QuoteCount, error) {
	commit, err := table.ReadCommit(ctx, storage.Default, out, table.QuoteCounts.Name)
	if err != nil {
		return nil, err
	}
	order := func(a, b commonplace.QuoteCount) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.PassageID, b.PassageID))
	}
	var top []commonplace.QuoteCount
	for _, path := range commit.ShardPaths(out) {
		for c, err := range table.QuoteCounts.Rows(ctx, path) {
			if err != nil {
				return nil, err
			}
			if c.Count == 0 {
				continue
			}
			if top = append(top, c); len(top) > 2*n+100 {
				top = best(top, n, order)
			}
		}
	}
	return best(top, n, order), nil
}

// quotedOf is what was quoted of passages, by their ids: of each the words that it shares
// with the quotation that has most of it. A long match goes over many passages, and each
// shows its own words. Where a file alone says how often a passage is quoted, its first
// words.
func quotedOf(ctx context.Context, out string, passages []commonplace.QuoteCount) (map[string]string, error) {
	texts := map[string]string{}
	for _, c := range passages {
		texts[c.PassageID] = ""
	}
	commit, err := table.ReadCommit(ctx, storage.Default, out, table.Passages.Name)
	if err != nil {
		return nil, err
	}
	within := map[string][]commonplace.Passage{} // by document
	for _, path := range commit.ShardPaths(out) {
		for p, err := range table.Passages.Rows(ctx, path, "passage_id", "doc_id", "begin", "end", "text") {
			if err != nil {
				return nil, err
			}
			if _, wanted := texts[p.ID]; wanted {
				texts[p.ID] = excerpt(p.Text, 400)
				within[p.DocID] = append(within[p.DocID], p)
			}
		}
	}
	if commit, err = table.ReadCommit(ctx, storage.Default, out, table.Alignments.Name); err != nil {
		return nil, err
	}
	most := map[string]int64{}
	for _, path := range commit.ShardPaths(out) {
		for a, err := range table.Alignments.Rows(ctx, path, "source_id", "source_begin", "source_end") {
			if err != nil {
				return nil, err
			}
			for _, p := range within[a.SourceID] {
				begin, end := max(a.SourceBegin, p.Begin)-p.Begin, min(a.SourceEnd, p.End)-p.Begin
				if end-begin <= most[p.ID] {
					continue
				}
				if text := []rune(p.Text); end <= int64(len(text)) {
					most[p.ID], texts[p.ID] = end-begin, excerpt(string(text[begin:end]), 400)
				}
			}
		}
	}
	return texts, nil
}
