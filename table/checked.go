package table

import (
	"context"
	"errors"
	"reflect"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table/check"
)

// Checked is a committed table as verify reads it, without its row type.
type Checked interface {
	// Shard reads the rows of a shard: sorted, keys unique, each in the shard of its
	// document, and as the entry says. It returns how many there are, and false where
	// they could not all be read. Every problem goes to c.
	Shard(ctx context.Context, path, name string, c *check.Row) (rows int64, whole bool)
	// Sides are the rows' sides in a table of texts: quotes or documents.
	Sides(in string) []Side
}

// Side goes over the rows of a shard that can be read. look gets the id of the text that
// a row was found in, nothing where there is none, and what compares the row with it.
type Side func(ctx context.Context, path string, look func(id string, compare func(c *check.Row, text *commonplace.Offsets)))

type checked[T any] struct {
	*Table[T]
	check func(*check.Row, *T)
}

// Checked is the table on a file system, with the config of its commit record.
func (t *Table[T]) Checked(files storage.FileSystem, config []byte) Checked {
	c := checked[T]{t.On(files), t.entry.Verify}
	if t.entry.Sequence != nil {
		c.check = t.entry.Sequence(config)
	}
	return c
}

func (t checked[T]) Shard(ctx context.Context, path, name string, c *check.Row) (rows int64, whole bool) {
	reader, err := t.Open(ctx, path)
	if err != nil {
		c.OtherFormat = errors.Is(err, storage.ErrFormat)
		c.Hold(false, "%v", err)
		return 0, false
	}
	defer reader.Close()
	shard, of, named := ParseShardName(name)
	var row, last T
	c.Key = func() string { return t.Key(&row) }
	defer func() { c.Key = nil }()
	for ; ; rows++ {
		ok, err := reader.Next(&row)
		if err != nil {
			c.Key = nil
			c.Hold(false, "%v", err)
			return rows, false
		}
		if !ok {
			return rows, true
		}
		if rows > 0 {
			d := t.Compare(&last, &row)
			if d > 0 {
				c.Hold(false, "comes after (%s): the rows are not sorted", t.Key(&last))
			}
			c.Hold(d != 0 || t.Duplicates, "has the key of the row before it")
		}
		if t.shard >= 0 && named {
			id := reflect.ValueOf(&row).Elem().Field(t.shard).String()
			if k := ShardOf(id, of); k != shard {
				c.Hold(false, "belongs into %s", ShardName(k, of))
			}
		}
		if t.check != nil {
			t.check(c, &row)
		}
		t.CopyKey(&last, &row)
	}
}

func (t checked[T]) Sides(in string) []Side {
	var sides []Side
	for _, s := range t.entry.Elsewhere {
		if s.In != in {
			continue
		}
		sides = append(sides, func(ctx context.Context, path string, look func(string, func(*check.Row, *commonplace.Offsets))) {
			for row, err := range t.Rows(ctx, path, s.Columns...) {
				if err != nil {
					return // the pass over all columns reported it
				}
				look(s.ID(&row), func(c *check.Row, text *commonplace.Offsets) {
					c.Key = func() string { return t.Key(&row) }
					s.Check(c, text, &row)
				})
			}
		})
	}
	return sides
}
