package export

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/commonplace/commonplace/table"
)

// features are a configuration's columns as Hugging Face datasets declares
// them: in the footers of its Parquet files, and in the card.
type features struct {
	columns []table.Column
	labels  map[string][]string // names of classes, by column
}

// json is what datasets reads in a Parquet footer under the key huggingface.
func (f features) json() string { return `{"info":{"features":` + f.object(f.columns) + `}}` }

func (f features) object(columns []table.Column) string {
	var parts []string
	for _, c := range columns {
		parts = append(parts, quoted(c.Name)+":"+f.value(c))
	}
	return "{" + strings.Join(parts, ",") + "}"
}

func (f features) value(c table.Column) string {
	element, list := elementOf(c)
	var v string
	switch names := f.labels[c.Name]; {
	case element == "struct" && list:
		return "[" + f.object(c.Fields) + "]"
	case element == "struct":
		return f.object(c.Fields)
	case names != nil:
		v = `{"names":` + quotedList(names) + `,"_type":"ClassLabel"}`
	default:
		v = `{"dtype":` + quoted(element) + `,"_type":"Value"}`
	}
	if list {
		v = `{"feature":` + v + `,"_type":"Sequence"}`
	}
	return v
}

// elementOf is the type of a column's values, or of the values of its lists. Every
// value of datasets may be null, so its names of types do not say it.
func elementOf(c table.Column) (element string, list bool) {
	return strings.CutPrefix(strings.TrimSuffix(c.Type, " or null"), "list of ")
}

// yaml is the same for dataset_info in the card, indented by so many spaces.
func (f features) yaml(indent int) string {
	var b strings.Builder
	f.list(&b, f.columns, strings.Repeat(" ", indent))
	return b.String()
}

func (f features) list(b *strings.Builder, columns []table.Column, in string) {
	for _, c := range columns {
		element, list := elementOf(c)
		fmt.Fprintf(b, "%s- name: %s\n", in, c.Name)
		names := f.labels[c.Name]
		switch {
		case element == "struct" && list:
			fmt.Fprintf(b, "%s  list:\n", in)
			f.list(b, c.Fields, in+"  ")
		case element == "struct":
			fmt.Fprintf(b, "%s  struct:\n", in)
			f.list(b, c.Fields, in+"  ")
		case names != nil && list:
			fmt.Fprintf(b, "%s  sequence:\n", in)
			classLabel(b, names, in+"    ")
		case names != nil:
			fmt.Fprintf(b, "%s  dtype:\n", in)
			classLabel(b, names, in+"    ")
		case list:
			fmt.Fprintf(b, "%s  sequence: %s\n", in, element)
		default:
			fmt.Fprintf(b, "%s  dtype: %s\n", in, element)
		}
	}
}

func classLabel(b *strings.Builder, names []string, in string) {
	fmt.Fprintf(b, "%sclass_label:\n%s  names:\n", in, in)
	for i, n := range names {
		fmt.Fprintf(b, "%s    '%d': %s\n", in, i, quoted(n))
	}
}

// quoted is a string as JSON and YAML both have it.
func quoted(s string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.Encode(s) // a string always encodes
	return strings.TrimSuffix(b.String(), "\n")
}

func quotedList(all []string) string {
	parts := make([]string, len(all))
	for i, s := range all {
		parts[i] = quoted(s)
	}
	return "[" + strings.Join(parts, ",") + "]"
}
