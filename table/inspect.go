package table

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/commonplace/commonplace/storage"
)

// Cell is one column of one row. Value is a string, int64, float64, bool,
// []string or a slice of structs; nil where the column is null.
type Cell struct {
	Column string
	Value  any
}

// Row is a row of any table, its cells in the table's order.
type Row []Cell

// Get is the value of a column, nil where the row has none of that name.
func (r Row) Get(name string) any {
	for _, c := range r {
		if c.Column == name {
			return c.Value
		}
	}
	return nil
}

// MarshalJSON writes the row as an object whose members are in the table's
// order. Numbers that JSON cannot say are null, empty lists [].
func (r Row) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	for i, c := range r {
		b.WriteByte("{,"[min(i, 1)])
		if err := e.Encode(c.Column); err != nil {
			return nil, err
		}
		b.Truncate(b.Len() - 1) // the newline of Encode
		b.WriteByte(':')
		value := c.Value
		if f, ok := value.(float64); ok && (math.IsNaN(f) || math.IsInf(f, 0)) {
			value = nil
		}
		if v := reflect.ValueOf(value); v.Kind() == reflect.Slice && v.Len() == 0 {
			value = []int{}
		}
		if err := e.Encode(value); err != nil {
			return nil, fmt.Errorf("column %s: %w", c.Column, err)
		}
		b.Truncate(b.Len() - 1)
	}
	if len(r) == 0 {
		b.WriteByte('{')
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// Selection says which rows and columns [Inspect] gives.
type Selection struct {
	DocID   string         // only this document's rows (quotes: this quote's); one shard is read
	Columns []string       // only these columns; all when empty
	Where   func(Row) bool // only rows for which it is true; see [ParseWhere]
	Offset  int64          // rows to leave out first
	Limit   int64          // rows at most; 0: all
}

// Inspect yields rows of a committed table in the order of its shards, for
// printing. Rejects are also shown of stages that did not finish.
func Inspect(ctx context.Context, files storage.FileSystem, run, name string, s Selection) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		t, ok := Named(name)
		if !ok {
			yield(nil, fmt.Errorf("there is no table %q; there are %s", name, strings.Join(names(), ", ")))
			return
		}
		paths, err := shardsToInspect(ctx, files, run, name, s.DocID)
		if err != nil {
			yield(nil, err)
			return
		}
		if shard := t.Describe().Shard; s.DocID != "" && shard == "" {
			yield(nil, fmt.Errorf("table %s has no documents to choose by", name))
			return
		}
		read, keep := s.columns(t.Describe())
		skip, left := s.Offset, s.Limit
		for _, path := range paths {
			for row, err := range t.rows(ctx, files, path, read) {
				if err != nil {
					yield(nil, err)
					return
				}
				if s.DocID != "" {
					id, _ := row.Get(t.Describe().Shard).(string)
					if id > s.DocID {
						break
					}
					if id != s.DocID {
						continue
					}
				}
				if s.Where != nil && !s.Where(row) {
					continue
				}
				if skip > 0 {
					skip--
					continue
				}
				if !yield(keep(row), nil) {
					return
				}
				if left--; left == 0 {
					return
				}
			}
		}
	}
}

func names() []string {
	var names []string
	for _, t := range All() {
		names = append(names, t.Describe().Name)
	}
	return names
}

func shardsToInspect(ctx context.Context, files storage.FileSystem, run, name, docID string) ([]string, error) {
	if name == Rejects.Name {
		return rejectShards(ctx, files, run)
	}
	c, err := ReadCommit(ctx, files, run, name)
	if err != nil {
		return nil, err
	}
	paths := c.ShardPaths(run)
	if docID != "" && len(paths) > 0 {
		k := ShardOf(docID, len(paths))
		paths = paths[k : k+1]
	}
	return paths, nil
}

// rejectShards are the rejects of all stages. They are shown without a commit
// record, since too many of them are why there is none.
func rejectShards(ctx context.Context, files storage.FileSystem, run string) ([]string, error) {
	dir := storage.Join(run, Rejects.Name)
	stages, err := files.List(ctx, dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w", dir, ErrNoRecord)
	}
	if err != nil {
		return nil, fmt.Errorf("list %s: %w", dir, err)
	}
	var paths []string
	for _, stage := range stages {
		names, err := files.List(ctx, storage.Join(dir, stage))
		if err != nil {
			return nil, fmt.Errorf("list %s: %w", storage.Join(dir, stage), err)
		}
		for _, n := range names {
			if _, _, ok := ParseShardName(n); ok {
				paths = append(paths, storage.Join(dir, stage, n))
			}
		}
	}
	return paths, nil
}

// columns are those to read, and what to keep of a row that has them. A
// condition may look at any column, so with one all are read.
func (s Selection) columns(d Description) (read []string, keep func(Row) Row) {
	all := func(r Row) Row { return r }
	if len(s.Columns) == 0 {
		return nil, all
	}
	if s.Where == nil {
		read = slices.Clone(s.Columns)
		if s.DocID != "" && !slices.Contains(read, d.Shard) {
			read = append(read, d.Shard)
		}
	}
	return read, func(r Row) Row {
		return slices.DeleteFunc(r, func(c Cell) bool { return !slices.Contains(s.Columns, c.Column) })
	}
}

// rows reads a shard as rows of cells.
func (t *Table[T]) rows(ctx context.Context, files storage.FileSystem, path string, columns []string) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		for row, err := range t.On(files).Rows(ctx, path, columns...) {
			if err != nil {
				yield(nil, err)
				return
			}
			v := reflect.ValueOf(&row).Elem()
			cells := make(Row, 0, len(t.columns))
			for _, c := range t.columns {
				if len(columns) == 0 || slices.Contains(columns, c.name) {
					cells = append(cells, Cell{c.name, valueOf(v.Field(c.field))})
				}
			}
			if !yield(cells, nil) {
				return
			}
		}
	}
}

// valueOf is what a field holds, nil for null.
func valueOf(field reflect.Value) any {
	if field.Kind() != reflect.Pointer {
		return field.Interface()
	}
	if field.IsNil() {
		return nil
	}
	return field.Elem().Interface()
}
