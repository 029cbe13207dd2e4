package table

import (
	"context"
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strings"

	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table/parquet"
)

// Exported is an exported table without its row type.
type Exported struct {
	Name    string
	Row     string // what a row is, for the card
	Tasks   []string
	Default int
	Ground  int

	Columns []Column            // as they are written
	Classes map[string][]string // names of class labels, by column
	Type    reflect.Type        // of what [ExportedRow.Written] points to
	Keys    []Watched

	Dated, SQuAD, CoNLL bool // rows have a day, a question, tags

	// Create begins a file of what [ExportedRow.Written] gives, with a word for
	// readers in its footer.
	Create func(ctx context.Context, path, key, value string) (RowWriter, error)
	// Rows reads a shard.
	Rows func(ctx context.Context, files storage.FileSystem, path string) iter.Seq2[ExportedRow, error]
}

// ExportedRow is one row of an exported table.
type ExportedRow interface {
	Split() string
	Keys() []string // in the order of [Exported.Keys]
	Day() string
	Watch(s Statistics)
	Allowed(r Rights) bool // whether its texts may be given on
	Withhold()             // empties them
	Written() any          // a pointer to what is written
	Question() Question
	Words() (words, tags []string)
}

// RowWriter writes a file of exported rows.
type RowWriter interface {
	Write(row any) error // what [ExportedRow.Written] gave
	Bytes() int64
	Close() (ShardRecord, error)
	Abort()
}

// Exported says how the table is exported; nil: it stays in the run.
func (t *Table[T]) Exported() *Exported {
	x := t.entry.Export
	if x == nil {
		return nil
	}
	f := x.Form
	if f == nil {
		f = writtenAs(nil, func(row *T) *T { return row })
	}
	e := &Exported{
		Name: t.Name, Row: x.Row, Tasks: x.Tasks, Default: x.Default, Ground: x.Ground,
		Columns: f.columns(t.Name), Classes: f.classes, Type: f.typ,
		Dated: x.Day != nil, SQuAD: x.SQuAD != nil, CoNLL: x.CoNLL != nil,
	}
	for _, k := range x.Keys {
		e.Keys = append(e.Keys, k.Watched)
	}
	e.Create = func(ctx context.Context, path, key, value string) (RowWriter, error) {
		if err := t.Err(); err != nil {
			return nil, err
		}
		return f.create(ctx, t.Name, path, key, value)
	}
	e.Rows = func(ctx context.Context, files storage.FileSystem, path string) iter.Seq2[ExportedRow, error] {
		return func(yield func(ExportedRow, error) bool) {
			for row, err := range t.On(files).Rows(ctx, path) {
				if !yield(&exportedRow[T]{x, f, t.texts, row}, err) {
					return
				}
			}
		}
	}
	return e
}

type exportedRow[T any] struct {
	*Export[T]
	form  *form[T]
	texts []textField
	row   T
}

func (r *exportedRow[T]) Split() string {
	if r.Export.Split == nil {
		return "train"
	}
	return r.Export.Split(&r.row)
}

func (r *exportedRow[T]) Keys() []string {
	ids := make([]string, len(r.Export.Keys))
	for i, k := range r.Export.Keys {
		ids[i] = k.Of(&r.row)
	}
	return ids
}

func (r *exportedRow[T]) Day() string { return r.Export.Day(&r.row) }

func (r *exportedRow[T]) Watch(s Statistics) {
	if r.Export.Watch != nil {
		r.Export.Watch(s, &r.row)
	}
}

func (r *exportedRow[T]) Allowed(rights Rights) bool {
	return r.Export.Allowed == nil || r.Export.Allowed(rights, &r.row)
}

func (r *exportedRow[T]) Withhold() {
	for _, f := range r.texts {
		f.empty(reflect.ValueOf(&r.row).Elem())
	}
}

func (r *exportedRow[T]) Written() any                  { return r.form.convert(&r.row) }
func (r *exportedRow[T]) Question() Question            { return r.Export.SQuAD(&r.row) }
func (r *exportedRow[T]) Words() (words, tags []string) { return r.Export.CoNLL(&r.row) }

// textField is a column that holds text, or a field of a list of structs.
type textField struct{ field, inner int }

// empty sets it to nothing.
func (f textField) empty(row reflect.Value) {
	v := row.Field(f.field)
	if f.inner < 0 {
		v.SetZero()
		return
	}
	for i := range v.Len() {
		v.Index(i).Field(f.inner).SetZero()
	}
}

// textFields finds columns by their names.
func textFields(columns []Column, names []string) ([]textField, error) {
	var fields []textField
	at := func(columns []Column, name string) int {
		return slices.IndexFunc(columns, func(c Column) bool { return c.Name == name })
	}
	for _, name := range names {
		outer, inner, nested := strings.Cut(name, ".")
		i := at(columns, outer)
		if i < 0 {
			return nil, fmt.Errorf("no column %s, which is to be emptied", name)
		}
		f := textField{columns[i].Index, -1}
		if nested {
			j := at(columns[i].Fields, inner)
			if j < 0 {
				return nil, fmt.Errorf("no column %s, which is to be emptied", name)
			}
			f.inner = columns[i].Fields[j].Index
		}
		fields = append(fields, f)
	}
	return fields, nil
}

// form is the type that rows of a table are written as.
type form[T any] struct {
	classes map[string][]string
	typ     reflect.Type
	convert func(*T) any
	columns func(name string) []Column
	create  func(ctx context.Context, name, path, key, value string) (RowWriter, error)
}

// writtenAs writes rows as another type, some columns of which are classes.
func writtenAs[T, U any](classes map[string][]string, convert func(*T) *U) *form[T] {
	return &form[T]{
		classes: classes,
		typ:     reflect.TypeFor[U](),
		convert: func(row *T) any { return convert(row) },
		columns: func(name string) []Column { return parquet.NewSchema[U](name).Columns() },
		create: func(ctx context.Context, name, path, key, value string) (RowWriter, error) {
			w, err := parquet.NewSchema[U](name).With(key, value).CreateFile(ctx, path)
			if err != nil {
				return nil, err
			}
			return rowWriter[U]{w}, nil
		},
	}
}

type rowWriter[U any] struct{ *Writer[U] }

func (w rowWriter[U]) Write(row any) error { return w.Writer.Write(*row.(*U)) }
