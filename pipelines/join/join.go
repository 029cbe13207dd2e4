package join

import (
	"context"
	"fmt"
	"iter"

	"github.com/commonplace/commonplace/table"
)

// Reader hands out the rows of a sorted shard document by document, beside
// another table of the same documents in the same order.
type Reader[T any] struct {
	path string
	doc  func(*T) string
	next func() (T, error, bool)
	Stop func()
	row  T
	err  error
	more bool
}

// Open opens a shard; doc gives a row's document.
func Open[T any](ctx context.Context, tab *table.Table[T], path string, doc func(*T) string, columns ...string) *Reader[T] {
	return OpenRows(path, tab.Rows(ctx, path, columns...), doc)
}

// OpenRows is for sorted rows from elsewhere; path is where, for errors.
func OpenRows[T any](path string, rows iter.Seq2[T, error], doc func(*T) string) *Reader[T] {
	f := &Reader[T]{path: path, doc: doc}
	f.next, f.Stop = iter.Pull2(rows)
	f.advance()
	return f
}

func (f *Reader[T]) advance() { f.row, f.err, f.more = f.next() }

// Of returns the rows of a document, which may be none. Documents must be asked
// for in order; rows of a document that was not asked for are an error, since
// they would be lost.
func (f *Reader[T]) Of(docID string) ([]T, error) {
	var rows []T
	for f.more {
		if f.err != nil {
			return nil, f.err
		}
		switch id := f.doc(&f.row); {
		case id < docID:
			return nil, fmt.Errorf("%s: rows of document %q, which documents does not have", f.path, id)
		case id > docID:
			return rows, nil
		}
		rows = append(rows, f.row)
		f.advance()
	}
	return rows, nil
}

// One returns the next row, if it is of this id. It is for tables that have one row
// of each id, in any order that both have.
func (f *Reader[T]) One(id string) (row T, found bool, err error) {
	if row, err = f.row, f.err; err != nil || !f.more || f.doc(&row) != id {
		return row, false, err
	}
	f.advance()
	return row, true, nil
}

// Next passes over rows until that of an id, and returns it. It is for a table that has rows
// of more ids than are asked for, in the same order.
func (f *Reader[T]) Next(id string) (row T, found bool, err error) {
	for f.more && f.err == nil && f.doc(&f.row) != id {
		f.advance()
	}
	return f.One(id)
}

// SkipTo passes over the rows of documents before one.
func (f *Reader[T]) SkipTo(docID string) {
	for f.more && f.err == nil && f.doc(&f.row) < docID {
		f.advance()
	}
}

// Each walks all documents that have rows.
func (f *Reader[T]) Each(do func(docID string, rows []T) error) error {
	for f.more {
		if f.err != nil {
			return f.err
		}
		docID := f.doc(&f.row)
		rows, err := f.Of(docID)
		if err != nil {
			return err
		}
		if err := do(docID, rows); err != nil {
			return err
		}
	}
	return nil
}

// End checks that nothing is left over, and closes the shard.
func (f *Reader[T]) End() error {
	defer f.Stop()
	if f.more && f.err != nil {
		return f.err
	}
	if f.more {
		return fmt.Errorf("%s: rows of document %q, which documents does not have", f.path, f.doc(&f.row))
	}
	return nil
}
