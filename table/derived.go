package table

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/storage"
)

// derivedBatch is how much text of quotes and derived documents [Verify] holds
// at once. Alignments, queries and windows are sorted by their source, so their
// other side is looked up by reading them once for every such batch.
const derivedBatch = 64 << 20

// side is the other side of a table's rows: the quote or document that they were
// found in.
type side[T any] struct {
	in      string                                 // table of the texts: quotes or documents
	id      func(*T) string                        // of the text; empty for none
	hold    func(*check, *commonplace.Offsets, *T) // holds a row against it
	columns []string                               // that id and hold read
}

// sideOf is a side of a table that is known.
type sideOf[T any] struct {
	side[T]
	table *Table[T]
}

// anySide is a side whatever its rows are.
type anySide interface {
	each(v *verifier, look func(table, id string, hold func(*commonplace.Offsets)))
}

// elsewhere are the sides of the table's rows that lie in another.
func (t *Table[T]) elsewhere(in string) []anySide {
	var sides []anySide
	for _, s := range t.entry.Elsewhere {
		if s.in == in {
			sides = append(sides, sideOf[T]{s, t})
		}
	}
	return sides
}

// elsewhere holds rows against the quote or the document that they were found in.
func (v *verifier) elsewhere() {
	of := func(in string) []anySide {
		var sides []anySide
		for _, t := range All() {
			sides = append(sides, t.elsewhere(in)...)
		}
		return sides
	}
	lookUp(v, Quotes, func(q *commonplace.Quote) (string, string) { return q.ID, q.Text }, []string{"quote_id", "text"}, of(Quotes.Name))
	lookUp(v, Documents, func(d *commonplace.Document) (string, string) { return d.ID, d.Text }, []string{"doc_id", "text"}, of(Documents.Name))
}

// derivedSides are those of alignments: a quote, or another document.
var derivedSides = []side[commonplace.Alignment]{
	derivedSide("quotes", func(a *commonplace.Alignment) string { return a.QuoteID }),
	derivedSide("documents", func(a *commonplace.Alignment) string {
		if a.QuoteID != "" {
			return ""
		}
		return a.DerivedID
	}),
}

func derivedSide(in string, id func(*commonplace.Alignment) string) side[commonplace.Alignment] {
	return side[commonplace.Alignment]{
		in, id,
		func(c *check, text *commonplace.Offsets, a *commonplace.Alignment) {
			c.slice(text, in+".text", "derived_text", a.DerivedBegin, a.DerivedEnd, a.DerivedText)
		},
		[]string{"source_id", "source_begin", "source_end", "quote_id", "derived_id", "derived_begin", "derived_end", "derived_text"},
	}
}

// articleSides are those of queries: the article that quotes.
var articleSides = []side[commonplace.Query]{{
	"documents", func(q *commonplace.Query) string { return q.ArticleID }, holdQuery,
	[]string{"query_id", "doc_id", "span_begin", "span_end", "article_id", "left_context", "left_begin", "left_end", "before", "after", "quote", "quote_begin", "quote_end"},
}}

// windowSides are those of windows: the secondary source.
var windowSides = []side[commonplace.Window]{{
	"documents", func(w *commonplace.Window) string { return w.DerivedID }, holdWindow,
	[]string{"window_id", "source_id", "source_begin", "source_end", "derived_id", "derived_begin", "derived_end", "left", "left_begin", "left_end", "right", "right_begin", "right_end"},
}}

func holdQuery(c *check, text *commonplace.Offsets, q *commonplace.Query) {
	const of = "the article's text"
	c.slice(text, of, "quote", q.QuoteBegin, q.QuoteEnd, q.Quote)
	c.slice(text, of, "left_context", q.LeftBegin, q.LeftEnd, q.LeftContext)
	if q.QuoteBegin < 0 || q.QuoteBegin > q.QuoteEnd || q.QuoteEnd > int64(text.Len()) {
		return // said already
	}
	before := strings.TrimSpace(text.Slice(commonplace.Span{End: int(q.QuoteBegin)}))
	after := strings.TrimSpace(text.Slice(commonplace.Span{Begin: int(q.QuoteEnd), End: text.Len()}))
	c.hold(strings.HasSuffix(before, q.Before), "before is %s, which is not what stands before the quote", short(q.Before))
	c.hold(strings.HasPrefix(after, q.After), "after is %s, which is not what stands after the quote", short(q.After))
}

func holdWindow(c *check, text *commonplace.Offsets, w *commonplace.Window) {
	const of = "the secondary source's text"
	for _, context := range []struct {
		column     string
		sentences  []string
		begin, end int64
	}{{"left", w.Left, w.LeftBegin, w.LeftEnd}, {"right", w.Right, w.RightBegin, w.RightEnd}} {
		c.sum.Spans++
		if context.begin < 0 || context.begin > context.end || context.end > int64(text.Len()) {
			c.hold(false, "%s is [%d:%d] of a text of %d code points", context.column, context.begin, context.end, text.Len())
			continue
		}
		has := text.Slice(commonplace.Span{Begin: int(context.begin), End: int(context.end)})
		c.hold(isLeftOf(strings.Join(context.sentences, ""), has), "%s is not what %s[%d:%d] has, citations aside", context.column, of, context.begin, context.end)
	}
	c.hold(w.DerivedEnd <= int64(text.Len()), "derived_end is %d of a text of %d code points", w.DerivedEnd, text.Len())
}

// isLeftOf tells whether a text is left of another when parts of that are taken
// out, white space aside.
func isLeftOf(rest, text string) bool {
	rest = strings.Join(strings.Fields(rest), "")
	for _, r := range text {
		if after, ok := strings.CutPrefix(rest, string(r)); ok {
			rest = after
		}
	}
	return rest == ""
}

// each reads the rows of the sound shards.
func (s sideOf[T]) each(v *verifier, look func(table, id string, hold func(*commonplace.Offsets))) {
	t := s.table.On(v.files)
	for _, shard := range v.commits[t.Name].Shards {
		path := storage.Join(v.run, t.Name, shard.File)
		if v.bad[path] {
			continue
		}
		c := &check{verifier: v, table: t.Name, file: filepath.Join(t.Name, shard.File)}
		for row, err := range t.Rows(v.ctx, path, s.columns...) {
			if err != nil {
				break // the pass over all columns reported it
			}
			look(t.Name, s.id(&row), func(text *commonplace.Offsets) {
				c.key = func() string { return keyOfRow(t, &row) }
				s.hold(c, text, &row)
			})
		}
	}
}

// lookUp reads the texts that rows name, a batch at a time, and holds the rows
// against each batch. Names without a text are problems.
func lookUp[T any](v *verifier, t *Table[T], text func(*T) (id, text string), columns []string, sides []anySide) {
	wanted := map[string]string{} // the first table that names it, by id
	each := func(look func(table, id string, hold func(*commonplace.Offsets))) {
		for _, s := range sides {
			s.each(v, look)
		}
	}
	each(func(table, id string, _ func(*commonplace.Offsets)) {
		if id != "" && wanted[id] == "" {
			wanted[id] = table
		}
	})
	if len(wanted) == 0 {
		return
	}
	commit, known := v.commits[t.Name]
	if !known {
		v.problem(wanted[slices.Min(slices.Collect(maps.Keys(wanted)))], "", "", "there is no table %s to hold what was found against", t.Name)
		return
	}
	batch, size, whole := map[string]*commonplace.Offsets{}, 0, true
	pass := func() {
		if len(batch) == 0 {
			return
		}
		each(func(_, id string, hold func(*commonplace.Offsets)) {
			if text := batch[id]; text != nil {
				hold(text)
			}
		})
		clear(batch)
		size = 0
	}
	for _, path := range commit.ShardPaths(v.run) {
		if v.bad[path] {
			whole = false
			continue
		}
		for row, err := range t.On(v.files).Rows(v.ctx, path, columns...) {
			if err != nil {
				whole = false
				break
			}
			id, s := text(&row)
			if wanted[id] == "" {
				continue
			}
			delete(wanted, id)
			batch[id] = commonplace.NewOffsets(s)
			if size += len(s); size >= derivedBatch {
				pass()
			}
		}
	}
	pass()
	if whole {
		for _, id := range slices.Sorted(maps.Keys(wanted)) {
			v.problem(wanted[id], "", "", "%q was aligned and is not in the table %s", id, t.Name)
		}
	}
}
