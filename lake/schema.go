package lake

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/commonplace/commonplace/table"
)

// schema is one schema of the table. Fields keep their ids in later schemas.
type schema struct {
	Type   string  `json:"type"`
	ID     int     `json:"schema-id"`
	Fields []field `json:"fields"`
}

type field struct {
	ID       int      `json:"id"`
	Name     string   `json:"name"`
	Required bool     `json:"required"`
	Type     typeName `json:"type"`
	Doc      string   `json:"doc,omitempty"`
}

// typeName is a type: the name of a plain one, or else a list or a struct.
type typeName struct {
	plain  string
	nested *nestedType
}

type nestedType struct {
	Type            string    `json:"type"`
	ElementID       int       `json:"element-id,omitempty"`
	Element         *typeName `json:"element,omitempty"`
	ElementRequired *bool     `json:"element-required,omitempty"`
	Fields          []field   `json:"fields,omitempty"`
}

func (t typeName) MarshalJSON() ([]byte, error) {
	if t.nested != nil {
		return json.Marshal(t.nested)
	}
	return json.Marshal(t.plain)
}

func (t *typeName) UnmarshalJSON(raw []byte) error {
	if strings.HasPrefix(string(raw), `"`) {
		return json.Unmarshal(raw, &t.plain)
	}
	t.nested = &nestedType{}
	return json.Unmarshal(raw, t.nested)
}

// plainTypes are Iceberg's names of the types of columns.
var plainTypes = map[string]string{"string": "string", "int64": "long", "float64": "double", "bool": "boolean"}

// fieldIDs gives each path of a column, such as reasons.element.effect, one id for good.
type fieldIDs struct {
	known map[string]int
	types map[string]string
	last  int
}

// idsOf are the ids that the schemas of a table have given.
func idsOf(m *metadata) *fieldIDs {
	ids := &fieldIDs{known: map[string]int{}, types: map[string]string{}}
	if m == nil {
		return ids
	}
	ids.last = m.LastColumn
	for _, s := range m.Schemas {
		ids.learn("", s.Fields)
	}
	return ids
}

func (ids *fieldIDs) learn(above string, fields []field) {
	for _, f := range fields {
		path := above + f.Name
		ids.known[path], ids.types[path] = f.ID, f.Type.kind()
		if n := f.Type.nested; n != nil && n.Element != nil {
			ids.known[path+".element"], ids.types[path+".element"] = n.ElementID, n.Element.kind()
			if n.Element.nested != nil {
				ids.learn(path+".element.", n.Element.nested.Fields)
			}
		}
	}
}

func (t typeName) kind() string {
	if t.nested != nil {
		return t.nested.Type
	}
	return t.plain
}

// of is the id of a path. It says if an earlier schema had the path.
func (ids *fieldIDs) of(path, kind string) (id int, earlier bool, err error) {
	if was, ok := ids.known[path]; ok {
		if ids.types[path] != kind {
			return 0, true, fmt.Errorf("%w: the column %s was %s and is now %s; publish into a new folder", ErrForeign, path, ids.types[path], kind)
		}
		return was, true, nil
	}
	ids.last++
	ids.known[path], ids.types[path] = ids.last, kind
	return ids.last, false, nil
}

// fieldsOf are the columns of a table as fields of Iceberg. A column that earlier
// snapshots do not have is optional.
func fieldsOf(columns []table.Column, above string, ids *fieldIDs, first bool) ([]field, error) {
	var fields []field
	for _, c := range columns {
		f, err := fieldOf(c, above+c.Name, ids, first)
		if err != nil {
			return nil, err
		}
		fields = append(fields, f)
	}
	return fields, nil
}

func fieldOf(c table.Column, path string, ids *fieldIDs, first bool) (field, error) {
	kind, nullable := strings.CutSuffix(c.Type, " or null")
	element, list := strings.CutPrefix(kind, "list of ")
	t := typeName{plain: plainTypes[element]}
	if element == "struct" {
		t = typeName{nested: &nestedType{Type: "struct"}}
	} else if t.plain == "" {
		return field{}, fmt.Errorf("column %s: Iceberg has no type for %s", path, c.Type)
	}
	f := field{Name: c.Name, Doc: c.Doc, Type: t}
	outer := t.kind()
	if list {
		outer = "list"
	}
	id, earlier, err := ids.of(path, outer)
	if err != nil {
		return field{}, err
	}
	f.ID, f.Required = id, !nullable && (first || earlier)
	if !list {
		return f, nil
	}
	required := true
	elementID, _, err := ids.of(path+".element", t.kind())
	if err != nil {
		return field{}, err
	}
	if t.nested != nil {
		if t.nested.Fields, err = fieldsOf(c.Fields, path+".element.", ids, first); err != nil {
			return field{}, err
		}
	}
	f.Type = typeName{nested: &nestedType{Type: "list", ElementID: elementID, Element: &t, ElementRequired: &required}}
	return f, nil
}

// mapped is an entry of the name mapping: the shards' columns have names and no ids.
type mapped struct {
	ID     int      `json:"field-id"`
	Names  []string `json:"names"`
	Fields []mapped `json:"fields,omitempty"`
}

// mappingOf names the fields of all schemas of a table: files of earlier snapshots may
// have columns that the newest schema has not.
func mappingOf(schemas []schema) []mapped {
	var all []mapped
	for _, s := range schemas {
		all = mergeMapping(all, s.Fields)
	}
	return all
}

func mergeMapping(all []mapped, fields []field) []mapped {
	for _, f := range fields {
		at := -1
		for i := range all {
			if all[i].ID == f.ID {
				at = i
			}
		}
		if at < 0 {
			all, at = append(all, mapped{ID: f.ID, Names: []string{f.Name}}), len(all)
		}
		if n := f.Type.nested; n != nil && n.Element != nil {
			all[at].Fields = mergeMapping(all[at].Fields, []field{{ID: n.ElementID, Name: "element", Type: *n.Element}})
		} else if n != nil {
			all[at].Fields = mergeMapping(all[at].Fields, n.Fields)
		}
	}
	return all
}
