package quotes

import (
	"context"
	"iter"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/label"
	"github.com/commonplace/commonplace/label/group"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/join"
	"github.com/commonplace/commonplace/table"
)

// CountSettings decide which quotations count, and as whose.
type CountSettings struct {
	config.Count
	By map[string]string `json:"by,omitempty"` // of lists and files of spans, by name
}

// CountSettingsOf takes from a config what decides which quotations count.
func CountSettingsOf(c *config.Config) CountSettings {
	s := CountSettings{Count: c.Count}
	tell := func(name, by string) {
		if by == "" {
			return
		}
		if s.By == nil {
			s.By = map[string]string{}
		}
		s.By[name] = by
	}
	for _, q := range c.Quotes {
		tell("quotes: "+q.Name, q.By)
	}
	for _, f := range c.Spans {
		tell("spans: "+f.Name, f.By)
	}
	return s
}

// readsQuotes says that it matters of which list a quote is, or of which author.
func readsQuotes(c *config.Config) bool {
	if c.Count.SameAuthor {
		return true
	}
	for _, q := range c.Quotes {
		if q.By != "" {
			return true
		}
	}
	return false
}

// QuotedBy are the tables that count needs where the config asks for it; spans is
// how the shards of that table are read.
func QuotedBy(spans func(tables ...string) engine.Inputs) engine.Inputs {
	return func(ctx context.Context, p *engine.Planner, shard, of int) ([]engine.Input, error) {
		var parts []engine.Inputs
		if readsQuotes(p.Config) {
			parts = append(parts, engine.Whole("quotes"))
		}
		if (Spans{}).Enabled(p.Config) {
			parts = append(parts, spans("spans"))
		}
		return engine.And(parts...)(ctx, p, shard, of)
	}
}

// counting finds what of a document is quoted, and counts.
type counting struct {
	CountSettings
	quotes map[string]commonplace.Quote // by id; source and author
}

// NewCounting reads the quotes of a task: whom they are by, and from which list.
func NewCounting(ctx context.Context, t engine.Task, s CountSettings) (counting, error) {
	q := counting{s, map[string]commonplace.Quote{}}
	for _, path := range t.Paths("quotes") {
		for row, err := range table.Quotes.Rows(ctx, path, "quote_id", "source", "author") {
			if err != nil {
				return q, err
			}
			q.quotes[row.ID] = row
		}
	}
	return q, nil
}

// Of gives the quotations of a document that count, and how many alignments do not
// for each reason.
func (q counting) Of(doc commonplace.Document, alignments []commonplace.Alignment, spans []commonplace.GivenSpan) ([]label.Quotation, map[string]int64) {
	if q.From == config.CountFile {
		alignments = nil
	}
	kept, dropped := countableOf(q.Count).Of(doc, alignments)
	if q.SameAuthor {
		ours := kept[:0]
		for _, a := range kept {
			if a.QuoteID == "" || group.SameAuthor(q.quotes[a.QuoteID].Author, doc.Author) {
				ours = append(ours, a)
			} else {
				dropped["by_another_author"]++
			}
		}
		kept = ours
	}
	quotations := label.Quotations(doc.ID, kept, func(quoteID string) string { return q.By["quotes: "+q.quotes[quoteID].Source] })
	for _, s := range spans {
		quotations = append(quotations, label.Quotation{By: q.By["spans: "+s.Source], Times: s.Count, Finds: []label.Find{{{Begin: s.Begin, End: s.End}}}})
	}
	return quotations, dropped
}

// FollowSpans hands out the given spans of a shard; path is empty where there are none.
func FollowSpans(ctx context.Context, path string) *join.Reader[commonplace.GivenSpan] {
	var rows iter.Seq2[commonplace.GivenSpan, error] = func(func(commonplace.GivenSpan, error) bool) {}
	if path != "" {
		rows = table.Spans.Rows(ctx, path, "doc_id", "begin", "end", "source", "count")
	}
	return join.OpenRows(path, rows, func(s *commonplace.GivenSpan) string { return s.DocID })
}

// spansPath is the task's shard of given spans, empty where the config has none.
func spansPath(t engine.Task) string {
	for _, in := range t.Inputs {
		if in.Table == "spans" && in.File != "" {
			return t.Path("spans")
		}
	}
	return ""
}
