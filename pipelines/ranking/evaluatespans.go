package ranking

import (
	"context"
	"fmt"
	"slices"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/bounded"
	"github.com/commonplace/commonplace/crawl/files"
	"github.com/commonplace/commonplace/label"
	"github.com/commonplace/commonplace/pipelines/config"
)

// spansGiven are places that count in place of a run's quotations, by document.
type spansGiven struct {
	byDoc         map[string][]commonplace.GivenSpan
	total, placed int
}

// given reads the file of spans; nil: there is none.
func (v Evaluation) given(ctx context.Context) (*spansGiven, error) {
	if v.Spans == "" {
		return nil, nil
	}
	for key := range v.Columns {
		if !slices.Contains(files.SpanFields, key) {
			return nil, config.Refusef("columns: unknown field %q; use one of %v", key, files.SpanFields)
		}
	}
	read, err := files.ReadSpans(ctx, v.Spans, v.Columns, bounded.Limits{})
	if err != nil {
		return nil, config.Refusef("%w", err)
	}
	if len(read.Rejects) > 0 {
		r := read.Rejects[0]
		return nil, config.Refusef("%s: %s: %s", r.Location, r.Reason, r.Detail)
	}
	g := &spansGiven{byDoc: map[string][]commonplace.GivenSpan{}, total: len(read.Spans)}
	for _, s := range read.Spans {
		g.byDoc[s.DocID] = append(g.byDoc[s.DocID], s)
	}
	return g, nil
}

// counts are how often the passages of a document are quoted.
func (g *spansGiven) counts(d judged) []float64 {
	var quotations []label.Quotation
	for _, s := range g.byDoc[d.id] {
		if s.Begin < 0 || s.End <= s.Begin || s.Begin >= d.passages[len(d.passages)-1].End {
			continue
		}
		g.placed++
		quotations = append(quotations, label.Quotation{Times: s.Count, Finds: []label.Find{{{Begin: s.Begin, End: s.End}}}})
	}
	counts := make([]float64, len(d.passages))
	for i, n := range label.Counts(d.passages, quotations, label.OverlapHalf) {
		counts[i] = float64(n.Count)
	}
	return counts
}

func (g *spansGiven) remarks() []string {
	if g == nil {
		return nil
	}
	return []string{fmt.Sprintf("%d of the file's %d spans lie in the passages of this run.", g.placed, g.total)}
}
