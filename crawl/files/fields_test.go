package files

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/bounded"
)

// described lists the documents of a file as id, title, genre, text and metadata.
func described(t *testing.T, name, content string) []string {
	t.Helper()
	path := filepath.Join(folder(t, map[string]string{name: content}), name)
	var got []string
	for d, err := range Documents(context.Background(), newFile(path, name, 0), Options{}) {
		if r := commonplace.RejectOf(err); r != nil {
			got = append(got, r.ID+"!"+r.Reason)
			continue
		}
		got = append(got, fmt.Sprint(d.ID, "|", d.Title, "|", d.Genre, "|", d.Text, "|", d.Metadata, d.Pages))
	}
	return got
}

// A record's fields that have no column of ours are kept, whatever container it is in.
func TestFields(t *testing.T) {
	const passim = `{"id":"a","series":"s1","date":"1850-01-02","text":"one two","pages":[{"id":"p7","seq":7,"regions":[{"start":0,"length":3,"coords":{"x":1}}]},{"id":"p8","seq":8,"regions":[{"start":4,"length":3}]}]}`
	for _, c := range []struct {
		name, content string
		want          []string
	}{
		{"a.jsonl", `{"id":"a","text":"one","genre":"verse","volume":3,"series":"s\u00e9","ok":true,"none":null,"list":[1, "x"],"Text":"TWO"}`,
			[]string{`a||verse|one|[{Text TWO} {list [1,"x"]} {ok true} {series sé} {volume 3}] []`}},
		{"b.jsonl", `{"id":"a","text":"one","metadata":{"series":"s","n":1}}` + "\n" + `{"id":"b","text":"two","metadata":[{"name":"series","value":"t"}]}` + "\n" + `{"id":"c","text":"three","metadata":"words"}`,
			[]string{"a|||one|[{n 1} {series s}] []", "b|||two|[{series t}] []", "c|||three|[{metadata words}] []"}},
		{"passim.jsonl", passim, []string{`a|||one two|[{pages [{"id":"p7","seq":7,"regions":[{"start":0,"length":3,"coords":{"x":1}}]},{"id":"p8","seq":8,"regions":[{"start":4,"length":3}]}]} {series s1}] [{7 p7  0 3  } {8 p8  4 7  }]`}},
		{"behind.jsonl", strings.Replace(passim, `"start":4,"length":3`, `"start":5,"length":3`, 1), []string{`a|||one two|[{pages [{"id":"p7","seq":7,"regions":[{"start":0,"length":3,"coords":{"x":1}}]},{"id":"p8","seq":8,"regions":[{"start":5,"length":3}]}]} {series s1}] []`}},
		{"a.csv", "\ufeffid,title,text,volume,series\na,T,\"one,\n\"\"two\"\"\",3,\nb,,three,,s\n", []string{"a|T||one,\n\"two\"|[{volume 3}] []", "b|||three|[{series s}] []"}},
		{"a.tsv", "doc_id\ttext\tseries\na\tone, two\ts\n", []string{"a|||one, two|[{series s}] []"}},
		{"broken.csv", "id,text\na,one,more\nb,\"two\nc,three\n,four\na,five\na,six\n", []string{"!broken line", "!broken line", "!no id", "c|||three|[] []", "a|||five|[] []", "a!duplicate id"}},
		{"stray.csv", "id,text\na,5\" nails\nb,two\nc,6\" nails\nd,four\n", []string{"!broken line", "!broken line", "b|||two|[] []", "d|||four|[] []"}},
		{"list.jsonl", `{"id":"a","text":"one","metadata":[{"key":"series","value":"s"}]}`, []string{`a|||one|[{metadata [{"key":"series","value":"s"}]}] []`}},
		{"other.csv", "quote,author\na,b\n", []string{"!wrong columns"}},
		{"none.csv", "id,text\n", []string{"!empty"}},
		{"a.xml", `<TEI><teiHeader><fileDesc><titleStmt><title>T</title></titleStmt><publicationStmt><idno type="DLP">7</idno><p>By <b>us</b> all.</p></publicationStmt></fileDesc><revisionDesc><p>x</p></revisionDesc></teiHeader><text><body><p>one</p></body></text></TEI>`,
			[]string{"a|T||one|[{b us} {idno:DLP 7} {p By} {p all.} {title T}] []"}},
		{"many.jsonl", `{"id":"a","text":"one"` + strings.Repeat(`,"x":1`, maxFields+1) + "}", []string{"a!over the limit"}},
	} {
		if got := described(t, c.name, c.content); !slices.Equal(got, c.want) {
			t.Errorf("%s: got\n%q, want\n%q", c.name, got, c.want)
		}
	}
}

// What a file beside the documents says prevails, also of fields without a column.
func TestMetadataFields(t *testing.T) {
	dir := folder(t, map[string]string{"m.jsonl": `{"id":"a","title":"New","series":"t","fiction":true,"year":1850}` + "\n" + `{"id":"a","series":"u"}`})
	said := map[string]Metadata{}
	if err := ReadMetadata(t.Context(), filepath.Join(dir, "m.jsonl"), map[string]string{"genre": "fiction"}, bounded.Limits{}, said); err != nil {
		t.Fatal(err)
	}
	doc := commonplace.Document{ID: "a", Title: "Old", Metadata: []commonplace.Field{{Name: "series", Value: "s"}, {Name: "volume", Value: "3"}}}
	said["a"].Apply(&doc)
	if got, want := fmt.Sprint(doc.Title, doc.Genre, doc.Metadata), "Newfiction[{series u} {volume 3} {year 1850}]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// Whatever the table: each record is a document or a reject.
func FuzzCSVList(f *testing.F) {
	f.Add([]byte("id,text\na,A\nb,\"B\n"))
	f.Add([]byte("\ufefftext,doc_id,text\n\n,,\n\xff,1,\"\"\"\"\r\n"))
	f.Fuzz(func(t *testing.T, content []byte) {
		wholeDocuments(t, "x.csv", content, strings.Count(string(content), "\n")+2)
	})
}

// What describes a document may be a number, and a table's header may have it as Date or DATE. An id
// beside doc_id is a field like others.
func TestDescribingFields(t *testing.T) {
	for _, c := range []struct{ name, content, want string }{
		{"number.jsonl", `{"id":"a","text":"one","date":1850,"title":1984}`, "a 1984 1850 []"},
		{"day.jsonl", `{"id":"a","text":"one","date":18500101}`, "a  18500101 []"},
		{"capital.jsonl", `{"id":"a","text":"one","Date":1850,"TITLE":"T"}`, "a T 1850 [{Date 1850} {TITLE T}]"},
		{"both.jsonl", `{"id":"a","text":"one","date":"1850","Date":"1900"}`, "a  1850 [{Date 1900}]"},
		{"null.jsonl", `{"id":"a","text":"one","date":null,"title":"","Title":null,"TITLE":"T","Date":1850}`, "a T 1850 [{Date 1850} {TITLE T}]"},
		{"empty.csv", "id,date,Date,text\na,,1850,one\n", "a  1850 [{Date 1850}]"},
		{"list.jsonl", `{"id":"a","text":"one","Date":[1]}`, "a   [{Date [1]}]"},
		{"wrong.jsonl", `{"id":"a","text":"one","date":[1]}`, "wrong type"},
		{"table.csv", "id,Date,text\na,1850,one\n", "a  1850 [{Date 1850}]"},
		{"ids.jsonl", `{"id":7,"doc_id":"a","text":"one"}`, "a   [{id 7}]"},
		{"ids.csv", "doc_id,id,text\na,7,one\n", "a   [{id 7}]"},
	} {
		path := filepath.Join(folder(t, map[string]string{c.name: c.content}), c.name)
		for d, err := range Documents(t.Context(), newFile(path, c.name, 0), Options{}) {
			got := fmt.Sprint(d.ID, " ", d.Title, " ", d.Date, " ", d.Metadata)
			if r := commonplace.RejectOf(err); r != nil {
				got = r.Reason
			}
			if got != c.want {
				t.Errorf("%s: %s, want %s", c.name, got, c.want)
			}
		}
	}
}

// What a file says beside the documents has the same names as their records.
func TestDescribingFieldsOfMetadata(t *testing.T) {
	dir := folder(t, map[string]string{"m.jsonl": `{"id":"a","Date":1850,"TITLE":"T"}` + "\n" + `{"id":"b","date":"","Date":"1850","author":"A","Author":"B"}` + "\n" + `{"id":"c","Date":[1]}` + "\n"})
	said := map[string]Metadata{}
	if err := ReadMetadata(t.Context(), filepath.Join(dir, "m.jsonl"), nil, bounded.Limits{}, said); err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, id := range []string{"a", "b", "c"} {
		doc := commonplace.Document{ID: id}
		said[id].Apply(&doc)
		got += fmt.Sprintln(doc.ID, doc.Title, doc.Author, doc.Date, doc.Metadata)
	}
	if want := "a T  1850 [{Date 1850} {TITLE T}]\nb  A 1850 [{Author B} {Date 1850}]\nc    [{Date [1]}]\n"; got != want {
		t.Errorf("got\n%s, want\n%s", got, want)
	}
}
