package commonplace

import (
	"cmp"
	"slices"
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

// column is one of the columns that describe a document.
func (d *Document) column(name string) string {
	return map[string]string{
		"doc_id": d.ID, "source": d.Source, "title": d.Title, "author": d.Author, "genre": d.Genre,
		"date": d.Date, "language": d.Language, "rights": d.Rights, "url": d.URL,
	}[name]
}

// Field is what a document says under a name: one of the columns that describe it, or,
// if that is empty or there is none, the first such field of its metadata.
func (d *Document) Field(name string) string {
	return cmp.Or(d.column(name), FieldValue(d.Metadata, name))
}

// FieldsNamed are those of a document that have a value, of these names, in their order.
// A field of its metadata that has several values is there as often.
func (d *Document) FieldsNamed(names []string) []Field {
	var fields []Field
	for _, name := range names {
		if value := d.column(name); value != "" {
			fields = append(fields, Field{name, value})
			continue
		}
		for _, f := range d.Metadata {
			if f.Name == name && f.Value != "" {
				fields = append(fields, f)
			}
		}
	}
	return fields
}
