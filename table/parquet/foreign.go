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

// WithOthers makes the reader give every other column to a field of the row: the list of
// struct of that name, whose fields are a name and a value. Lists, structs and maps are
// compact JSON. Only bytes of no known type are left out. The columns
// come in the order of the file; null is left out. Columns that [Schema.OpenForeign] reads are
// given too if their names are not written in small letters.
// Of a file of ours it reads that column itself.
func (r *Reader[T]) WithOthers(s *Schema[T], list string) error {
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
		read := func(c *columnReader) bool { return c.name == at.Name() }
		if slices.ContainsFunc(r.columns, read) && at.Name() == strings.ToLower(at.Name()) {
			continue
		}
		plain := at.Leaf() && !at.Repeated()
		if n, ok := newNested(at); ok && !plain {
			o.columns = append(o.columns, otherColumn{name: at.Name(), leaves: n.leaves, nested: n})
		} else if l := otherLeaf(at); plain && l != nil {
			o.columns = append(o.columns, otherColumn{name: at.Name(), leaves: []*leaf{l}})
		}
	}
	r.others = o
	return nil
}

// Nested are the names of the columns among the others that hold lists, structs or maps.
func (r *Reader[T]) Nested() []string {
	var names []string
	if r.others != nil {
		for _, c := range r.others.columns {
			if c.nested != nil {
				names = append(names, c.name)
			}
		}
	}
	return names
}

// otherLeaf reads a column of plain values; nil if they are none.
func otherLeaf(at *parquet.Column) *leaf {
	for _, kind := range []reflect.Kind{reflect.String, reflect.Int64, reflect.Float64, reflect.Bool} {
		if l, ok := newLeaf(at, kind); ok && fits(at, kind, l) {
			return l
		}
	}
	write, _ := plainText(at)
	if write == nil {
		return nil
	}
	l := &leaf{kind: reflect.String, index: at.Index(), text: write}
	l.shape = levels{at.MaxRepetitionLevel(), at.MaxDefinitionLevel()}
	return l
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
	field   int // the list in the row
	columns []otherColumn
}

type otherColumn struct {
	name   string
	leaves []*leaf // one, or all of nested
	nested *nested // nil: plain values
}

func (o *otherColumns) open(s *shardFile, group int) error {
	if o == nil {
		return nil
	}
	for _, c := range o.columns {
		if c.nested != nil {
			c.nested.guard = s.guard
		}
		for _, l := range c.leaves {
			l.guard = s.guard
			if err := l.open(s, group, l.index); err != nil {
				return err
			}
		}
	}
	return nil
}

func (o *otherColumns) close() {
	if o == nil {
		return
	}
	for _, c := range o.columns {
		for _, l := range c.leaves {
			l.close()
		}
	}
}

// read sets the list from the columns' next values.
func (o *otherColumns) read(row reflect.Value) error {
	if o == nil {
		return nil
	}
	field := row.Field(o.field)
	list := reflect.MakeSlice(field.Type(), 0, len(o.columns))
	for _, c := range o.columns {
		text, there, err := c.next()
		if err != nil {
			return err
		}
		if there {
			entry := reflect.New(field.Type().Elem()).Elem()
			entry.Field(0).SetString(c.name)
			entry.Field(1).SetString(text)
			list = reflect.Append(list, entry)
		}
	}
	field.Set(list)
	return nil
}

// next is the column's next value as text, if there is one.
func (c otherColumn) next() (text string, there bool, err error) {
	if c.nested != nil {
		text, err = c.nested.next()
		return text, text != "", err
	}
	l := c.leaves[0]
	v, err := l.next()
	if err == nil && v == nil {
		err = fmt.Errorf("column %s: %w", l.cursor.column, errFewer)
	}
	if err != nil || v.IsNull() {
		return "", false, err
	}
	value := reflect.New(kinds[l.kind]).Elem()
	if err := l.set(value, v); err != nil {
		return "", false, err
	}
	return textOf(value, v.Kind() == parquet.Float), true, nil
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
