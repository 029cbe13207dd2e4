package files

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/bounded"
)

// MetadataFields are what a file beside the documents may say in a column of its own.
// What other fields say goes to documents.metadata.
var MetadataFields = []string{"id", "title", "author", "date", "language", "rights", "genre"}

// Metadata is what is said of one document, by the fields' names.
type Metadata map[string]string

// ReadMetadata reads what files say of documents, a JSON object a line, by the
// documents' ids. columns name the files' own fields; a field that holds true
// stands for its name, so that genre can be read of a field fiction. A later line
// or file adds to what an earlier one says, and prevails. The first line that
// cannot be understood is the error: half of it would pass for all.
func ReadMetadata(ctx context.Context, path string, columns map[string]string, l bounded.Limits, to map[string]Metadata) error {
	var failed error
	refuse := func(line int, reason, detail string) {
		if failed == nil {
			failed = fmt.Errorf("%s, line %d: %s: %s", path, line, reason, detail)
		}
	}
	_, err := eachObject(ctx, path, nil, l, func(line int, object fields) {
		m := Metadata{}
		used := []string{"id", "doc_id"}
		for _, key := range MetadataFields {
			name := key
			if _, own := object[columns[key]]; own { // one file of several may have it under the usual name
				name = columns[key]
			}
			if key == "id" && len(object[name]) == 0 {
				name = "doc_id"
			}
			used = append(used, key, name)
			raw := object[name]
			value, ok := jsonText(raw, true)
			switch {
			case string(raw) == "true":
				value = name
			case string(raw) == "false":
			case !ok:
				refuse(line, ReasonWrongType, "the field "+name+" is of the wrong type")
			}
			if value = strings.TrimSpace(value); value != "" {
				m[key] = value
			}
		}
		for _, name := range slices.Sorted(maps.Keys(object)) { // as in the documents' own records
			field, value := describingField(name), saidIn(object[name])
			if slices.Contains(MetadataFields, field) && !slices.Contains(used, name) && m[field] == "" && value != "" {
				m[field] = value
			}
		}
		id := m["id"]
		if id == "" {
			refuse(line, ReasonNoID, "the field "+cmp.Or(columns["id"], "id")+" is missing or empty")
			return
		}
		delete(m, "id")
		var own others
		for name, raw := range object {
			if !slices.Contains(used, name) {
				own.addJSON(name, raw)
			}
		}
		if _, detail := own.sorted(); detail != "" {
			refuse(line, ReasonLimit, detail)
		}
		for _, f := range own.fields {
			m[f.Name] = f.Value
		}
		if to[id] == nil {
			to[id] = Metadata{}
		}
		for key, value := range m {
			to[id][key] = value
		}
	}, refuse)
	if err != nil {
		return err
	}
	return failed
}

// Apply gives a document what the files say of it.
func (m Metadata) Apply(doc *commonplace.Document) {
	for field, at := range map[string]*string{"title": &doc.Title, "author": &doc.Author, "date": &doc.Date, "language": &doc.Language, "rights": &doc.Rights, "genre": &doc.Genre} {
		*at = cmp.Or(m[field], *at)
	}
	for _, name := range slices.Sorted(maps.Keys(m)) {
		if slices.Contains(MetadataFields, name) {
			continue
		}
		doc.Metadata = slices.DeleteFunc(doc.Metadata, func(f commonplace.Field) bool { return f.Name == name })
		doc.Metadata = append(doc.Metadata, commonplace.Field{Name: name, Value: m[name]})
	}
	commonplace.SortFields(doc.Metadata)
}

// String is all of it in one order, to be hashed.
func (m Metadata) String() string {
	var b strings.Builder
	for _, field := range slices.Sorted(maps.Keys(m)) {
		fmt.Fprintf(&b, "%s: %q\n", field, m[field])
	}
	return b.String()
}
