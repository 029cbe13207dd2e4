package pipelines

import (
	"fmt"
	"iter"

	"github.com/commonplace/commonplace/table"
)

// follower hands out the rows of a sorted shard document by document, beside
// another table of the same documents in the same order.
type follower[T any] struct {
	path string
	doc  func(*T) string
	next func() (T, error, bool)
	stop func()
	row  T
	err  error
	more bool
}

// follow opens a shard; doc gives a row's document.
func follow[T any](tab *table.Table[T], path string, doc func(*T) string, columns ...string) *follower[T] {
	return followRows(path, tab.Rows(path, columns...), doc)
}

// followRows is for sorted rows from elsewhere; path is where, for errors.
func followRows[T any](path string, rows iter.Seq2[T, error], doc func(*T) string) *follower[T] {
	f := &follower[T]{path: path, doc: doc}
	f.next, f.stop = iter.Pull2(rows)
	f.advance()
	return f
}

func (f *follower[T]) advance() { f.row, f.err, f.more = f.next() }

// of returns the rows of a document, which may be none. Documents must be asked
// for in order; rows of a document that was not asked for are an error, since
// they would be lost.
func (f *follower[T]) of(docID string) ([]T, error) {
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

// each walks all documents that have rows.
func (f *follower[T]) each(do func(docID string, rows []T) error) error {
	for f.more {
		if f.err != nil {
			return f.err
		}
		docID := f.doc(&f.row)
		rows, err := f.of(docID)
		if err != nil {
			return err
		}
		if err := do(docID, rows); err != nil {
			return err
		}
	}
	return nil
}

// end checks that nothing is left over, and closes the shard.
func (f *follower[T]) end() error {
	defer f.stop()
	if f.more && f.err != nil {
		return f.err
	}
	if f.more {
		return fmt.Errorf("%s: rows of document %q, which documents does not have", f.path, f.doc(&f.row))
	}
	return nil
}
