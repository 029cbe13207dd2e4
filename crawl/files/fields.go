package files

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	commonplace "github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/bounded"
)

// maxFields is more than any record of a library has. Without a limit a line of
// tiny members would take several times its length.
const maxFields = 1000

// others gathers the fields of records that no column of ours holds.
type others struct {
	fields []commonplace.Field
}

func (o *others) add(name, value string) {
	if len(o.fields) > maxFields { // one more says that there are too many
		return
	}
	o.fields = append(o.fields, commonplace.Field{Name: name, Value: value})
}

// addJSON adds a member of a JSON object. Null says nothing and is no field.
func (o *others) addJSON(name string, raw json.RawMessage) {
	if text, ok := jsonText(raw, true); ok {
		if string(raw) != "null" {
			o.add(name, text)
		}
		return
	}
	var compact bytes.Buffer
	if json.Compact(&compact, raw) == nil { // it is valid
		o.add(name, compact.String())
	}
}

// addAll adds the fields that the member metadata holds: an object's members, or a
// list of names and values, as the table documents has them.
func (o *others) addAll(raw json.RawMessage, l bounded.Limits) {
	var list []commonplace.Field
	unnamed := func(f commonplace.Field) bool { return f.Name == "" }
	if json.Unmarshal(raw, &list) == nil && !slices.ContainsFunc(list, unnamed) {
		for _, f := range list {
			o.add(f.Name, f.Value)
		}
		return
	}
	if bounded.Object(raw, l, o.addJSON) != nil {
		o.addJSON("metadata", raw)
	}
}

// Flattened are the fields that the member metadata of a JSON object holds.
func Flattened(raw json.RawMessage, l bounded.Limits) []commonplace.Field {
	var o others
	o.addAll(raw, l)
	return o.fields
}

// sorted are the fields in the order of their names, or why there are too many.
func (o *others) sorted() ([]commonplace.Field, string) {
	if len(o.fields) > maxFields {
		return nil, fmt.Sprintf("the record has more than %d fields of its own", maxFields)
	}
	commonplace.SortFields(o.fields)
	return o.fields, ""
}
