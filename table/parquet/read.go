package parquet

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"reflect"
	"slices"
)

// Reader reads the rows of one shard in order. It is for one goroutine.
type Reader[T any] struct {
	shard   *shardFile
	columns []*columnReader
	group   int    // next row group
	left    int64  // rows of the present one that were not read yet
	remedy  string // of a damaged file
	others  *otherColumns
	lacking []int // fields whose columns a file of another tool lacks
	err     error
}

// Open opens a shard, or any Parquet file with the table's columns: they are
// found by name, so other columns and another order do no harm. With column
// names only those are read and the other fields stay zero; places.kind is the field
// kind of the list places alone. A file without a
// column that is asked for is [ErrColumn], a broken one [ErrDamaged]; both name
// the file. Columns whose description says that other tools may leave them out
// are empty where the file of another tool has none.
func (s *Schema[T]) Open(ctx context.Context, path string, columns ...string) (*Reader[T], error) {
	if s.err != nil {
		return nil, s.err
	}
	shard, err := openShard(ctx, s.files, path)
	if err != nil {
		return nil, remedied(err, s.Remedy)
	}
	r := &Reader[T]{shard: shard, remedy: s.Remedy}
	wanted := slices.Clone(columns)
	for i := range s.columns {
		c := &s.columns[i]
		if len(columns) > 0 {
			if wanted, c = c.among(wanted); c == nil {
				continue
			}
		}
		if c.spare && shard.foreign() && shard.parquet.Root().Column(c.name) == nil {
			r.lacking = append(r.lacking, c.field)
			continue
		}
		cr, err := newColumnReader(shard, c)
		if err != nil {
			shard.close()
			return nil, remedied(err, s.Remedy)
		}
		r.columns = append(r.columns, cr)
	}
	if len(wanted) > 0 {
		shard.close()
		return nil, fmt.Errorf("table %s has no column %s", s.Name, wanted[0])
	}
	return r, nil
}

// NumRows is the number of rows that the footer promises; fewer in the pages are
// an error while reading.
func (r *Reader[T]) NumRows() int64 { return r.shard.parquet.NumRows() }

// Rows yields the rows that were not read yet. After an error it ends.
func (r *Reader[T]) Rows() iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for {
			var row T
			ok, err := r.Next(&row)
			if err != nil {
				yield(row, err)
				return
			}
			if !ok || !yield(row, nil) {
				return
			}
		}
	}
}

// Next sets row to the next one; false means that there is none. The strings of
// the row stay valid.
func (r *Reader[T]) Next(row *T) (bool, error) {
	return r.next(reflect.ValueOf(row).Elem())
}

func (r *Reader[T]) next(row reflect.Value) (ok bool, err error) {
	if r.err != nil {
		return false, r.err
	}
	defer func() {
		if err != nil {
			err = remedied(r.shard.file.broken(r.shard.path, err), r.remedy)
			r.err = err
		}
	}()
	defer rescue(r.shard.path, &err)
	for r.left == 0 {
		groups := r.shard.parquet.RowGroups()
		if r.group == len(groups) {
			return false, nil
		}
		for _, c := range r.columns {
			if err := c.open(r.shard, r.group); err != nil {
				return false, err
			}
		}
		if err := r.others.open(r.shard, r.group); err != nil {
			return false, err
		}
		r.left = groups[r.group].NumRows()
		r.group++
	}
	for _, c := range r.columns {
		if err := c.read(row.Field(c.field)); err != nil {
			return false, err
		}
	}
	if err := r.others.read(row); err != nil {
		return false, err
	}
	for _, field := range r.lacking {
		row.Field(field).SetZero()
	}
	r.left--
	return true, nil
}

// Close lets the file go.
func (r *Reader[T]) Close() error {
	for _, c := range r.columns {
		c.close()
	}
	r.others.close()
	if r.err == nil {
		r.err = errors.New("table: the reader is closed")
	}
	return r.shard.close()
}

// Rows yields all rows of a shard and closes it; see [Schema.Open].
func (s *Schema[T]) Rows(ctx context.Context, path string, columns ...string) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		r, err := s.Open(ctx, path, columns...)
		if err != nil {
			var none T
			yield(none, err)
			return
		}
		defer r.Close()
		r.Rows()(yield)
	}
}

// Values yields one column of a shard and reads no other. V is the column's Go
// type: string, int64, float64 or bool.
func Values[V string | int64 | float64 | bool, T any](ctx context.Context, s *Schema[T], path, name string) iter.Seq2[V, error] {
	return func(yield func(V, error) bool) {
		var none V
		n := slices.IndexFunc(s.columns, func(c column) bool { return c.name == name })
		if n < 0 || s.columns[n].list || s.columns[n].null || s.columns[n].kind != reflect.TypeFor[V]().Kind() {
			yield(none, fmt.Errorf("table %s has no column %s of type %T", s.Name, name, none))
			return
		}
		r, err := s.Open(ctx, path, name)
		if err != nil {
			yield(none, err)
			return
		}
		defer r.Close()
		var row T
		v := reflect.ValueOf(&row).Elem()
		field := v.Field(s.columns[n].field).Addr().Interface().(*V)
		for {
			ok, err := r.next(v)
			if err != nil {
				yield(none, err)
				return
			}
			if !ok || !yield(*field, nil) {
				return
			}
		}
	}
}
