package table

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table/parquet"
)

// Table is one table of a run: its files, which document is in which, and all
// that its [Entry] says. T is a row type of the root package. Name is the folder of
// the run that holds it, and a word on the command line.
type Table[T any] struct {
	*Schema[T]

	shard int // field whose hash gives the shard; -1: shards are those of the task
	entry Entry[T]
	texts []textField // that an export may empty
}

// All describes the tables in the order in which a run makes them.
func All() []Descriptor {
	tables := make([]Descriptor, len(registered))
	for i, r := range registered {
		tables[i] = r.table
	}
	return tables
}

// Named finds a table by its name.
func Named(name string) (Descriptor, bool) {
	for _, r := range registered {
		if r.table.name() == name {
			return r.table, true
		}
	}
	return nil, false
}

// Descriptor is a table without its row type, for what treats all tables alike.
type Descriptor interface {
	// Describe gives the table's name, columns and order.
	Describe() Description
	// Err is what is wrong with the table's entry or its row type; a test asks.
	Err() error
	// Exported says how the table is exported; nil: it stays in the run.
	Exported() *Exported
	// Cells reads a shard without its row type.
	Cells(ctx context.Context, files storage.FileSystem, path string, columns []string) iter.Seq2[Row, error]
	// Checked checks a table whose commit record has this config.
	Checked(files storage.FileSystem, config []byte) Checked
	name() string
}

// Description says what a table holds.
type Description struct {
	Name    string
	Columns []Column
	Order   []string // columns that the rows are sorted by
	Shard   string   // column whose hash gives the shard; empty for rejects
	Holds   string   // what it and its neighbours hold
	About   string   // what a user should know of it, in Markdown
}

// Describe gives the table's name, columns and order.
func (t *Table[T]) Describe() Description {
	return Description{Name: t.Name, Columns: t.Columns(), Order: t.entry.Order, Shard: t.entry.Shard,
		Holds: t.entry.Holds, About: t.entry.About}
}

func (t *Table[T]) name() string { return t.Name }

// On is the same table on another file system.
func (t *Table[T]) On(files storage.FileSystem) *Table[T] {
	u := *t
	u.Schema = t.Schema.On(files)
	return &u
}

// Create begins shard k of of in dir, which is made if it is not there. The context
// is good for the writer until it is closed. An existing shard stays as it is until [Writer.Close].
func (t *Table[T]) Create(ctx context.Context, dir string, k, of int) (*Writer[T], error) {
	if k < 0 || k >= of {
		return nil, fmt.Errorf("table %s: there is no shard %d of %d", t.Name, k, of)
	}
	return t.CreateFile(ctx, storage.Join(dir, ShardName(k, of)))
}

func newTable[T any](e Entry[T]) *Table[T] {
	t := &Table[T]{Schema: parquet.NewSchema[T](e.Name), entry: e, shard: -1}
	t.Duplicates = e.Duplicates
	t.Remedy = "build again with --check, which makes damaged shards again"
	if t.Err() == nil {
		if err := t.apply(); err != nil {
			t.Refuse(fmt.Errorf("table %s: %w", t.Name, err))
		}
	}
	return t
}

// apply finds the columns that the entry names.
func (t *Table[T]) apply() (err error) {
	columns := t.Columns()
	for _, c := range columns {
		if c.Type == "struct" {
			return fmt.Errorf("%s is a struct, which a table cannot be read back with: see Schema", c.Name)
		}
	}
	if err := t.SortBy(t.entry.Order...); err != nil {
		return err
	}
	if shard := t.entry.Shard; shard != "" {
		i := slices.IndexFunc(columns, func(c Column) bool { return c.Name == shard && c.Type == "string" })
		if i < 0 {
			return fmt.Errorf("no column %s to shard by", shard)
		}
		t.shard = columns[i].Index
	}
	x := t.entry.Export
	if x == nil {
		return nil
	}
	if x.Row == "" {
		return errors.New("the entry does not say what an exported row is")
	}
	if texts := len(x.Texts) > 0; texts != (x.Allowed != nil) || texts == x.Textless {
		return errors.New("the entry must say which columns are emptied and when, or that none has a text")
	}
	t.texts, err = textFields(columns, x.Texts)
	return err
}
