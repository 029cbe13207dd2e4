package commonplace

import (
	"reflect"
	"testing"
)

// A column comes before a field of the same name, and a field may have several values.
func TestFieldsNamed(t *testing.T) {
	d := &Document{Author: "A", Metadata: []Field{{"author", "B"}, {"term", "x"}, {"term", ""}, {"term", "y"}, {"volume", "3"}}}
	got := d.FieldsNamed([]string{"volume", "term", "author", "title", "nothing"})
	if want := []Field{{"volume", "3"}, {"term", "x"}, {"term", "y"}, {"author", "A"}}; !reflect.DeepEqual(got, want) {
		t.Errorf("%v", got)
	}
	if d.Field("term") != "x" || d.Field("author") != "A" || d.Field("title") != "" {
		t.Errorf("%q %q %q", d.Field("term"), d.Field("author"), d.Field("title"))
	}
}
