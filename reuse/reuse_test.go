package reuse

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
)

func samples(t *testing.T) []map[string]any {
	t.Helper()
	raw, err := os.ReadFile("testdata/passim.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var all []map[string]any
	for line := range bytes.Lines(raw) {
		all = append(all, decoded(t, line))
	}
	return all
}

func decoded(t *testing.T, line []byte) map[string]any {
	t.Helper()
	var v map[string]any
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%v in %s", err, line)
	}
	return v
}

// A record of ours is the one that passim wrote of the same passage, number for number.
func TestPassageIsPassims(t *testing.T) {
	want := samples(t)[0]
	got := decoded(t, Passage{
		ID: "/lccn/sn85025007/1860-08-25/ed-1/seq-1", Size: 3, Begin: 48490, End: 49802,
		Source: []Extent{{UID("childrens_hour"), 20, 1360}}, Text: ":\nBetween the dark and the daylight,",
		Fields: []commonplace.Field{{Name: "group", Value: "/lccn/sn85025007"}},
	}.JSON())
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// So is a line of --docwise with its witness.
func TestDocwiseIsPassims(t *testing.T) {
	want := samples(t)[1]
	target := "Between the dark and the daylight,\nWhen the night h beginning to lower,\nComes"
	pair := Pair{
		SourceID: "childrens_hour", TargetID: "news", SourceBegin: 21, TargetBegin: 0,
		Source:       "Between the dark and the daylight,\n  When the night is beginning to lower,\nComes",
		Target:       target,
		SourceFields: []commonplace.Field{{Name: "group", Value: "gutenberg"}},
	}
	doc := decoded(t, Docwise("news", target, []commonplace.Field{{Name: "group", Value: "x"}}, []Pair{pair}))
	if doc["uid"] != json.Number(fmt.Sprint(UID("news"))) || doc["id"] != "news" || doc["group"] != "x" || doc["text"] != target {
		t.Errorf("%v", doc)
	}
	line := doc["lines"].([]any)[1].(map[string]any)
	line["begin"] = want["begin"] // passim's target is a newspaper page
	// Two alignments are as short: passim pads the second word's first letter, ours its second.
	w, ours := want["wits"].([]any)[0].(map[string]any), line["wits"].([]any)[0].(map[string]any)
	if got := ours["alg2"]; got != "--When the night h- beginning to lower,\n" && got != w["alg2"] {
		t.Errorf("%q", got)
	}
	ours["alg2"], ours["matches"] = w["alg2"], w["matches"]
	if !reflect.DeepEqual(line, want) {
		t.Errorf("got %v, want %v", line, want)
	}
}

func TestPairAndLines(t *testing.T) {
	p := Pair{SourceID: "a", TargetID: "b", SourceBegin: 5, SourceEnd: 16, TargetBegin: 7, TargetEnd: 19, Source: "one-two six", Target: "one-too\nsixt",
		SourceFields: []commonplace.Field{{Name: "date", Value: "1850"}}, TargetFields: []commonplace.Field{{Name: "date", Value: "1851"}, {Name: "begin", Value: "mine"}}}
	want := `{"uid":%d,"uid2":%d,"begin":5,"end":16,"begin2":7,"end2":19,"id":"a","id2":"b","s1":"one‐two six-","s2":"one‐too\nsixt","matches":9,"date":"1850","date2":"1851"}` + "\n"
	if got := string(p.JSON()); got != fmt.Sprintf(want, UID("a"), UID("b")) {
		t.Error(got)
	}
	var lines []string
	for _, l := range p.Lines() {
		lines = append(lines, fmt.Sprintf("%d %d %q %q", l.Begin, l.Begin2, l.Alg, l.Alg2))
	}
	if got := strings.Join(lines, "; "); got != `5 7 "one‐two " "one‐too\n"; 13 15 "six-" "sixt"` {
		t.Error(got)
	}
	// Without pads it is the document's own text, with its hyphens of either kind.
	p.Source, p.Target = "one-two\u2010six 7", "one-too\n\u2010sixt"
	text, text2 := "", ""
	for _, l := range p.Lines() {
		text, text2 = text+l.Text, text2+l.Text2
		if line := decoded(t, p.LineJSON(l)); line["text"] != l.Text || line["text2"] != l.Text2 {
			t.Errorf("%v", line)
		}
	}
	if text != p.Source || text2 != p.Target {
		t.Errorf("%q above %q", text, text2)
	}
}

// Without pads both lines are the texts, whatever they are.
func TestPad(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 7))
		text := func() string {
			b := make([]rune, r.IntN(40))
			for i := range b {
				b[i] = []rune("ab cé\n-")[r.IntN(7)]
			}
			return string(b)
		}
		a, b := text(), text()
		s1, s2 := Pad(a, b)
		unpadded := strings.NewReplacer(string(pad), "", "\u2010", "-")
		if got := unpadded.Replace(s1); got != a {
			t.Fatalf("%q is %q", a, got)
		}
		if got := unpadded.Replace(s2); got != b {
			t.Fatalf("%q is %q", b, got)
		}
		x, y := []rune(s1), []rune(s2)
		if len(x) != len(y) {
			t.Fatalf("%q above %q", s1, s2)
		}
		for i := range x {
			if (x[i] == '\n' || y[i] == '\n') && x[i] != pad && y[i] != pad && !alike(x[i], y[i]) {
				t.Fatalf("a line break above a letter: %q above %q", s1, s2)
			}
		}
	}
}

// Long texts are divided at runs that both have once, and stay aligned behind a gap.
func TestPadOfLongTexts(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	for range 20000 {
		fmt.Fprintf(&b, "%c%c%d ", 'a'+r.IntN(26), 'a'+r.IntN(26), r.IntN(100))
	}
	a := b.String()
	c := a[:30000] + strings.ToUpper(a[30000:31000]) + a[36000:]
	s1, s2 := Pad(a, c)
	if n := same(s1, s2); n < len(c)-1000 {
		t.Errorf("%d of %d letters stand above their like", n, len(c))
	}
	if s1, s2 := Pad(strings.Repeat("a", 5000), strings.Repeat("b", 4999)+"\n"); len(s1) != 5000 || len(s2) != 5000 {
		t.Errorf("%d %d", len(s1), len(s2))
	}
}

// Every word of the target has one source: the best of those that have it.
func TestBest(t *testing.T) {
	a := func(id string, begin, end int64, score float64) commonplace.Alignment {
		return commonplace.Alignment{ID: id, DerivedBegin: begin, DerivedEnd: end, Score: score}
	}
	for _, c := range []struct {
		all  []commonplace.Alignment
		want string
	}{
		{[]commonplace.Alignment{a("a", 0, 100, 50), a("b", 0, 90, 60), a("c", 200, 300, 1)}, "bc"},
		{[]commonplace.Alignment{a("a", 0, 100, 50), a("b", 60, 160, 60)}, "ab"},
		{[]commonplace.Alignment{a("a", 0, 40, 50), a("b", 60, 100, 60), a("c", 0, 100, 40), a("d", 30, 70, 30)}, "ab"},
		{[]commonplace.Alignment{a("b", 0, 10, 5), a("a", 0, 10, 5)}, "a"},
		{nil, ""},
	} {
		got := ""
		for _, b := range Best(c.all) {
			got += b.ID
		}
		if got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

// Where the dates say it, the older document is the source, and what both directions say
// is there once. Where they do not, a match stays as it was found.
func TestTurned(t *testing.T) {
	found := func(id, source, derived, is string, sourceBegin, derivedBegin int64) commonplace.Alignment {
		return commonplace.Alignment{ID: id, SourceID: source, SourceBegin: sourceBegin, SourceEnd: sourceBegin + 100, SourceText: "in " + source,
			DerivedID: derived, DerivedBegin: derivedBegin, DerivedEnd: derivedBegin + 90, DerivedText: "in " + derived, SourceIs: is,
			SourceMetadata: []commonplace.Field{{Name: "of", Value: source}}, DerivedMetadata: []commonplace.Field{{Name: "of", Value: derived}},
			Parts: []commonplace.Part{{DerivedBegin: 1, DerivedEnd: 2, SourceBegin: 3, SourceEnd: 4}}}
	}
	for _, is := range []string{"older", ""} {
		a := found("1", "a", "b", is, 0, 500)
		if got, turned := Turned(a); turned || !reflect.DeepEqual(got, a) {
			t.Errorf("%q: %v", is, got)
		}
	}
	newer := found("2", "new", "old", "newer", 500, 0)
	got, turned := Turned(newer)
	want := found("2", "old", "new", "older", 0, 500)
	want.SourceEnd, want.DerivedEnd, want.Parts = 90, 600, []commonplace.Part{{DerivedBegin: 3, DerivedEnd: 4, SourceBegin: 1, SourceEnd: 2}}
	if !turned || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if newer.Parts[0].SourceBegin != 3 {
		t.Error("the parts of what was given are changed")
	}

	ids := ""
	all := []commonplace.Alignment{
		found("as found", "old", "new", "older", 0, 500), got, // the same again
		found("t elsewhere", "old", "new", "older", 0, 900), found("t other", "older", "new", "older", 0, 500),
	}
	for _, a := range Once(all, func(id string) bool { return id == "2" || strings.HasPrefix(id, "t ") }) {
		ids += a.ID + ", "
	}
	if ids != "as found, t elsewhere, t other, " {
		t.Error(ids)
	}
}

// Of pages and loci a record keeps those of its words, and of a page one region.
func TestLocated(t *testing.T) {
	fields := []commonplace.Field{
		{Name: "locs", Value: `[{"start":0,"length":9,"loc":"1.1"},{"start":9,"length":9,"loc":"1.2"}]`},
		{Name: "pages", Value: `[{"id":"p1","regions":[{"start":0,"length":5,"coords":{"x":1,"y":1,"w":9,"h":2}}]},{"id":"p2","seq":2,"regions":[{"start":9,"length":4,"coords":{"x":1,"y":1,"w":9,"h":2,"b":2}},{"start":14,"length":4,"coords":{"x":3,"y":4,"w":9,"h":2,"b":1}}]},{"id":"p3","regions":[{"start":14,"length":1,"coords":{"x":1,"y":1,"w":9,"h":2}}]}]`},
		{Name: "series", Value: "[sic"},
	}
	got := fmt.Sprint(located(fields, 10, 15))
	want := `[{locs ["1.2"]} {pages [{"id":"p2","regions":[{"start":9,"length":9,"coords":{"x":1,"y":1,"w":11,"h":5,"b":4}}],"seq":2},{"id":"p3","regions":[{"start":14,"length":1,"coords":{"x":1,"y":1,"w":9,"h":2}}]}]} {series [sic}]`
	if got != want {
		t.Errorf("got\n%s, want\n%s", got, want)
	}
	if got := string(Passage{ID: "a", Fields: fields[2:]}.JSON()); !strings.Contains(got, `"series":"[sic"`) {
		t.Error(got)
	}
}

// A line has the members of TextPAIR's, of the same types, in the same order.
func TestTextPAIR(t *testing.T) {
	d := &commonplace.Document{ID: "d", Title: "T", Author: "A", Date: "1850-02-03", Text: strings.Repeat("é ", 200) + "the \n words" + strings.Repeat(" é", 200)}
	begin := strings.Index(d.Text, "the")
	side := NewSide(d, "texts/d.txt", begin, begin+len("the \n words"))
	delete(side, "date") // a field of ours, which their page shows or not
	line := TextPAIR(side, side)
	raw, err := os.ReadFile("testdata/textpair.json")
	if err != nil {
		t.Fatal(err)
	}
	got, want := decoded(t, line), decoded(t, raw)
	for name, value := range want {
		if reflect.TypeOf(got[name]) != reflect.TypeOf(value) {
			t.Errorf("%s is %v", name, got[name])
		}
	}
	delete(got, "source_start_byte")
	if len(got) != len(want)-1 {
		t.Errorf("%d members, want %d", len(got)+1, len(want))
	}
	if side["passage"] != "the words" || side["year"] != "1850" || side["start_position"] != "49.55" {
		t.Errorf("%v", side)
	}
	if before := side["context_before"].(string); strings.Trim(before, "é ") != "" || len(before) > contextBytes || !strings.HasSuffix(before, " ") {
		t.Errorf("%q", before)
	}
	if !slices.IsSorted(strings.Split(string(line), `,"`)[1:3]) {
		t.Errorf("%s", line)
	}
}

// TextPAIR's loader makes a column of PostgreSQL of each field and asks for three of them:
// whatever a record's fields are called, its statements hold, and no value is lost.
func TestTextPAIRColumns(t *testing.T) {
	long := strings.Repeat("é", 40)
	d := &commonplace.Document{ID: "d", Genre: "prose", Metadata: []commonplace.Field{
		{Name: "Series", Value: "a"}, {Name: "genre", Value: "of the header"}, {Name: "idno:URN", Value: "urn:x"}, {Name: "price in %", Value: "3"}, {Name: "series", Value: "b"},
		{Name: "term", Value: "mill"}, {Name: "term", Value: "novel \"x\""}, {Name: long, Value: "l"},
	}}
	got := TextPAIRFields(d, "texts/d.txt")
	want := map[string]string{
		"title": "", "author": "", "year": "", "genre": "prose", "filename": "texts/d.txt", "start_byte": "0", "end_byte": "0",
		"series": "a; b", "idno_urn": "urn:x", "price_in__": "3", "term": `mill; novel "x"`, long[:56]: "l",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%q", got)
	}
	record := decoded(t, Passage{ID: "d", Fields: Fields(d)}.JSON())
	if fmt.Sprint(record["term"]) != `[mill novel "x"]` || record["Series"] != "a" || record["series"] != "b" {
		t.Error(record)
	}
}

// TextPAIR has what a record says twice once: Date, of which the column date was made.
func TestTextPAIRSaysItOnce(t *testing.T) {
	d := &commonplace.Document{ID: "d", Title: "A", Author: "X", Date: "1850", Metadata: []commonplace.Field{
		{Name: "Date", Value: "1850"}, {Name: "Title", Value: "A"}, {Name: "author", Value: "X"}, {Name: "author", Value: "Y"}, {Name: "term", Value: `["oil","mill","oil"]`},
	}}
	got := TextPAIRFields(d, "f")
	for name, want := range map[string]string{"date": "1850", "title": "A", "author": "X; Y", "term": "oil; mill"} {
		if got[name] != want {
			t.Errorf("%s is %q, want %q", name, got[name], want)
		}
	}
}

// What describes a document is text, whatever it looks like. Of other fields, lists of strings
// are lists, and so are passim's own.
func TestFieldsAreTextOrLists(t *testing.T) {
	d := &commonplace.Document{ID: "d", Title: "[12]", Author: `["A"]`, Date: "[1900]", Language: "en", Metadata: []commonplace.Field{
		{Name: "author", Value: "B"}, {Name: "language", Value: "fr"}, {Name: "locs", Value: `[{"loc":"1.1"}]`}, {Name: "note", Value: `{"a":1}`}, {Name: "pages", Value: "[12]"},
		{Name: "shelf", Value: "[7]"}, {Name: "tags", Value: `["caf\u00e9"]`}, {Name: "term", Value: "x"}, {Name: "term", Value: "y"}, {Name: "void", Value: ""}, {Name: "with", Value: `["a",null]`},
	}}
	var o object
	o.fields(Fields(d), "")
	want := `{"title":"[12]","author":["[\"A\"]","B"],"date":"[1900]","language":"fr","locs":[{"loc":"1.1"}],"note":"{\"a\":1}","pages":"[12]","shelf":"[7]","tags":["caf\u00e9"],"term":["x","y"],"void":"","with":"[\"a\",null]"}` + "\n"
	if got := string(o.line()); got != want {
		t.Errorf("got\n%s, want\n%s", got, want)
	}
}

// A span is a rectangle on the image of each page that it touches, and names the page.
func TestImages(t *testing.T) {
	im := NewImages(`[{"id":"p1","regions":[{"start":0,"length":5,"coords":{"x":10,"y":20,"w":30,"h":4}},{"start":5,"length":5,"coords":{"x":50.5,"y":18,"w":9,"h":8}}]},
		{"id":"p2","regions":[{"start":10,"length":9}]}, {"seq":1000000,"regions":[{"start":20,"length":9,"coords":{"x":1,"y":2,"w":3,"h":4}}]},
		{"regions":[{"start":40,"length":9,"coords":{"x":1,"y":2,"w":3,"h":4}}]}]`)
	for _, c := range []struct {
		begin, end int64
		want       string
	}{{0, 5, "10,20,30,4 of p1"}, {4, 6, "10,18,49.5,8 of p1"}, {9, 21, "50.5,18,9,8 of p1 and 1,2,3,4 of page 1000000"}, {10, 20, ""}, {29, 40, ""}, {41, 42, "1,2,3,4 of page 4"}} {
		if got := im.At(c.begin, c.end); got != c.want {
			t.Errorf("%d-%d: %q, want %q", c.begin, c.end, got, c.want)
		}
	}
	for _, none := range []string{"", "[]", "iv", `[{"regions":7}]`, `[{"regions":[{"start":10,"length":9}]}]`} {
		if NewImages(none) != nil {
			t.Errorf("%s has images", none)
		}
	}
}
