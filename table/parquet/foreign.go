package parquet

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/parquet-go/parquet-go"

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

// WithOthers makes the reader give every other column of plain values to a field of
// the row: the list of struct of that name, whose fields are a name and a value. They
// come in the order of the file; null is left out. known are the columns that [Schema.OpenForeign]
// reads; others of their names are given too, and those that are not written in small letters.
// Of a file of ours it reads that column itself.
func (r *Reader[T]) WithOthers(s *Schema[T], list string, known []Alias) error {
	i := slices.IndexFunc(s.columns, func(c column) bool { return c.name == list })
	c := &s.columns[i]
	if !r.shard.foreign() {
		if r.shard.parquet.Root().Column(list) == nil { // written before there was one
			return nil
		}
		cr, err := newColumnReader(r.shard, c)
		if err == nil {
			r.columns = append(r.columns, cr)
		}
		return err
	}
	o := &otherColumns{field: c.field}
	for _, at := range r.shard.parquet.Root().Columns() {
		is := func(a Alias) bool { return a.in(r.shard.parquet.Root()) == at.Name() }
		if slices.ContainsFunc(known, is) && at.Name() == strings.ToLower(at.Name()) || at.MaxRepetitionLevel() > 0 {
			continue
		}
		for _, kind := range []reflect.Kind{reflect.String, reflect.Int64, reflect.Float64, reflect.Bool} {
			if l, ok := newLeaf(at, kind); ok && fits(at, kind, l) {
				o.names = append(o.names, at.Name())
				o.leaves = append(o.leaves, l)
				break
			} else if kind == reflect.String && at.Leaf() && dateText(at.Type()) != nil {
				l, _ := textLeaf(at)
				o.names = append(o.names, at.Name())
				o.leaves = append(o.leaves, l)
				break
			}
		}
	}
	r.others = o
	return nil
}

// fits says that every value of a column can be a plain one: bytes without a type may
// be no text, and unsigned numbers too large.
func fits(at *parquet.Column, kind reflect.Kind, l *leaf) bool {
	switch kind {
	case reflect.String:
		return at.Type().LogicalType() != nil
	case reflect.Int64:
		return !l.unsigned || at.Type().Kind() == parquet.Int32
	case reflect.Bool:
		return at.Type().Kind() == parquet.Boolean
	}
	return true
}

// otherColumns are columns that no field of the row is named for.
type otherColumns struct {
	field  int // the list in the row
	names  []string
	leaves []*leaf
}

func (o *otherColumns) open(s *shardFile, group int) error {
	if o == nil {
		return nil
	}
	for _, l := range o.leaves {
		l.guard = s.guard
		if err := l.open(s, group, l.index); err != nil {
			return err
		}
	}
	return nil
}

func (o *otherColumns) close() {
	if o == nil {
		return
	}
	for _, l := range o.leaves {
		l.close()
	}
}

// read sets the list from the columns' next values.
func (o *otherColumns) read(row reflect.Value) error {
	if o == nil {
		return nil
	}
	field := row.Field(o.field)
	list := reflect.MakeSlice(field.Type(), 0, len(o.leaves))
	for i, l := range o.leaves {
		v, err := l.next()
		if err == nil && v == nil {
			err = fmt.Errorf("column %s: %w", l.cursor.column, errFewer)
		}
		if err != nil {
			return err
		}
		if v.IsNull() {
			continue
		}
		value := reflect.New(kinds[l.kind]).Elem()
		if err := l.set(value, v); err != nil {
			return err
		}
		entry := reflect.New(field.Type().Elem()).Elem()
		entry.Field(0).SetString(o.names[i])
		entry.Field(1).SetString(textOf(value, v.Kind() == parquet.Float))
		list = reflect.Append(list, entry)
	}
	field.Set(list)
	return nil
}

// textOf is a value as text, a single float with the digits that it has.
func textOf(value reflect.Value, single bool) string {
	if single {
		return strconv.FormatFloat(value.Float(), 'g', -1, 32)
	}
	return fmt.Sprint(value.Interface())
}

// kinds are the Go types of plain values.
var kinds = map[reflect.Kind]reflect.Type{
	reflect.String: reflect.TypeFor[string](), reflect.Int64: reflect.TypeFor[int64](),
	reflect.Float64: reflect.TypeFor[float64](), reflect.Bool: reflect.TypeFor[bool](),
}

// in is the name under which a file has the column; empty if it has none.
func (a Alias) in(root *parquet.Column) string {
	for _, name := range a.Names {
		if root.Column(name) != nil {
			return name
		}
	}
	return ""
}

// aliased finds one of our columns under one of several names.
func (s *Schema[T]) aliased(shard *shardFile, a Alias) (*columnReader, error) {
	var c column
	for _, known := range s.columns {
		if known.name == a.Column && known.kind == reflect.String && !known.list {
			c = known
		}
	}
	if name := a.in(shard.parquet.Root()); name != "" {
		c.name = name
		r, err := newColumnReader(shard, &c)
		if at := shard.parquet.Root().Column(name); err != nil && at.MaxRepetitionLevel() == 0 {
			if l, ok := textLeaf(at); ok {
				return &columnReader{column: &c, leaves: []*leaf{l}}, nil
			}
		}
		return r, err
	}
	return nil, fmt.Errorf("%s: %w: it has no column %s (text)", shard.path, ErrColumn, strings.Join(a.Names, " or "))
}
