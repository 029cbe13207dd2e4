package export

import (
	"bytes"
	"context"
	"fmt"
	"iter"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/table"
)

// beside reads a shard of documents and one of rows that are sorted by documents, and
// gives each document with its rows. Documents without rows are passed over.
func beside[T any](ctx context.Context, documents *table.Table[commonplace.Document], at string, of *table.Table[T], rowsAt string, id func(*T) string, do func(*commonplace.Document, []T) error) error {
	next, stop := iter.Pull2(documents.Rows(ctx, at))
	defer stop()
	var rows []T
	flush := func() error {
		if len(rows) == 0 {
			return nil
		}
		want := id(&rows[0])
		for {
			doc, err, more := next()
			switch {
			case err != nil:
				return err
			case !more || doc.ID > want:
				return fmt.Errorf("%s: %w: no document %s: run `commonplace verify`", at, errChanged, want)
			case doc.ID == want:
				err := do(&doc, rows)
				rows = nil
				return err
			}
		}
	}
	for row, err := range of.Rows(ctx, rowsAt) {
		if err == nil {
			err = ctx.Err()
		}
		if err == nil && len(rows) > 0 && id(&rows[0]) != id(&row) {
			err = flush()
		}
		if err != nil {
			return err
		}
		rows = append(rows, row)
	}
	return flush()
}

// cursor finds documents that are asked for in the order of shards and ids.
type cursor struct {
	documents *table.Table[commonplace.Document]
	paths     []string
	shard     int
	next      func() (commonplace.Document, error, bool)
	end       func()
}

func newCursor(documents *table.Table[commonplace.Document], paths []string) *cursor {
	return &cursor{documents: documents, paths: paths, shard: -1}
}

func (c *cursor) stop() {
	if c.end != nil {
		c.end()
	}
}

func (c *cursor) find(ctx context.Context, shard int, id string) (*commonplace.Document, error) {
	if shard != c.shard {
		c.stop()
		c.shard = shard
		c.next, c.end = iter.Pull2(c.documents.Rows(ctx, c.paths[shard]))
	}
	for {
		doc, err, more := c.next()
		if err != nil {
			return nil, err
		}
		if !more || doc.ID > id {
			return nil, fmt.Errorf("%s: %w: no document %s: run `commonplace verify`", c.paths[shard], errChanged, id)
		}
		if doc.ID == id {
			return &doc, nil
		}
	}
}

// cutZero is what stands before a zero byte, and what behind.
func cutZero(b []byte) (string, []byte) {
	before, after, _ := bytes.Cut(b, []byte{0})
	return string(before), after
}
