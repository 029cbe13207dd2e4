package parquet

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"

	"github.com/commonplace/commonplace/bounded"
	"github.com/commonplace/commonplace/storage"
)

// ErrColumn marks a Parquet file without a column that is needed, or with one of
// another type.
var ErrColumn = errors.New("wrong columns")

// maxFooter is more than a table of a hundred thousand row groups needs.
const maxFooter = 64 << 20

// shardFile is an opened Parquet file whose footer makes sense.
type shardFile struct {
	path    string
	file    *watched
	parquet *parquet.File
	guard   *guard // nil for a file of ours
}

func (s *shardFile) close() error { return s.file.Close() }

// watched remembers whether reading failed. The Parquet library's errors do not
// tell a disk that fails from bytes that make no sense, and the user has to know:
// the one passes, the other has to be made again. It reads until its context ends.
type watched struct {
	ctx context.Context
	storage.ReadableFile
	failed error
}

func (w *watched) ReadAt(p []byte, at int64) (int, error) {
	err := w.ctx.Err()
	n := 0
	if err == nil {
		n, err = w.ReadableFile.ReadAt(p, at)
	}
	if err != nil && err != io.EOF && w.failed == nil {
		w.failed = err
	}
	return n, err
}

// broken is what is wrong with a file of which something could not be read.
func (w *watched) broken(path string, err error) error {
	if err != nil && w.failed != nil {
		return storage.Wrap("read", path, w.failed)
	}
	return damaged(path, err)
}

func damaged(path string, err error) error {
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	var over *bounded.Error
	if errors.Is(err, storage.ErrDamaged) || errors.Is(err, ErrColumn) {
		return err
	}
	if errors.As(err, &over) {
		return fmt.Errorf("%s: %w", path, err)
	}
	return fmt.Errorf("%s: %w: %w", path, storage.ErrDamaged, err)
}

// missingColumn is [ErrColumn]: a file lacks a column that is asked for.
type missingColumn struct{ path, column string }

func (e *missingColumn) Error() string {
	return fmt.Sprintf("%s: %v: it has no column %s", e.path, ErrColumn, e.column)
}

func (e *missingColumn) Unwrap() error { return ErrColumn }

// remedied adds to an error of a damaged file what a user does about it, if anything.
func remedied(err error, remedy string) error {
	if remedy == "" || !errors.Is(err, storage.ErrDamaged) && !errors.Is(err, ErrColumn) {
		return err
	}
	var missing *missingColumn
	if errors.As(err, &missing) { // a table of ours has all its columns, so this one is of a release that did not know it
		return fmt.Errorf("%s: %w: it has no column %s; the next build makes tables of an earlier release again; for a damaged one, %s", missing.path, storage.ErrFormat, missing.column, remedy)
	}
	return fmt.Errorf("%w; %s", err, remedy)
}

// rescue turns a panic of the Parquet library over broken bytes into an error.
func rescue(path string, err *error) {
	if r := recover(); r != nil {
		*err = damaged(path, fmt.Errorf("%v", r))
	}
}

// foreign says that another tool wrote the file.
func (s *shardFile) foreign() bool {
	return !strings.HasPrefix(s.parquet.Metadata().CreatedBy, createdBy)
}

// openShard reads the footer alone.
func openShard(ctx context.Context, files storage.FileSystem, path string) (*shardFile, error) {
	return openShardAs(ctx, files, path, path)
}

// openGuarded opens what anybody may have written.
func openGuarded(ctx context.Context, files storage.FileSystem, path string, l bounded.Limits) (*shardFile, error) {
	s, err := openWith(ctx, files, path, path, maxForeignFooter)
	if err != nil {
		return nil, err
	}
	s.guard = newGuard(s.file.Size(), l)
	if err := s.guard.rows(s.parquet.NumRows()); err != nil {
		s.close()
		return nil, damaged(path, err)
	}
	return s, nil
}

// openShardAs gives the file another name in errors.
func openShardAs(ctx context.Context, files storage.FileSystem, path, name string) (s *shardFile, err error) {
	s, err = openWith(ctx, files, path, name, maxFooter)
	if err == nil && s.foreign() {
		s.guard = newGuard(s.file.Size(), bounded.Limits{})
	}
	return s, err
}

// openWith refuses a footer that is longer than most.
func openWith(ctx context.Context, files storage.FileSystem, path, name string, most int64) (s *shardFile, err error) {
	opened, err := files.Open(ctx, path)
	if errors.Is(err, fs.ErrNotExist) {
		var inner *fs.PathError
		if errors.As(err, &inner) {
			err = inner.Err
		}
		return nil, fmt.Errorf("open %s: %w", name, err)
	}
	if err != nil {
		return nil, storage.Wrap("open", name, err)
	}
	file := &watched{ctx: ctx, ReadableFile: opened}
	path = name
	defer func() {
		if err != nil {
			file.Close()
			err = file.broken(path, err)
		}
	}()
	defer rescue(path, &err)
	footer, err := footerOf(file)
	if err != nil {
		return nil, damaged(path, err)
	}
	if int64(len(footer)) > most {
		return nil, fmt.Errorf("%s: %w: its footer has %d bytes, more than %d; write it with fewer row groups", path, storage.ErrDamaged, len(footer), most)
	}
	f, err := parquet.OpenFile(file, file.Size(),
		parquet.SkipPageIndex(true), // not needed to read from the start, and only one more thing to be broken
		parquet.SkipBloomFilters(true),
		parquet.ReadBufferSize(16<<10))
	if err != nil {
		return nil, damaged(path, err)
	}
	if err := checkRowGroups(f); err != nil {
		return nil, damaged(path, err)
	}
	return &shardFile{path: path, file: file, parquet: f}, nil
}

// footerOf is the footer, when magic bytes, its length and every length in it
// make sense.
func footerOf(file storage.ReadableFile) ([]byte, error) {
	size := file.Size()
	if size < 12 {
		return nil, fmt.Errorf("it has %d bytes", size)
	}
	var head [4]byte
	var tail [8]byte
	if _, err := file.ReadAt(head[:], 0); err != nil {
		return nil, err
	}
	if _, err := file.ReadAt(tail[:], size-8); err != nil && err != io.EOF {
		return nil, err
	}
	if string(head[:]) != "PAR1" {
		return nil, errors.New("it does not begin with PAR1")
	}
	if string(tail[4:]) != "PAR1" {
		return nil, errors.New("it does not end with PAR1")
	}
	n := int64(binary.LittleEndian.Uint32(tail[:4]))
	if n > size-12 || n > maxFooter {
		return nil, fmt.Errorf("it says that its footer has %d bytes", n)
	}
	footer := make([]byte, n)
	if _, err := file.ReadAt(footer, size-8-n); err != nil {
		return nil, err
	}
	w := thriftWalk{b: footer}
	if err := w.structure(0, 0); err != nil {
		return nil, fmt.Errorf("its footer: %w", err)
	}
	depth, err := depthOf(footer)
	if err != nil {
		return nil, fmt.Errorf("its footer: %w", err)
	}
	if depth > parquet.MaxColumnDepth {
		return nil, fmt.Errorf("its footer has columns that stand %d deep in one another, more than %d", depth, parquet.MaxColumnDepth)
	}
	return footer, nil
}

// depthOf is how deep the columns of a footer stand in one another. The Parquet library
// follows them before it counts.
func depthOf(footer []byte) (int, error) {
	var meta struct {
		Schema []struct {
			Children int32 `thrift:"5,optional"`
		} `thrift:"2"`
	}
	if err := thrift.Unmarshal(&thrift.CompactProtocol{}, footer, &meta); err != nil {
		return 0, err
	}
	deepest, missing := 0, []int32{} // of each group around the column the columns that are to come
	for _, column := range meta.Schema {
		for len(missing) > 0 && missing[len(missing)-1] == 0 {
			missing = missing[:len(missing)-1]
		}
		if deepest = max(deepest, len(missing)); len(missing) > 0 {
			missing[len(missing)-1]--
		}
		if column.Children > 0 {
			missing = append(missing, column.Children)
		}
	}
	return deepest, nil
}

// checkRowGroups compares what the footer says of the pages with the file's size.
func checkRowGroups(f *parquet.File) error {
	leaves := int64(len(f.Schema().Columns()))
	rows := int64(0)
	for i, g := range f.Metadata().RowGroups {
		if int64(len(g.Columns)) != leaves || g.NumRows < 0 {
			return fmt.Errorf("row group %d has %d columns and %d rows", i, len(g.Columns), g.NumRows)
		}
		rows += g.NumRows
		for _, c := range g.Columns {
			m := c.MetaData
			begin := m.DataPageOffset
			if m.DictionaryPageOffset > 0 {
				begin = min(begin, m.DictionaryPageOffset)
			}
			if begin < 4 || m.TotalCompressedSize < 0 || m.TotalUncompressedSize < 0 || m.NumValues < 0 ||
				begin > f.Size()-8 || m.TotalCompressedSize > f.Size()-8-begin {
				return fmt.Errorf("row group %d: column %s lies outside the file", i, dotted(m.PathInSchema))
			}
		}
	}
	if rows != f.NumRows() {
		return fmt.Errorf("its row groups have %d rows, its footer says %d", rows, f.NumRows())
	}
	return nil
}
