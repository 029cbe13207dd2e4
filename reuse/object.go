package reuse

import (
	"bytes"
	"encoding/json"
	"slices"
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

// fields adds a document's fields, with a suffix for the other side of a pair. Fields of one
// name are next to each other and make a list.
func (o *object) fields(fields []commonplace.Field, suffix string) {
	for len(fields) > 0 {
		name, n := fields[0].Name, 1
		for n < len(fields) && fields[n].Name == name {
			n++
		}
		if n == 1 {
			o.add(name+suffix, fieldValue(fields[0]))
		} else {
			values := make([]string, n)
			for i, f := range fields[:n] {
				values[i] = f.Value
			}
			o.add(name+suffix, values)
		}
		fields = fields[n:]
	}
}

func (o *object) line() []byte {
	if o.names == nil {
		o.b.WriteByte('{')
	}
	o.b.WriteString("}\n")
	return o.b.Bytes()
}

// fieldValue is a field's text, or the list that its record had. A value does not say which it
// was: [1900] may be a shelf mark. So lists are those of strings alone, and those of objects
// under the two names that passim gives them. What describes a document is always text.
func fieldValue(f commonplace.Field) any {
	switch {
	case slices.Contains(describing, f.Name):
	case commonplace.Listed(f.Value) != nil, (f.Name == "pages" || f.Name == "locs") && isObjects(f.Value):
		return json.RawMessage(f.Value)
	}
	return f.Value
}

// isObjects says that a value is a list of objects.
func isObjects(value string) bool {
	var objects []map[string]json.RawMessage
	return strings.HasPrefix(value, "[") && json.Unmarshal([]byte(value), &objects) == nil
}

// describing are the columns that a record can have given, in the order in which they are
// passed on.
var describing = []string{"title", "author", "date", "genre", "language", "rights"}

// Fields are what is passed on of a document beside its id and text: the columns that its
// record gave, and its metadata. A field that has several values, such as the keywords of a
// TEI header, is there as often.
func Fields(d *commonplace.Document) []commonplace.Field {
	given := *d
	if !strings.HasPrefix(d.LanguageReason, "source") {
		given.Language = "" // ours, not the record's
	}
	fields := given.FieldsNamed(describing)
	for _, f := range d.Metadata {
		if !slices.Contains(describing, f.Name) && !slices.Contains(fields, f) {
			fields = append(fields, f)
		}
	}
	return fields
}
