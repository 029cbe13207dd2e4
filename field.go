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
