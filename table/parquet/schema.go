package parquet

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/parquet-go/parquet-go"

	"github.com/commonplace/commonplace/storage"
)

// Schema describes files of rows: any row type with parquet and doc tags. A column
// may also be a struct of lists; such files are for other programs and are not read.
// Without [Schema.SortBy] rows come in any order, and twice.
type Schema[T any] struct {
	Name       string
	Duplicates bool   // rows with an equal key are allowed
	Remedy     string // what a user does about a damaged file: the end of the error's sentence

	columns  []column
	schema   *parquet.Schema
	order    []int // indexes into columns: rows are sorted by them
	files    storage.FileSystem
	metadata map[string]string // of the files' footers
	err      error             // what is wrong with the row type
}

// NewSchema reads the tags of a row type. What is wrong with them is an error of
// a user of the schema, and of [Schema.Err].
func NewSchema[T any](name string) *Schema[T] {
	s := &Schema[T]{Name: name, Duplicates: true, files: storage.Default}
	if s.columns, s.err = columnsOf(reflect.TypeFor[T]()); s.err != nil {
		s.err = fmt.Errorf("table %s: %w", name, s.err)
		return s
	}
	s.schema = schemaOf[T](name, s.columns)
	return s
}

// SortBy says by which columns rows are sorted.
func (s *Schema[T]) SortBy(columns ...string) error {
	for _, name := range columns {
		i := slices.IndexFunc(s.columns, func(c column) bool { return c.name == name })
		if i < 0 {
			return fmt.Errorf("no column %s to sort by", name)
		}
		s.order = append(s.order, i)
	}
	return nil
}

// Err is what is wrong with the row type, or with what else [Schema.Refuse] was given.
func (s *Schema[T]) Err() error { return s.err }

// Refuse makes an error the answer to a call that opens or writes a file.
func (s *Schema[T]) Refuse(err error) { s.err = err }

// On is the same schema for files of another file system.
func (s *Schema[T]) On(files storage.FileSystem) *Schema[T] {
	other := *s
	other.files = files
	return &other
}

// With is the same schema whose files have a word for their readers in the
// footer, under a key that they know.
func (s *Schema[T]) With(key, value string) *Schema[T] {
	other := *s
	other.metadata = map[string]string{key: value}
	return &other
}

// Columns are the columns in the order of the row type.
func (s *Schema[T]) Columns() []Column {
	list := make([]Column, len(s.columns))
	for i, c := range s.columns {
		list[i] = c.describe()
	}
	return list
}

// Key prints the columns that a row is sorted by: doc_id "1342", index 7.
func (s *Schema[T]) Key(row *T) string { return keyOf(s.columns, s.order, reflect.ValueOf(row).Elem()) }

// Compare orders two rows by the columns that rows are sorted by.
func (s *Schema[T]) Compare(a, b *T) int {
	return compare(s.columns, s.order, reflect.ValueOf(a).Elem(), reflect.ValueOf(b).Elem())
}

// CopyKey sets the columns of a row that rows are sorted by.
func (s *Schema[T]) CopyKey(to, from *T) {
	a, b := reflect.ValueOf(to).Elem(), reflect.ValueOf(from).Elem()
	for _, i := range s.order {
		f := s.columns[i].field
		a.Field(f).Set(b.Field(f))
	}
}
