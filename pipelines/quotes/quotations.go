package quotes

import (
	"context"
	"errors"

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
// how the shards of spans and clusters are read.
func QuotedBy(spans func(tables ...string) engine.Inputs) engine.Inputs {
	return func(ctx context.Context, p *engine.Planner, shard, of int) ([]engine.Input, error) {
		var parts []engine.Inputs
		if readsQuotes(p.Config) {
			parts = append(parts, engine.Whole("quotes"))
		}
		if (Spans{}).Enabled(p.Config) {
			parts = append(parts, spans("spans"))
		}
		if p.Config.Count.Clusters {
			parts = append(parts, spans("clusters"))
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
func (q counting) Of(doc commonplace.Document, alignments []commonplace.Alignment, places placesOf) ([]label.Quotation, map[string]int64) {
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
	if q.Clusters {
		all := len(kept)
		kept = label.OncePerCluster(kept, places.copies)
		dropped["of_other_copies"] += int64(all - len(kept))
	}
	quotations := label.Quotations(doc.ID, kept, func(quoteID string) string { return q.By["quotes: "+q.quotes[quoteID].Source] })
	for _, s := range places.spans {
		quotations = append(quotations, label.Quotation{By: q.By["spans: "+s.Source], Times: s.Count, Finds: []label.Find{{{Begin: s.Begin, End: s.End}}}})
	}
	return quotations, dropped
}

// Places reads what a shard has of the tables spans and clusters, document by document.
type Places struct {
	spans  *join.Reader[commonplace.GivenSpan]
	copies *join.Reader[commonplace.Cluster]
}

// placesOf are a document's.
type placesOf struct {
	spans  []commonplace.GivenSpan
	copies []commonplace.Cluster
}

// OpenPlaces opens the task's shard of both tables where it has them, or the k-th where
// it has all.
func OpenPlaces(ctx context.Context, t engine.Task, k int) Places {
	return Places{
		openShard(ctx, t, k, table.Spans, func(s *commonplace.GivenSpan) string { return s.DocID }, "doc_id", "begin", "end", "source", "count"),
		openShard(ctx, t, k, table.Clusters, func(c *commonplace.Cluster) string { return c.DocID }, "doc_id", "begin", "end", "cluster"),
	}
}

func openShard[T any](ctx context.Context, t engine.Task, k int, of *table.Table[T], doc func(*T) string, columns ...string) *join.Reader[T] {
	for _, in := range t.Inputs {
		switch {
		case in.Table != of.Name:
		case in.File != "":
			return join.Open(ctx, of, t.Path(of.Name), doc, columns...)
		default:
			return join.Open(ctx, of, t.Paths(of.Name)[k], doc, columns...)
		}
	}
	return join.OpenRows("", func(func(T, error) bool) {}, doc)
}

// Of gives what there is of a document. Documents are asked for in order.
func (p Places) Of(docID string) (of placesOf, err error) {
	if of.spans, err = p.spans.Of(docID); err == nil {
		of.copies, err = p.copies.Of(docID)
	}
	return of, err
}

// End says whether a document was passed over.
func (p Places) End() error { return errors.Join(p.spans.End(), p.copies.End()) }

// Stop closes both tables.
func (p Places) Stop() {
	p.spans.Stop()
	p.copies.Stop()
}
