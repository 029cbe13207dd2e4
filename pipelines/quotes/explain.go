package quotes

import (
	"context"
	"errors"
	"fmt"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/worker"
	"github.com/commonplace/commonplace/table"
)

// Question asks why a quote was or was not found in a document of a run.
type Question struct {
	Config  *config.Config
	QuoteID string // of the table quotes; or
	Text    string // any words
	DocID   string
	Marked  bool // as a marked quotation, with its confidence
}

// Explain answers with the run's own counts and settings.
func Explain(ctx context.Context, q Question) (align.Explanation, error) {
	night, err := table.Current(ctx, q.Config.Out)
	if err != nil {
		return align.Explanation{}, err
	}
	there := *q.Config
	q.Config, there.Out = &there, night
	// Where no run is, nothing is written either.
	if _, err := engine.NewPlanner(q.Config).ShardsOf(ctx, table.Documents.Name); err != nil {
		return align.Explanation{}, err
	}
	ctx, release, err := engine.Lock(ctx, q.Config.Out) // the counts may have to be made
	if err != nil {
		return align.Explanation{}, err
	}
	defer release()
	ctx, end := worker.Begin(ctx)
	defer end()
	p := engine.NewPlanner(q.Config)
	if _, err := p.ShardsOf(ctx, "documents"); err != nil {
		return align.Explanation{}, err
	}
	if err := keepCounts(ctx, q.Config, func(c collection, _ engine.Task, path string) (*align.Stats, error) {
		return c.countTo(ctx, 0, len(c.shards), path)
	}); err != nil {
		return align.Explanation{}, err
	}
	counts, err := lookForCounts(ctx, q.Config)
	if err != nil {
		return align.Explanation{}, err
	}
	t := engine.Task{Out: q.Config.Out, Extra: counts.Extra(0, 0)}
	quote := commonplace.Quote{ID: "text", Text: q.Text}
	if q.QuoteID != "" {
		if t.Inputs, err = engine.Whole("quotes")(ctx, p, 0, 0); err != nil {
			return align.Explanation{}, err
		}
		if quote, err = quoteOf(ctx, t, q); err != nil {
			return align.Explanation{}, err
		}
	}
	c, err := collectionOf(ctx, t, q.Config.Align)
	if err != nil {
		return align.Explanation{}, err
	}
	stats, err := c.stats(ctx)
	if err != nil {
		return align.Explanation{}, err
	}
	for doc, err := range TextOf(ctx, c.path(table.ShardOf(q.DocID, len(c.shards))), Quotable) {
		if err != nil {
			return align.Explanation{}, err
		}
		if doc.ID != q.DocID {
			continue
		}
		e, err := q.how()(quote, doc, stats, c.o)
		asked := !q.lists() && (!q.Marked || c.use == align.SearchMarked) // as the run searches
		if err == nil && e.Found && asked {
			err = c.explainOthers(ctx, &e, quote.Text, doc.ID, q.Config.Written("align.pairs"))
		}
		return e, err
	}
	return align.Explanation{}, config.Refusef("no source document is called %q; see commonplace inspect documents %s --columns doc_id", q.DocID, commonplace.ShellWord(q.Config.File()))
}

// how is the search that the run has for the words: that of lists, or where the config
// has none that of derived documents.
func (q Question) how() func(commonplace.Quote, commonplace.Document, *align.Stats, align.Options) (align.Explanation, error) {
	switch {
	case q.Marked || !q.lists() && q.Config.Align.Use == align.SearchMarked:
		return align.ExplainMarked
	case !q.lists():
		return align.ExplainUnmarked
	}
	return align.Explain
}

// lists says that the words are looked for as a quote of a list is.
func (q Question) lists() bool { return q.QuoteID != "" || len(q.Config.Quotes) > 0 }

// explainOthers adds to a find what other sources have of the words: for them a run may leave it out.
// Rules on pairs, which a config sets under the key rules, may in turn leave those sources out. That
// depends on the document that quotes, which a question does not name.
func (c collection) explainOthers(ctx context.Context, e *align.Explanation, text, docID, rules string) error {
	if c.use == align.SearchMarked {
		text = "“" + text + "”"
	}
	var all []align.Candidate
	for _, p := range c.parts() {
		opened, err := c.open(ctx, p)
		if err != nil {
			return err
		}
		all = append(all, opened.Search(commonplace.Document{Text: text}, c.use)...)
		if err := errors.Join(ctx.Err(), opened.Close()); err != nil {
			return err
		}
	}
	switch why, certain := align.LeftOut(all, docID, c.use, c.o); {
	case why == "":
	case !c.pairs.IsZero():
		e.Verdict += "; but " + why + fmt.Sprintf(". So the match is left out, unless a rule of %s keeps the other source out", rules)
	case certain:
		e.Found, e.Verdict = false, "left out: "+why
	default:
		e.Verdict += "; but " + why
	}
	return nil
}

func quoteOf(ctx context.Context, t engine.Task, asked Question) (commonplace.Quote, error) {
	quotes, err := readQuotes(ctx, t)
	if err != nil {
		return commonplace.Quote{}, err
	}
	for _, q := range quotes {
		if q.ID == asked.QuoteID {
			return q, nil
		}
	}
	return commonplace.Quote{}, config.Refusef("no quote is called %q; see commonplace inspect quotes %s --columns quote_id", asked.QuoteID, commonplace.ShellWord(asked.Config.File()))
}
