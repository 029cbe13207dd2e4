package table

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"reflect"

	"github.com/commonplace/commonplace/storage"
	"github.com/parquet-go/parquet-go"
)

// Table is one table of a run: its name, columns, order and place.
// T is a row type of the root package.
type Table[T any] struct {
	Name string // folder of the run that holds it, and word on the command line

	columns []column
	schema  *parquet.Schema
	order   []int // indexes into columns: rows are sorted by them
	doc     int   // column whose hash gives the shard; -1: shards are those of the task
	twins   bool  // rows with an equal key are allowed
	files   storage.FileSystem
	entry   Entry[T]
	texts   []textField // that an export may empty
	err     error       // what is wrong with the entry or the row type

	metadata map[string]string // of the files' footers
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
	name() string
	versioned() bool
	// rows reads a shard without knowing its row type.
	rows(ctx context.Context, files storage.FileSystem, path string, columns []string) iter.Seq2[Row, error]
	// verify reads the rows of all shards whose bytes are those of their records.
	verify(v *verifier)
	// elsewhere gives what holds rows against the texts of a table in other shards.
	elsewhere(in string) []anySide
}

// Description says what a table holds.
type Description struct {
	Name    string
	Columns []Column
	Order   []string // columns that the rows are sorted by
	Shard   string   // column whose hash gives the shard; empty for rejects
	Holds   string   // what it and its neighbours hold
	About   string   // what a user should know of it, in Markdown
	Version bool     // each build writes a folder of its own
}

// Column is one column of a table.
type Column struct {
	Name string
	Type string // string, int64, float64, bool, list of string, list of struct
	Doc  string
	// Fields are the columns of a list of struct.
	Fields []Column
}

// Describe gives the table's name, columns and order.
func (t *Table[T]) Describe() Description {
	d := Description{Name: t.Name, Holds: t.entry.Holds, About: t.entry.About, Version: t.entry.Versions}
	for _, c := range t.columns {
		d.Columns = append(d.Columns, c.describe())
	}
	for _, i := range t.order {
		d.Order = append(d.Order, t.columns[i].name)
	}
	if t.doc >= 0 {
		d.Shard = t.columns[t.doc].name
	}
	return d
}

func (t *Table[T]) name() string    { return t.Name }
func (t *Table[T]) versioned() bool { return t.entry.Versions }

// On is the same table on another file system.
func (t *Table[T]) On(files storage.FileSystem) *Table[T] {
	u := *t
	u.files = files
	return &u
}

func newTable[T any](e Entry[T]) *Table[T] {
	t := Sheet[T](e.Name)
	t.entry, t.twins = e, e.Twins
	if t.err == nil {
		t.err = t.apply()
	}
	return t
}

// apply finds the columns that the entry names.
func (t *Table[T]) apply() (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("table %s: %w", t.Name, err)
		}
	}()
	at := make(map[string]int, len(t.columns))
	for i, c := range t.columns {
		if c.kind == reflect.Struct && !c.list {
			return fmt.Errorf("%s is a struct, which a table cannot be read back with: see Sheet", c.name)
		}
		at[c.name] = i
	}
	for _, o := range t.entry.Order {
		i, ok := at[o]
		if !ok {
			return fmt.Errorf("no column %s to sort by", o)
		}
		t.order = append(t.order, i)
	}
	if shard := t.entry.Shard; shard != "" {
		i, ok := at[shard]
		if !ok {
			return fmt.Errorf("no column %s to shard by", shard)
		}
		t.doc = i
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
	t.texts, err = textFields(t.columns, x.Texts)
	return err
}

// Err is what is wrong with the table's entry or its row type.
func (t *Table[T]) Err() error { return t.err }
