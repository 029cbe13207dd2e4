package lake

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// Every column of the rankings has Iceberg's type, is required unless it may be null, and
// is named in the mapping, because the shards have no ids.
func TestSchemaOfRankings(t *testing.T) {
	ids := idsOf(nil)
	fields, err := fieldsOf(table.Rankings.Describe().Columns, "", ids, true)
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]string{}
	for _, f := range fields {
		kinds[f.Name] = string(storage.MustJSON(f.Type))
		if nullable := f.Name == "best_begin" || f.Name == "best_end" || f.Name == "best_score"; f.Required == nullable {
			t.Errorf("%s: required is %v", f.Name, f.Required)
		}
	}
	for name, want := range map[string]string{"passage_id": `"string"`, "rank_overall": `"long"`, "percentile": `"double"`, "best_score": `"double"`} {
		if kinds[name] != want {
			t.Errorf("%s is %s, want %s", name, kinds[name], want)
		}
	}
	if reasons := kinds["reasons"]; !strings.HasPrefix(reasons, `{"type":"list","element-id":18,"element":{"type":"struct","fields":[{"id":19,"name":"feature","required":true,"type":"string"`) {
		t.Errorf("reasons is %s", reasons)
	}
	mapping := string(storage.MustJSON(mappingOf([]schema{{Fields: fields}})))
	for _, want := range []string{`{"field-id":1,"names":["passage_id"]}`,
		`{"field-id":17,"names":["reasons"],"fields":[{"field-id":18,"names":["element"],"fields":[{"field-id":19,"names":["feature"]},{"field-id":20,"names":["effect"]}]}]}`} {
		if !strings.Contains(mapping, want) {
			t.Errorf("the mapping lacks %s: %s", want, mapping)
		}
	}
	if ids.last != 20 {
		t.Errorf("the last id is %d", ids.last)
	}
}

// Iceberg has a type for every column of every table.
func TestSchemaOfAllTables(t *testing.T) {
	for _, d := range table.All() {
		if _, err := fieldsOf(d.Describe().Columns, "", idsOf(nil), true); err != nil {
			t.Errorf("%s: %v", d.Describe().Name, err)
		}
	}
}

// A later release's columns: one that stays keeps its id, one that is new may be missing
// in earlier files, and the mapping has those that are gone. Another type is refused.
func TestLaterSchema(t *testing.T) {
	columns := func(types ...string) (list []table.Column) {
		for i := 0; i < len(types); i += 2 {
			list = append(list, table.Column{Name: types[i], Type: types[i+1]})
		}
		return list
	}
	ids := idsOf(nil)
	fields, err := fieldsOf(columns("id", "string", "gone", "bool", "names", "list of string"), "", ids, true)
	if err != nil {
		t.Fatal(err)
	}
	was := &metadata{LastColumn: ids.last, Schemas: []schema{{Type: "struct", Fields: fields}}}
	var again metadata // as it is read
	if err := json.Unmarshal(storage.MustJSON(was), &again); err != nil {
		t.Fatal(err)
	}
	ids = idsOf(&again)
	later, err := fieldsOf(columns("id", "string", "new", "int64", "names", "list of string"), "", ids, false)
	if err != nil {
		t.Fatal(err)
	}
	if f := later[0]; f.ID != 1 || !f.Required {
		t.Errorf("id: %+v", f)
	}
	if f := later[1]; f.ID != 5 || f.Required {
		t.Errorf("new: %+v", f)
	}
	if f := later[2]; f.ID != 3 || f.Type.nested.ElementID != 4 {
		t.Errorf("names: %+v", f)
	}
	if n := len(mappingOf([]schema{{Fields: fields}, {Fields: later}})); n != 4 {
		t.Errorf("the mapping has %d columns, want 4", n)
	}
	if _, err := fieldsOf(columns("id", "int64"), "", idsOf(&again), false); !errors.Is(err, ErrForeign) {
		t.Errorf("another type: %v", err)
	}
	if _, err := fieldsOf(columns("id", "date"), "", idsOf(nil), true); err == nil {
		t.Error("a type without a name in Iceberg is accepted")
	}
}
