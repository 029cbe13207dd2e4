package verify

import (
	"maps"
	"path/filepath"
	"slices"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
	"github.com/commonplace/commonplace/table/check"
)

// textBatch is how much text of quotes and derived documents [Tables] has in memory
// at once. Alignments, queries and windows are sorted by their source, so their
// other side is looked up by reading them once for every such batch.
const textBatch = 64 << 20

// comparison compares a row with the text that it was found in.
type comparison func(text *commonplace.Offsets)

// elsewhere compares rows with the quote or the document that they were found in.
func (v *verifier) elsewhere() {
	lookUp(v, table.Quotes, func(q *commonplace.Quote) (string, string) { return q.ID, q.Text }, "quote_id", "text")
	lookUp(v, table.Documents, func(d *commonplace.Document) (string, string) { return d.ID, d.Text }, "doc_id", "text")
}

// sides goes over all rows, of undamaged shards, that have a side in a table.
func (v *verifier) sides(in string, look func(name, id string, compare comparison)) {
	for _, t := range table.All() {
		name := t.Describe().Name
		commit := v.commits[name]
		for _, side := range t.Checked(v.files, commit.Config).Sides(in) {
			for _, shard := range commit.Shards {
				file := filepath.Join(commit.Folder(), shard.File)
				path := storage.Join(v.run, file)
				if v.bad[path] {
					continue
				}
				c := v.row(name, file)
				side(v.ctx, path, func(id string, compare func(*check.Row, *commonplace.Offsets)) {
					look(name, id, func(text *commonplace.Offsets) { compare(c, text) })
				})
				v.sum.Spans += c.Spans
			}
		}
	}
}

// lookUp reads the texts that rows name, a batch at a time, and compares the rows
// with each batch. Names without a text are problems.
func lookUp[T any](v *verifier, t *table.Table[T], text func(*T) (id, text string), columns ...string) {
	wanted := map[string]string{} // the first table that names it, by id
	v.sides(t.Name, func(name, id string, _ comparison) {
		if id != "" && wanted[id] == "" {
			wanted[id] = name
		}
	})
	if len(wanted) == 0 {
		return
	}
	commit, known := v.commits[t.Name]
	if !known {
		v.problem(wanted[slices.Min(slices.Collect(maps.Keys(wanted)))], "", "", "there is no table %s to compare what was found with", t.Name)
		return
	}
	batch, size, whole := map[string]*commonplace.Offsets{}, 0, true
	pass := func() {
		if len(batch) == 0 {
			return
		}
		v.sides(t.Name, func(_, id string, compare comparison) {
			if text := batch[id]; text != nil {
				compare(text)
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
			if size += len(s); size >= textBatch {
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
