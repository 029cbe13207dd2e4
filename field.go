package commonplace

import (
	"cmp"
	"encoding/json"
	"iter"
	"slices"
	"strings"
)

// Field is one field of a record that no other column of ours holds, such as a
// series, a volume or a shelf mark, as text.
type Field struct {
	Name  string `parquet:"name" json:"name" doc:"the field's name, as the record has it"`
	Value string `parquet:"value" json:"value" doc:"a string as it is; a number, true or false as it is written; a list or an object as compact JSON"`
}

// SortFields puts fields in the order of their names. Those of one name keep theirs.
func SortFields(fields []Field) {
	slices.SortStableFunc(fields, func(a, b Field) int { return cmp.Compare(a.Name, b.Name) })
}

// FieldValue is the first value of a name, empty where there is none.
func FieldValue(fields []Field, name string) string {
	for _, f := range fields {
		if f.Name == name {
			return f.Value
		}
	}
	return ""
}

// Describing are the columns that describe a document.
var Describing = []string{"doc_id", "source", "title", "author", "genre", "date", "language", "rights", "url"}

// column is one of [Describing].
func (d *Document) column(name string) string {
	switch name {
	case "doc_id":
		return d.ID
	case "source":
		return d.Source
	case "title":
		return d.Title
	case "author":
		return d.Author
	case "genre":
		return d.Genre
	case "date":
		return d.Date
	case "language":
		return d.Language
	case "rights":
		return d.Rights
	case "url":
		return d.URL
	}
	return ""
}

// Values are what a document says under a name: the column that describes it, or, if that
// is empty or there is none, such fields of its metadata that have a value. A document has
// one title and one date, but may have several authors. The column has the first of them, so
// those of the metadata follow it.
func (d *Document) Values(name string) iter.Seq[string] {
	return func(yield func(string) bool) {
		value := d.column(name)
		if value != "" && (!yield(value) || name != "author") {
			return
		}
		for _, f := range d.Metadata {
			if f.Name == name && f.Value != "" && f.Value != value && !yield(f.Value) {
				return
			}
		}
	}
}

// Agree says that two documents have a value of a name in common. Each element of a list
// is a value.
func (d *Document) Agree(other *Document, name string) bool {
	for a := range d.Values(name) {
		for b := range other.Values(name) {
			if common(a, b) {
				return true
			}
		}
	}
	return false
}

func common(a, b string) bool {
	if a[0] != '[' && b[0] != '[' {
		return a == b
	}
	in := orOne(Listed(b), b)
	return slices.ContainsFunc(orOne(Listed(a), a), func(s string) bool { return s != "" && slices.Contains(in, s) })
}

// orOne is a list, or the one value that is none.
func orOne(list []string, value string) []string {
	if list == nil {
		return []string{value}
	}
	return list
}

// Listed are the elements of a field's value that is a list of strings, as JSON; nil if it is
// anything else. A record may have had the same characters as a text: a value does not say.
func Listed(value string) []string {
	if !strings.HasPrefix(value, `["`) && value != "[]" {
		return nil
	}
	var elements []*string
	if json.Unmarshal([]byte(value), &elements) != nil {
		return nil
	}
	list := make([]string, len(elements))
	for i, e := range elements {
		if e == nil {
			return nil
		}
		list[i] = *e
	}
	return list
}

// FieldsNamed are those of a document that have a value, of these names, in their order.
// A field that has several values is there as often.
func (d *Document) FieldsNamed(names []string) []Field {
	var fields []Field
	for _, name := range names {
		for value := range d.Values(name) {
			if f := (Field{name, value}); !slices.Contains(fields, f) {
				fields = append(fields, f)
			}
		}
	}
	return fields
}
