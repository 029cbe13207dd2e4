package table

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"math"
	"reflect"
	"slices"

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

// Cells reads a shard as rows of cells: of these columns, or of all.
func (t *Table[T]) Cells(ctx context.Context, files storage.FileSystem, path string, columns []string) iter.Seq2[Row, error] {
	all := t.Columns()
	return func(yield func(Row, error) bool) {
		for row, err := range t.On(files).Rows(ctx, path, columns...) {
			if err != nil {
				yield(nil, err)
				return
			}
			v := reflect.ValueOf(&row).Elem()
			cells := make(Row, 0, len(all))
			for _, c := range all {
				if len(columns) == 0 || slices.Contains(columns, c.Name) {
					cells = append(cells, Cell{c.Name, valueOf(v.Field(c.Index))})
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
