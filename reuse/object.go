package reuse

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/commonplace/commonplace"
)

// object is a JSON object whose members stay in the order in which they are added. The
// first value of a name counts.
type object struct {
	b     bytes.Buffer
	names map[string]bool
}

func (o *object) add(name string, value any) {
	if o.names[name] {
		return
	}
	if o.names == nil {
		o.names = map[string]bool{}
		o.b.WriteByte('{')
	} else {
		o.b.WriteByte(',')
	}
	o.names[name] = true
	o.value(name)
	o.b.WriteByte(':')
	o.value(value)
}

func (o *object) value(v any) {
	e := json.NewEncoder(&o.b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // strings, numbers, lists of them and checked JSON
	}
	o.b.Truncate(o.b.Len() - 1) // the encoder ends with a line
}

// fields adds a document's fields, with a suffix for the other side of a pair.
func (o *object) fields(fields []commonplace.Field, suffix string) {
	for _, f := range fields {
		o.add(f.Name+suffix, fieldValue(f.Value))
	}
}

func (o *object) line() []byte {
	if o.names == nil {
		o.b.WriteByte('{')
	}
	o.b.WriteString("}\n")
	return o.b.Bytes()
}

// fieldValue gives lists and objects back as JSON, as the record had them; all else is text.
func fieldValue(value string) any {
	if strings.HasPrefix(value, "[") || strings.HasPrefix(value, "{") {
		if json.Valid([]byte(value)) {
			return json.RawMessage(value)
		}
	}
	return value
}

// Fields are what is passed on of a document beside its id and text: the columns that its
// record gave, and its metadata. A name that has several values, such as the keywords of a
// TEI header, has them as a list.
func Fields(d *commonplace.Document) []commonplace.Field {
	language := d.Language
	if !strings.HasPrefix(d.LanguageReason, "source") {
		language = "" // ours, not the record's
	}
	var fields []commonplace.Field
	for _, f := range []commonplace.Field{
		{Name: "title", Value: d.Title}, {Name: "author", Value: d.Author}, {Name: "date", Value: d.Date},
		{Name: "genre", Value: d.Genre}, {Name: "language", Value: language}, {Name: "rights", Value: d.Rights},
	} {
		if f.Value != "" {
			fields = append(fields, f)
		}
	}
	for i := 0; i < len(d.Metadata); {
		f, values := d.Metadata[i], []string{}
		for ; i < len(d.Metadata) && d.Metadata[i].Name == f.Name; i++ {
			values = append(values, d.Metadata[i].Value)
		}
		if len(values) > 1 {
			f.Value = listOf(values)
		}
		fields = append(fields, f)
	}
	return fields
}

// listOf is a list as a record of JSON has it.
func listOf(values []string) string {
	var o object
	o.value(values)
	return o.b.String()
}
