package commonplace

import (
	"reflect"
	"testing"
)

// A column comes before a field of the same name, and a field may have several values. Of
// authors, all count.
func TestFieldsNamed(t *testing.T) {
	d := &Document{Author: "A", Date: "1850", Metadata: []Field{{"author", "A"}, {"author", "B"}, {"author", "B"}, {"date", "2010"}, {"term", "x"}, {"term", ""}, {"term", "y"}, {"volume", "3"}}}
	got := d.FieldsNamed([]string{"volume", "term", "author", "date", "title", "nothing"})
	if want := []Field{{"volume", "3"}, {"term", "x"}, {"term", "y"}, {"author", "A"}, {"author", "B"}, {"date", "1850"}}; !reflect.DeepEqual(got, want) {
		t.Errorf("%v", got)
	}
}

// Every column that describes a document can be asked for.
func TestDescribing(t *testing.T) {
	d := &Document{ID: "doc_id", Source: "source", Title: "title", Author: "author", Genre: "genre", Date: "date", Language: "language", Rights: "rights", URL: "url"}
	for _, name := range Describing {
		if got := d.column(name); got != name {
			t.Errorf("%s is %q", name, got)
		}
	}
}

// One common value is enough, whether a record had the values as a list or one by one.
func TestAgree(t *testing.T) {
	of := func(values ...string) *Document {
		d := &Document{Author: "A"}
		for _, v := range values {
			d.Metadata = append(d.Metadata, Field{"term", v}, Field{"author", v})
		}
		return d
	}
	for _, c := range []struct {
		a, b *Document
		name string
		want bool
	}{
		{of("mills", "proverbs"), of("proverbs"), "term", true},
		{of("mills", "proverbs"), of("oil"), "term", false},
		{of("oil"), of(`["mills","oil"]`), "term", true},
		{of(`["mills","oil"]`), of(`["oil","caf\u00e9"]`), "term", true},
		{of(`["café"]`), of(`["oil","caf\u00e9"]`), "term", true},
		{of("[]"), of("[]"), "term", false},
		{of(""), of(""), "term", false},
		{of("[7]"), of("[7]"), "term", true},
		{of(), of(), "term", false},
		{of(), of(), "author", true},
		{of("B"), &Document{Author: "B"}, "author", true},
	} {
		if c.a.Agree(c.b, c.name) != c.want || c.b.Agree(c.a, c.name) != c.want {
			t.Errorf("%s of %v and %v: not %v", c.name, c.a.Metadata, c.b.Metadata, c.want)
		}
	}
}
