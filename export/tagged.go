package export

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/label"
	"github.com/commonplace/commonplace/table"
)

// tagged are the files for token classification: one row a passage, with all quotes that
// stand in it, and passages without one. A quote over two passages is in the rows of both.
type tagged struct {
	*purpose
	stats taggedCounts
}

// taggedCounts is what became of the passages.
type taggedCounts struct {
	Quoted    int64 `json:"quoted"`    // rows with a quote
	Negatives int64 `json:"negatives"` // rows without
	Several   int64 `json:"several"`   // passages whose quotes are in several splits: no row, or a quote of one split would be in another
	Copies    int64 `json:"copies"`    // examples in editions that are left out
	Withheld  int64 `json:"withheld"`  // examples whose text is left out
}

type taggedRow struct {
	PassageID string   `json:"passage_id"`
	DocID     string   `json:"doc_id"`
	Text      string   `json:"text"`
	Tokens    []string `json:"tokens"`
	Tags      []string `json:"tags"`
	QuoteIDs  []string `json:"quote_ids"`
	Spans     [][2]int `json:"spans"`     // code points of the passage
	CutBegin  bool     `json:"cut_begin"` // the first quote begins in an earlier passage
	CutEnd    bool     `json:"cut_end"`   // the last quote ends in a later one
}

func (x *tagged) export(ctx context.Context) error {
	copies, err := x.copies(ctx)
	if err != nil {
		return err
	}
	passages := x.job.commits[table.Passages.Name].ShardPaths(x.job.run)
	for k, at := range x.job.commits[table.Examples.Name].ShardPaths(x.job.run) {
		if err := x.shard(ctx, at, passages[k], copies); err != nil {
			return err
		}
		x.job.done()
	}
	x.job.tagged = &x.stats
	x.Stats.Copies, x.Stats.Withheld = x.stats.Copies, x.stats.Withheld
	x.about = fmt.Sprintf("%s with a quote and %s without; %s whose quotes are in several splits are left out.", numberOf(x.stats.Quoted, "passage"), thousands(x.stats.Negatives), thousands(x.stats.Several))
	return nil
}

// copies are the documents of which an edition comes before them.
func (x *purpose) copies(ctx context.Context) (map[string]bool, error) {
	copies := map[string]bool{}
	for _, p := range x.job.commits[table.Works.Name].ShardPaths(x.job.run) {
		for w, err := range table.Works.Rows(ctx, p, "doc_id", "work") {
			if err != nil {
				return nil, err
			}
			if w.Work != w.DocID {
				copies[w.DocID] = true
			}
		}
	}
	return copies, nil
}

// shard reads examples and passages side by side, and holds those of one document.
func (x *tagged) shard(ctx context.Context, examples, passages string, copies map[string]bool) error {
	next, stop := iter.Pull2(table.Examples.Rows(ctx, examples, "context_id", "quote_id", "doc_id", "quote_begin", "quote_end", "split"))
	defer stop()
	example, err, more := next()
	var doc string
	var cut []commonplace.Passage
	flush := func() error {
		var found []commonplace.Example
		for more && err == nil && example.DocID <= doc {
			if example.DocID == doc {
				found = append(found, example)
			}
			example, err, more = next()
		}
		switch {
		case err != nil:
			return err
		case copies[doc]:
			x.stats.Copies += int64(len(found))
		case !x.job.rights.Documents(doc):
			x.stats.Withheld += int64(len(found))
		case len(found) > 0:
			return x.document(cut, found)
		}
		return nil
	}
	for p, refused := range table.Passages.Rows(ctx, passages, "passage_id", "doc_id", "begin", "end", "text") {
		if refused != nil {
			return refused
		}
		if p.DocID != doc {
			if err := flush(); err != nil {
				return err
			}
			doc, cut = p.DocID, nil
		}
		cut = append(cut, p)
	}
	if err := flush(); err != nil {
		return err
	}
	return err
}

// document writes the passages of a document that are quoted, and by a hash of their id some
// that are not, to the splits of the quoted ones by turns.
func (x *tagged) document(cut []commonplace.Passage, found []commonplace.Example) error {
	var splits []string // of the quoted passages
	var bare []commonplace.Passage
	for _, p := range cut {
		row, split, several := tagPassage(p, found)
		switch {
		case several:
			x.stats.Several++
			continue
		case split == "":
			bare = append(bare, p)
			continue
		}
		x.stats.Quoted++
		splits = append(splits, split)
		if err := x.put(split, row); err != nil {
			return err
		}
	}
	hash := func(p commonplace.Passage) string { s := sha256.Sum256([]byte(p.ID)); return string(s[:]) }
	slices.SortFunc(bare, func(a, b commonplace.Passage) int { return cmp.Compare(hash(a), hash(b)) })
	n := min(len(bare), int(math.Round(x.job.options.Negatives*float64(len(splits)))))
	for i, p := range bare[:n] {
		row, _, _ := tagPassage(p, nil)
		x.stats.Negatives++
		if err := x.put(splits[i%len(splits)], row); err != nil {
			return err
		}
	}
	return nil
}

// tagPassage is the row of a passage with all quotes of its document that stand in it, and
// their split: none without a quote. It says where they are in several.
func tagPassage(p commonplace.Passage, found []commonplace.Example) (row taggedRow, in string, several bool) {
	row = taggedRow{PassageID: p.ID, DocID: p.DocID, Text: p.Text, QuoteIDs: []string{}, Spans: [][2]int{}}
	var spans []commonplace.Span
	var splits []string
	for _, e := range found {
		begin, end := max(e.QuoteBegin, p.Begin), min(e.QuoteEnd, p.End)
		if begin >= end {
			continue
		}
		spans = append(spans, commonplace.Span{Begin: int(begin - p.Begin), End: int(end - p.Begin)})
		splits = append(splits, e.Split)
		row.QuoteIDs = append(row.QuoteIDs, e.QuoteID)
		row.CutBegin = row.CutBegin || e.QuoteBegin < p.Begin
		row.CutEnd = row.CutEnd || e.QuoteEnd > p.End
	}
	var merged []commonplace.Span
	row.Tokens, row.Tags, merged = label.TagAll(p.Text, spans)
	for i, t := range row.Tags {
		if t != label.TagOutside {
			row.Tags[i] = t + "-QUOTE"
		}
	}
	for _, s := range merged {
		row.Spans = append(row.Spans, [2]int{s.Begin, s.End})
	}
	slices.Sort(row.QuoteIDs)
	row.QuoteIDs = slices.Compact(row.QuoteIDs)
	if len(splits) > 0 {
		in = splits[0]
	}
	return row, in, slices.ContainsFunc(splits, func(s string) bool { return s != in })
}
