package parquet

import (
	"context"
	"fmt"
	"reflect"
	"strings"

	"github.com/commonplace/commonplace/bounded"
)

// Alias is a column of text under the names that it may have in the files of
// other tools: the first that is there is read.
type Alias struct {
	Column   string
	Names    []string
	Required bool
}

// OpenForeign opens any Parquet file that has some of the schema's columns, which
// are texts, under their own names or others. The file is checked against limits: what is
// over one is a [bounded.Error]. Other errors are those of [Schema.Open].
func (s *Schema[T]) OpenForeign(ctx context.Context, path string, columns []Alias, l bounded.Limits) (*Reader[T], error) {
	if s.err != nil {
		return nil, s.err
	}
	shard, err := openGuarded(ctx, s.files, path, l)
	if err != nil {
		return nil, err
	}
	r := &Reader[T]{shard: shard}
	for _, a := range columns {
		cr, err := s.aliased(shard, a)
		if err != nil && a.Required {
			shard.close()
			return nil, err
		}
		if err == nil {
			r.columns = append(r.columns, cr)
		}
	}
	return r, nil
}

// aliased finds one of our columns under one of several names.
func (s *Schema[T]) aliased(shard *shardFile, a Alias) (*columnReader, error) {
	var c column
	for _, known := range s.columns {
		if known.name == a.Column && known.kind == reflect.String && !known.list {
			c = known
		}
	}
	for _, name := range a.Names {
		if shard.parquet.Root().Column(name) != nil {
			c.name = name
			return newColumnReader(shard, &c)
		}
	}
	return nil, fmt.Errorf("%s: %w: it has no column %s (text)", shard.path, ErrColumn, strings.Join(a.Names, " or "))
}
