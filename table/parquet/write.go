package parquet

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"

	"github.com/commonplace/commonplace/storage"
)

const (
	rowGroupBytes = 8 << 20   // of values before compression: what a writer holds
	batchBytes    = 256 << 10 // handed to the Parquet library at once
	batchRows     = 64
)

// maxValue is the largest value that a row may have in one column: a Parquet page
// ends at 2 GB and holds at least one row. A variable for the tests.
var maxValue = 1 << 30

// createdBy is the application in the footers of our own files.
const createdBy = "commonplace"

// Writer writes one shard of a table. It is for one goroutine.
type Writer[T any] struct {
	ctx     context.Context
	schema  *Schema[T]
	file    *storage.AtomicFile
	parquet *parquet.GenericWriter[T]
	batch   []T
	last    T // key of the row before
	rows    int64
	bytes   int64
	waiting int // bytes in batch
	group   int // bytes in the row group
	revised bool
	err     error
}

// CreateFile begins a file of the table under any name, such as those that
// other programs expect.
func (s *Schema[T]) CreateFile(ctx context.Context, path string) (*Writer[T], error) {
	if s.err != nil {
		return nil, s.err
	}
	file, err := storage.Create(ctx, s.files, path)
	if err != nil {
		return nil, err
	}
	file.Sum = sha256.New()
	return &Writer[T]{ctx: ctx, schema: s, file: file}, nil
}

// begin makes what rows go through.
func (w *Writer[T]) begin() {
	if w.parquet == nil {
		// A new library writer each time: one that was reset writes other bytes for
		// the same rows. Its large parts, encoders and page buffers, are pooled anyway.
		w.parquet = parquet.NewGenericWriter[T](w.file, w.schema.writerOptions()...)
		w.batch = make([]T, 0, batchRows)
	}
}

func (s *Schema[T]) writerOptions() []parquet.WriterOption {
	var sorting []parquet.SortingColumn
	for _, i := range s.order {
		sorting = append(sorting, parquet.Ascending(s.columns[i].name))
	}
	options := append(s.layout(), s.schema, parquet.SortingWriterConfig(parquet.SortingColumns(sorting...)))
	for key, value := range s.metadata {
		options = append(options, parquet.KeyValueMetadata(key, value))
	}
	for i, c := range s.columns {
		if (c.kind == reflect.String || c.fields != nil || c.list) && !slices.Contains(s.order, i) {
			for _, path := range s.schema.Columns() {
				if path[0] == c.name {
					options = append(options, parquet.SkipPageBounds(path...))
				}
			}
		}
	}
	return options
}

// layout says how columns are laid out in files.
func (s *Schema[T]) layout() []parquet.WriterOption {
	return []parquet.WriterOption{
		parquet.Compression(codec),
		// The encoding that every reader knows; after zstd the newer ones gain nothing.
		parquet.DefaultEncodingFor(parquet.ByteArray, &parquet.Plain),
		// Without the program's version: the bytes depend on the rows alone.
		parquet.CreatedBy(createdBy, "1", "table"),
		parquet.PageBufferSize(batchBytes),
		parquet.DataPageVersion(2),
		// Least and greatest values go into the footer alone, and only of what
		// one looks for: the library would write whole texts into both.
		parquet.DataPageStatistics(false),
	}
}

// Write adds a row. Rows must come in the order of the table's key, each key
// once; a row out of order, a second row of a key, or text that is not UTF-8 is an error that
// names it, and the shard can only be aborted after it. The row's lists must
// not change until Close.
func (w *Writer[T]) Write(row T) error {
	if w.err == nil && w.revised {
		w.err = fmt.Errorf("table %s: a shard is revised as a whole", w.schema.Name)
	}
	if w.err != nil {
		return w.err
	}
	w.begin()
	if w.err = w.check(&row); w.err != nil {
		return w.err
	}
	w.batch = append(w.batch, row)
	w.rows++
	if w.waiting >= batchBytes || len(w.batch) == batchRows {
		w.err = w.flush()
	}
	return w.err
}

// check looks at order and encoding and counts bytes.
func (w *Writer[T]) check(row *T) error {
	s := w.schema
	v, last := reflect.ValueOf(row).Elem(), reflect.ValueOf(&w.last).Elem()
	if w.rows > 0 {
		switch c := compare(s.columns, s.order, last, v); {
		case c > 0:
			return fmt.Errorf("table %s: row (%s) came after (%s): rows must be sorted", s.Name, keyOf(s.columns, s.order, v), keyOf(s.columns, s.order, last))
		case c == 0 && !s.Duplicates:
			return fmt.Errorf("table %s: two rows have the key (%s)", s.Name, keyOf(s.columns, s.order, v))
		}
	}
	s.CopyKey(&w.last, row)
	for _, c := range s.columns {
		n, ok := measure(c, v.Field(c.field))
		if !ok {
			return fmt.Errorf("table %s: row (%s): column %s is not UTF-8", s.Name, keyOf(s.columns, s.order, v), c.name)
		}
		if n > maxValue {
			return fmt.Errorf("table %s: row (%s): column %s has %d bytes and a table takes %d: reject the row", s.Name, keyOf(s.columns, s.order, v), c.name, n, maxValue)
		}
		w.waiting += n
		w.bytes += int64(n)
	}
	return nil
}

// Rows is the number of rows that were written.
func (w *Writer[T]) Rows() int64 { return w.rows }

// Bytes is the size of their values before compression.
func (w *Writer[T]) Bytes() int64 { return w.bytes }

// measure is the number of bytes of a value before compression; ok is false
// where a string in it is not UTF-8.
func measure(c column, v reflect.Value) (n int, ok bool) {
	switch {
	case c.fields != nil && !c.list:
		for _, f := range c.fields {
			m, ok := measure(f, v.Field(f.field))
			if !ok {
				return 0, false
			}
			n += m
		}
		return n, true
	case c.fields != nil:
		for i := range v.Len() {
			for _, f := range c.fields {
				m, ok := measure(f, v.Index(i).Field(f.field))
				if !ok {
					return 0, false
				}
				n += m
			}
		}
		return n, true
	case c.kind != reflect.String:
		return 8, true
	case c.null && v.IsNil():
		return 0, true
	case c.null:
		s := v.Elem().String()
		return len(s) + 4, utf8.ValidString(s)
	case c.list:
		for i := range v.Len() {
			s := v.Index(i).String()
			if !utf8.ValidString(s) {
				return 0, false
			}
			n += len(s) + 4
		}
		return n, true
	default:
		s := v.String()
		return len(s) + 4, utf8.ValidString(s)
	}
}

func (w *Writer[T]) flush() error {
	if len(w.batch) == 0 {
		return nil
	}
	_, err := w.parquet.Write(w.batch)
	clear(w.batch)
	w.batch = w.batch[:0]
	w.group += w.waiting
	w.waiting = 0
	if err == nil && w.group >= rowGroupBytes {
		w.group = 0
		err = w.parquet.Flush()
	}
	return err
}

// ShardRecord says what a shard holds. Fingerprint is of the task that wrote
// it, and is for the caller of [Writer.Close] to set.
type ShardRecord struct {
	File        string `json:"file"`
	Rows        int64  `json:"rows"`
	Bytes       int64  `json:"bytes"`
	SHA256      string `json:"sha256"`
	Fingerprint string `json:"fingerprint,omitempty"`
}

// Close finishes the shard and makes it visible: close, sync, open again and
// count, rename, sync the folder. On an error the shard is not there (or still
// the old one), and the error is [storage.ErrRefused] unless an earlier Write failed.
func (w *Writer[T]) Close() (ShardRecord, error) {
	if w.err == nil {
		w.err = w.flush()
	}
	if w.err == nil && !w.revised {
		w.begin() // a shard without rows is one, too
		w.err = w.parquet.Close()
	}
	if w.err != nil {
		w.Abort()
		return ShardRecord{}, w.err
	}
	w.err = w.file.Commit(func(path string) error {
		shard, err := openShardAs(w.ctx, w.schema.files, path, w.file.Path)
		if err != nil {
			return storage.Wrap("read back", w.file.Path, err)
		}
		defer shard.close()
		if n := shard.parquet.NumRows(); n != w.rows {
			return storage.Wrap("read back", w.file.Path, fmt.Errorf("wrote %d rows, found %d", w.rows, n))
		}
		return nil
	})
	if w.err != nil {
		return ShardRecord{}, w.err
	}
	w.parquet, w.err = nil, errClosed
	return ShardRecord{File: filepath.Base(w.file.Path), Rows: w.rows, Bytes: w.file.Size, SHA256: w.file.SHA256()}, nil
}

// Abort discards the shard. After Close it does nothing, so it can be deferred.
func (w *Writer[T]) Abort() {
	if w.file.Closed {
		return
	}
	w.file.Abort()
	if w.err == nil {
		w.err = errClosed
	}
	w.parquet = nil
}

var errClosed = errors.New("table: the writer is closed")
