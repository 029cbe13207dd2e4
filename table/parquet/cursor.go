package parquet

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// cursor goes over the values of one leaf column of one row group, one page in
// memory at a time.
type cursor struct {
	column string
	pages  parquet.Pages
	page   parquet.Page
	values parquet.ValueReader
	buffer []parquet.Value // they point into the page
	at     int
	shape  levels
	let    func() // the open pages are let go; nil: nobody counts them
}

const cursorValues = 64

// next is the column's next value, or nil after the last. What it points to
// stays until the next call.
func (c *cursor) next() (*parquet.Value, error) {
	v, err := c.peek()
	if v != nil {
		c.at++
	}
	return v, err
}

func (c *cursor) peek() (*parquet.Value, error) {
	for c.at >= len(c.buffer) {
		if c.values == nil {
			page, err := c.pages.ReadPage()
			if errors.Is(err, io.EOF) {
				return nil, nil
			}
			if err != nil {
				return nil, fmt.Errorf("column %s: %w", c.column, err)
			}
			c.page, c.values = page, page.Values()
		}
		if c.buffer == nil {
			c.buffer = make([]parquet.Value, cursorValues)
		}
		n, err := c.values.ReadValues(c.buffer[:cursorValues])
		c.buffer, c.at = c.buffer[:n], 0
		if err != nil && err != io.EOF {
			return nil, fmt.Errorf("column %s: %w", c.column, err)
		}
		if n == 0 {
			parquet.Release(c.page)
			c.page, c.values = nil, nil
		}
	}
	return &c.buffer[c.at], nil
}

// open moves the cursor to another row group's chunk of the column.
func (c *cursor) open(s *shardFile, group, place int) error {
	c.close()
	meta := &s.parquet.Metadata().RowGroups[group].Columns[place].MetaData
	c.column = dotted(meta.PathInSchema)
	if meta.Codec == format.Lz4Raw {
		// The library's decoder doubles its buffer for as long as the bytes make
		// no sense, until the memory is gone: one flipped bit would do.
		return fmt.Errorf("%s: %w: column %s is compressed with LZ4_RAW, which is not read; write it with zstd, snappy or gzip", s.path, ErrColumn, c.column)
	}
	chunk := s.parquet.RowGroups()[group].ColumnChunks()[place]
	if kind := chunk.Type().Kind(); kind != parquet.Kind(meta.Type) {
		return fmt.Errorf("column %s: its schema says %s, its pages hold %s", c.column, kind, meta.Type)
	}
	if err := eachPage(s.file, meta, nil); err != nil {
		return fmt.Errorf("column %s: %w", c.column, err)
	}
	if s.guard != nil {
		open, err := s.guard.chunk(s.file, meta, c.shape)
		if err != nil {
			return err
		}
		c.let = func() { s.guard.open.Let(open) }
	}
	c.pages = chunk.Pages()
	return nil
}

func (c *cursor) close() {
	c.buffer, c.at = c.buffer[:0], 0
	if c.page != nil {
		parquet.Release(c.page)
		c.page, c.values = nil, nil
	}
	if c.pages != nil {
		c.pages.Close()
		c.pages = nil
	}
	if c.let != nil {
		c.let()
		c.let = nil
	}
}

func dotted(path []string) string { return strings.Join(path, ".") }
