package table

import (
	"maps"
	"path/filepath"
	"slices"

	"github.com/commonplace/commonplace"
)

// derivedBatch is how much text of quotes and derived documents [Verify] holds
// at once. Alignments are sorted by their source, so their other side is looked
// up by reading them once for every such batch.
const derivedBatch = 64 << 20

// derivedSides holds derived_text of every alignment against the quote or the
// document that it was found in.
func (v *verifier) derivedSides() {
	quotes, documents := map[string]bool{}, map[string]bool{}
	v.alignments(func(_ *check, a *commonplace.Alignment) {
		if a.QuoteID != "" {
			quotes[a.QuoteID] = true
		} else {
			documents[a.DerivedID] = true
		}
	}, "quote_id", "derived_id")
	lookUp(v, Quotes, quotes, func(q *commonplace.Quote) (string, string) { return q.ID, q.Text },
		func(a *commonplace.Alignment) string { return a.QuoteID }, "quote_id", "text")
	lookUp(v, Documents, documents, func(d *commonplace.Document) (string, string) { return d.ID, d.Text },
		func(a *commonplace.Alignment) string {
			if a.QuoteID != "" {
				return ""
			}
			return a.DerivedID
		}, "doc_id", "text")
}

// alignments reads some columns of all alignments whose shards are sound.
func (v *verifier) alignments(look func(*check, *commonplace.Alignment), columns ...string) {
	t := Alignments.On(v.files)
	for _, s := range v.commits[t.Name].Shards {
		path := Join(v.run, t.Name, s.File)
		if v.bad[path] {
			continue
		}
		c := &check{verifier: v, table: t.Name, file: filepath.Join(t.Name, s.File)}
		for a, err := range t.Rows(path, columns...) {
			if err != nil {
				break // the pass over all columns reported it
			}
			look(c, &a)
		}
	}
}

// lookUp reads the texts that alignments name, a batch at a time, and holds the
// alignments against each batch. Names without a text are problems.
func lookUp[T any](v *verifier, t *Table[T], wanted map[string]bool, text func(*T) (id, text string), named func(*commonplace.Alignment) string, columns ...string) {
	if len(wanted) == 0 {
		return
	}
	commit, known := v.commits[t.Name]
	if !known {
		v.problem(Alignments.Name, "", "", "there is no table %s to hold derived_text against", t.Name)
		return
	}
	batch, size, whole := map[string]*commonplace.Offsets{}, 0, true
	pass := func() {
		if len(batch) == 0 {
			return
		}
		v.alignments(func(c *check, a *commonplace.Alignment) {
			if o := batch[named(a)]; o != nil {
				c.key = func() string { return keyOfRow(Alignments, a) } // a is of this row alone
				c.slice(o, t.Name+".text", "derived_text", a.DerivedBegin, a.DerivedEnd, a.DerivedText)
			}
		}, "source_id", "source_begin", "source_end", "quote_id", "derived_id", "derived_begin", "derived_end", "derived_text")
		clear(batch)
		size = 0
	}
	for _, path := range commit.ShardPaths(v.run) {
		if v.bad[path] {
			whole = false
			continue
		}
		for row, err := range t.On(v.files).Rows(path, columns...) {
			if err != nil {
				whole = false
				break
			}
			id, s := text(&row)
			if !wanted[id] {
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
			v.problem(Alignments.Name, "", "", "%q was aligned and is not in the table %s", id, t.Name)
		}
	}
}
