package parquet

import (
	"errors"
	"fmt"
	"math"
	"reflect"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// columnReader sets one field of the rows from one column of a file, however
// that file stores it.
type columnReader struct {
	*column
	leaves []*leaf // one, or one for each field of a list of struct
}

// leaf is a column of plain values in the file.
type leaf struct {
	cursor
	kind     reflect.Kind // wanted
	index    int          // among the file's leaf columns
	field    int          // of the list's struct
	present  int          // definition level from which an element of the list is there
	unsigned bool
	last     string // rows in sequence often hold the same string: share it
	guard    *guard // of a file of another tool; nil: ours

	text func(*parquet.Value) string // writes values of another type as text; nil: they are texts
}

// newColumnReader finds a column by its name and sees whether its type will do.
func newColumnReader(s *shardFile, c *column) (_ *columnReader, err error) {
	defer rescue(s.path, &err)
	root := s.parquet.Root().Column(c.name)
	if root == nil {
		return nil, &missingColumn{s.path, fmt.Sprintf("%s (%s)", c.name, c.typeName())}
	}
	fail := func(at *parquet.Column) error {
		return fmt.Errorf("%s: %w: column %s should be %s and is %s", s.path, ErrColumn, c.name, c.typeName(), at)
	}
	r := &columnReader{column: c}
	if root.Optional() != c.null && !s.foreign() {
		// Our columns are nullable where the row type says so. A flipped bit that says
		// otherwise would turn every value into null without another sign.
		return nil, damaged(s.path, fmt.Errorf("column %s says that it is nullable: %v", c.name, root.Optional()))
	}
	if !c.list {
		if !root.Leaf() || root.MaxRepetitionLevel() > 0 {
			return nil, fail(root)
		}
		l, ok := newLeaf(root, c.kind)
		if !ok {
			return nil, fail(root)
		}
		r.leaves = []*leaf{l}
		return r, nil
	}
	// Other tools name the inner levels of a list otherwise, and differ in what
	// may be null: what counts is that one level repeats.
	element, present, repeats := root, 0, 0
	for {
		if element.Repeated() {
			repeats++
		}
		if repeats == 0 && element.Optional() {
			present++
		}
		if element.Leaf() || repeats > 0 && len(element.Columns()) != 1 {
			break
		}
		if len(element.Columns()) != 1 {
			return nil, fail(root)
		}
		element = element.Columns()[0]
	}
	present++ // the repeated level itself
	fields := c.fields
	if fields == nil {
		fields = []column{{kind: c.kind}}
	}
	for _, f := range fields {
		at := element
		if c.fields != nil {
			at = element.Column(f.name)
		}
		if at == nil {
			return nil, &missingColumn{s.path, fmt.Sprintf("%s.%s (%s)", c.name, f.name, f.typeName())}
		}
		if at.Optional() && !s.foreign() {
			return nil, damaged(s.path, fmt.Errorf("column %s.%s says that it is nullable", c.name, f.name))
		}
		l, ok := newLeaf(at, f.kind)
		if !ok || at.MaxRepetitionLevel() != 1 {
			return nil, fail(root)
		}
		l.field, l.present = f.field, present
		r.leaves = append(r.leaves, l)
	}
	return r, nil
}

// newLeaf tells whether values of the file's column can become the wanted kind
// without loss of sense.
func newLeaf(c *parquet.Column, kind reflect.Kind) (*leaf, bool) {
	if !c.Leaf() {
		return nil, false
	}
	l := &leaf{kind: kind, index: c.Index()}
	l.shape = levels{c.MaxRepetitionLevel(), c.MaxDefinitionLevel()}
	stored := c.Type().Kind()
	logical := c.Type().LogicalType()
	switch kind {
	case reflect.String:
		plain := logical == nil || logical.Value == nil
		if !plain {
			_, plain = logical.Value.(*format.StringType)
		}
		return l, stored == parquet.ByteArray && plain
	case reflect.Int64:
		if logical != nil && logical.Value != nil {
			t, ok := logical.Value.(*format.IntType)
			if !ok {
				return nil, false // a date, a time, a decimal
			}
			l.unsigned = !t.IsSigned
		}
		return l, stored == parquet.Int64 || stored == parquet.Int32
	case reflect.Float64:
		return l, stored == parquet.Double || stored == parquet.Float
	default:
		return l, stored == parquet.Boolean
	}
}

func (r *columnReader) open(s *shardFile, group int) error {
	for _, l := range r.leaves {
		l.guard = s.guard
		if err := l.open(s, group, l.index); err != nil {
			return err
		}
	}
	return nil
}

func (r *columnReader) close() {
	for _, l := range r.leaves {
		l.close()
	}
}

var errFewer = errors.New("fewer values than rows")

// read sets the field from the column's next row.
func (r *columnReader) read(field reflect.Value) error {
	if !r.list {
		l := r.leaves[0]
		v, err := l.next()
		if err == nil && v == nil {
			err = fmt.Errorf("column %s: %w", l.cursor.column, errFewer)
		}
		if err != nil {
			return err
		}
		return l.set(field, v)
	}
	var list reflect.Value
	for i, l := range r.leaves {
		n := 0
		for {
			v, err := l.peek()
			if err == nil && v == nil && n == 0 {
				err = fmt.Errorf("column %s: %w", l.cursor.column, errFewer)
			}
			if err != nil {
				return err
			}
			if v == nil || n > 0 && v.RepetitionLevel() == 0 {
				break
			}
			l.at++
			if n == 0 && v.DefinitionLevel() < l.present {
				break // the list is empty or null
			}
			if i == 0 {
				if n == 0 {
					list = reflect.MakeSlice(field.Type(), 0, 4)
				}
				if err := l.guard.make(int(field.Type().Elem().Size())); err != nil {
					return err
				}
				list = reflect.Append(list, reflect.Zero(field.Type().Elem()))
			}
			if !list.IsValid() || n >= list.Len() {
				return fmt.Errorf("column %s: its fields have lists of different lengths", r.name)
			}
			at := list.Index(n)
			if r.fields != nil {
				at = at.Field(l.field)
			}
			if err := l.set(at, v); err != nil {
				return err
			}
			n++
		}
		if list.IsValid() && n != list.Len() {
			return fmt.Errorf("column %s: its fields have lists of different lengths", r.name)
		}
	}
	if list.IsValid() {
		field.Set(list)
	} else {
		field.SetZero()
	}
	return nil
}

// set copies a value; null becomes zero, and nil where the field is a pointer.
func (l *leaf) set(field reflect.Value, v *parquet.Value) error {
	if v.IsNull() {
		field.SetZero()
		return nil
	}
	if field.Kind() == reflect.Pointer {
		field.Set(reflect.New(field.Type().Elem()))
		field = field.Elem()
	}
	if l.text != nil {
		field.SetString(l.text(v))
		return nil
	}
	switch l.kind {
	case reflect.String:
		b, count := v.ByteArray(), l.guard.again
		same := string(b) == l.last // the comparison copies nothing
		if !same {
			count = l.guard.make
		}
		if err := count(len(b)); err != nil {
			return err
		}
		if !same {
			l.last = string(b)
		}
		field.SetString(l.last)
	case reflect.Int64:
		switch {
		case v.Kind() == parquet.Int64:
			if l.unsigned && v.Int64() < 0 {
				return fmt.Errorf("column %s: %d is too large", l.cursor.column, v.Uint64())
			}
			field.SetInt(v.Int64())
		case l.unsigned:
			field.SetInt(int64(v.Uint32()))
		default:
			field.SetInt(int64(v.Int32()))
		}
	case reflect.Float64:
		f := 0.0
		if v.Kind() == parquet.Float {
			f = float64(v.Float())
		} else {
			f = v.Double()
		}
		if math.IsNaN(f) {
			f = math.NaN() // one bit pattern
		}
		field.SetFloat(f)
	default:
		field.SetBool(v.Boolean())
	}
	return nil
}
