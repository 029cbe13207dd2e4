package table

import (
	"fmt"
	"reflect"

	"github.com/commonplace/commonplace/storage"
)

// Sheet describes files of rows for other programs: any row type with parquet
// and doc tags, in any order, without shards or commit records. A column may
// also be a struct of lists. Write them with [Table.CreateFile].
func Sheet[T any](name string) *Table[T] {
	t := &Table[T]{Name: name, doc: -1, twins: true, files: storage.Default}
	if t.columns, t.err = columnsOf(reflect.TypeFor[T]()); t.err != nil {
		t.err = fmt.Errorf("table %s: %w", name, t.err)
		return t
	}
	t.schema = schemaOf[T](name, t.columns)
	return t
}

// With is the same table whose files have a word for their readers in the
// footer, under a key that they know.
func (t *Table[T]) With(key, value string) *Table[T] {
	u := *t
	u.metadata = map[string]string{key: value}
	return &u
}
