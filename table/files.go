package table

import (
	"context"
	"iter"

	"github.com/commonplace/commonplace/table/parquet"
)

// Files of rows as the package parquet has them, by the names that stages use.
type (
	// Schema describes the files of a table. It opens and writes them.
	Schema[T any] = parquet.Schema[T]
	// Reader reads the rows of one shard in order.
	Reader[T any] = parquet.Reader[T]
	// Writer writes one shard of a table.
	Writer[T any] = parquet.Writer[T]
	// Column is one column of a table.
	Column = parquet.Column
	// ShardRecord says what a shard holds.
	ShardRecord = parquet.ShardRecord
)

// ErrColumn marks a Parquet file without a column that is needed, or with one of
// another type.
var ErrColumn = parquet.ErrColumn

// Values yields one column of a shard and reads no other. V is the column's Go
// type: string, int64, float64 or bool.
func Values[V string | int64 | float64 | bool, T any](ctx context.Context, t *Table[T], path, name string) iter.Seq2[V, error] {
	return parquet.Values[V](ctx, t.Schema, path, name)
}
