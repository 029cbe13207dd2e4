package parquet

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"
)

// Column is one column of a file.
type Column struct {
	Name string
	Type string // string, int64, float64, bool, list of string, list of struct
	Doc  string
	// Fields are the columns of a list of struct.
	Fields []Column
	// Index is that of the field in the row type, or in the list's struct.
	Index int
}

// column is one field of a row type.
type column struct {
	name   string
	doc    string
	kind   reflect.Kind // of the value, or of the list's elements
	list   bool
	null   bool     // the field is a pointer, and nil is null
	field  int      // index in the struct
	fields []column // of the list's elements, when they are structs
	spare  bool     // files of other tools may lack it: its field is then empty
}

// dictionary names the columns that say the same thing again and again: they
// are stored as references into a small dictionary, which reads faster and
// takes no space.
var dictionary = map[string]bool{
	"source": true, "language": true, "rights": true, "frame_status": true, "encoding": true, "encoding_reason": true,
	"by": true, "kind": true, "split": true, "model": true, "model_sha256": true, "device": true, "precision": true,
	"stage": true, "reason": true, "doc_id": true, "source_id": true, "derived_id": true, "tags": true,
	"piece_tags": true, "label": true, "sampled_by": true, "verdict": true,
}

// columnsOf reads the tags of a row type. A field without a column, or of a type
// that no column can hold, is an error.
func columnsOf(t reflect.Type) (columns []column, err error) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("parquet"), ",")
		c := column{name: name, doc: f.Tag.Get("doc"), kind: f.Type.Kind(), field: i, spare: f.Tag.Get("foreign") == "may lack"}
		if name == "" || c.doc == "" {
			return nil, fmt.Errorf("%v.%s needs a parquet and a doc tag", t, f.Name)
		}
		if c.kind == reflect.Pointer {
			c.null, c.kind = true, f.Type.Elem().Kind()
		}
		if c.kind == reflect.Slice {
			c.list, c.kind = true, f.Type.Elem().Kind()
			if c.kind == reflect.Struct {
				c.fields, err = columnsOf(f.Type.Elem())
			}
		} else if c.kind == reflect.Struct {
			c.fields, err = columnsOf(f.Type)
		}
		if err != nil {
			return nil, err
		}
		if c.null && (c.list || c.fields != nil || c.kind == reflect.Slice) {
			return nil, fmt.Errorf("%v.%s: null is for plain values", t, f.Name)
		}
		switch c.kind {
		case reflect.String, reflect.Int64, reflect.Float64, reflect.Bool:
		case reflect.Struct:
			if !c.list || !slices.ContainsFunc(c.fields, func(f column) bool { return f.list }) {
				break // no lists in lists
			}
			fallthrough
		default:
			return nil, fmt.Errorf("%v.%s: no column holds a %v", t, f.Name, f.Type)
		}
		columns = append(columns, c)
	}
	return columns, nil
}

// among takes a column's name, or those of fields of its list, from names. It gives the
// column with the fields that are wanted, and nil where it is not.
func (c *column) among(names []string) (rest []string, wanted *column) {
	if n := slices.Index(names, c.name); n >= 0 {
		return slices.Delete(names, n, n+1), c
	}
	some := *c
	some.fields = slices.DeleteFunc(slices.Clone(c.fields), func(f column) bool { return !slices.Contains(names, c.name+"."+f.name) })
	if len(some.fields) == 0 {
		return names, nil
	}
	return slices.DeleteFunc(names, func(name string) bool {
		return slices.ContainsFunc(some.fields, func(f column) bool { return name == c.name+"."+f.name })
	}), &some
}

func (c column) typeName() string {
	name := c.kind.String()
	if c.list {
		name = "list of " + name
	}
	if c.null {
		name += " or null"
	}
	return name
}

func (c column) describe() Column {
	d := Column{Name: c.name, Type: c.typeName(), Doc: c.doc, Index: c.field}
	for _, f := range c.fields {
		d.Fields = append(d.Fields, f.describe())
	}
	return d
}

// schemaOf is the Parquet schema that the table is written with: columns in the
// order of the struct, nullable where its field is a pointer, lists in three levels.
func schemaOf[T any](name string, columns []column) *parquet.Schema {
	var options []parquet.SchemaOption
	for _, c := range columns {
		if dictionary[c.name] && !(c.name == "doc_id" && name == "documents") {
			tag := fmt.Sprintf("parquet:%q", c.name+",dict")
			if c.list {
				tag = fmt.Sprintf("parquet:%q parquet-element:%q", c.name+",list", ",dict")
			}
			options = append(options, parquet.StructTag(reflect.StructTag(tag), reflect.TypeFor[T]().Field(c.field).Name))
		}
	}
	var row T
	return parquet.NewSchema(name, parquet.SchemaOf(&row, options...))
}

// compare orders two rows by the given columns: strings by their bytes, numbers
// by size.
func compare(columns []column, order []int, a, b reflect.Value) int {
	for _, i := range order {
		f := columns[i].field
		x, y := a.Field(f), b.Field(f)
		var c int
		if columns[i].kind == reflect.String {
			c = strings.Compare(x.String(), y.String())
		} else {
			c = cmp.Compare(x.Int(), y.Int())
		}
		if c != 0 {
			return c
		}
	}
	return 0
}

// keyOf prints the columns that a row is sorted by: doc_id "1342", index 7.
func keyOf(columns []column, order []int, row reflect.Value) string {
	var b strings.Builder
	for n, i := range order {
		if n > 0 {
			b.WriteString(", ")
		}
		c := columns[i]
		if c.kind == reflect.String {
			fmt.Fprintf(&b, "%s %q", c.name, row.Field(c.field).String())
		} else {
			fmt.Fprintf(&b, "%s %d", c.name, row.Field(c.field).Int())
		}
	}
	return b.String()
}
