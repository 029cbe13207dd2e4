package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/table"
)

// reuseRun writes a run of four dated documents, one of them hostile, which have words of
// the first.
func reuseRun(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "run & <b>")
	const words = "the sea is calm to-night, the tide is full"
	var documents []commonplace.Document
	var alignments []commonplace.Alignment
	var clusters []commonplace.Cluster
	for i, id := range []string{"a", hostileID, "c", "d"} {
		d := commonplace.Document{ID: id, Title: "Volume " + id, Author: []string{"Arnold", hostile, "Clough", "Clough"}[i], Date: []string{"44 BC", "1867-02-03", "", "1890"}[i],
			Characters: 1000, Text: words, Metadata: []commonplace.Field{{Name: "series", Value: []string{"one", hostile[:70], "two", "two"}[i]}, {Name: "long", Value: strings.Repeat("x", reuseValue+1)}},
			Pages: []commonplace.Page{{Begin: 0, End: 50, Label: "iv"}, {Begin: 50, End: 1000, Sequence: 2}}}
		if id == "c" { // passim's input has regions of images
			d.Metadata = append(d.Metadata, commonplace.Field{Name: "pages", Value: `[{"id":"p2","seq":2,"regions":[{"start":200,"length":20,"coords":{"x":10,"y":20,"w":30,"h":4}},{"start":220,"length":30,"coords":{"x":10,"y":24,"w":40,"h":4}}]}]`})
		}
		if id == "a" { // a header has a term for each keyword
			d.Metadata = append(d.Metadata, commonplace.Field{Name: "term", Value: "sea"}, commonplace.Field{Name: "term", Value: "tide"})
		}
		documents = append(documents, d)
		begin := int64(i) * 100
		clusters = append(clusters, commonplace.Cluster{Cluster: "a:0-42", Documents: 4, Copies: 4, DocID: id, Begin: begin, End: begin + 42, Text: words, LikelySource: i == 0, SourceBy: []string{commonplace.ByFirstDate, "", "", commonplace.Undecided}[i]})
		if i > 0 {
			text := strings.Replace(words, "sea", []string{"", hostile, "see", "Sea"}[i], 1)
			alignments = append(alignments, commonplace.Alignment{ID: fmt.Sprint("m", i), DerivedID: id, DerivedBegin: begin, DerivedEnd: begin + int64(len([]rune(text))), DerivedText: text,
				SourceID: "a", SourceEnd: 42, SourceText: words, SourceIs: []string{"", "older", "", "older"}[i], Similarity: .9, MatchedWords: 8, Kind: []string{"", "exact", "inflected", "exact"}[i]})
		}
	}
	alignments = append(alignments, commonplace.Alignment{ID: "q", QuoteID: "list:1", DerivedText: "no document quotes this", SourceID: "a", SourceBegin: 90, SourceEnd: 91, SourceText: "x"})
	last := alignments[len(alignments)-2] // found once more from the other side
	alignments = append(alignments, commonplace.Alignment{ID: "r", DerivedID: "a", DerivedEnd: 42, DerivedText: words, SourceIs: "newer",
		SourceID: "d", SourceBegin: last.DerivedBegin + 2, SourceEnd: last.DerivedEnd, SourceText: words, Similarity: .9, MatchedWords: 8})
	commit(t, dir, table.Documents, "crawl", nil, documents)
	commit(t, dir, table.Alignments, "align", []string{"documents"}, alignments)
	commit(t, dir, table.Clusters, "cluster", []string{"documents", "alignments"}, clusters)
	return dir
}

func writeReuse(t *testing.T, dir string, o Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := WriteReuse(t.Context(), &b, dir, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// The page holds nothing of a book as HTML, its parts too, and is the same twice.
func TestReuse(t *testing.T) {
	dir := reuseRun(t)
	parts := map[string]string{}
	o := Options{PageSize: 900, Part: func(content []byte) (string, error) {
		name := fmt.Sprintf("part-%d.js", len(parts))
		parts[name] = string(content)
		return name, nil
	}}
	page := writeReuse(t, dir, o)
	if len(parts) < 2 {
		t.Errorf("%d parts", len(parts))
	}
	for name, part := range parts {
		if strings.Contains(part, "<") || strings.Contains(part, "\u2028") || !strings.HasPrefix(part, "commonplaceReuse(") {
			t.Errorf("%s: %s", name, part)
		}
		delete(parts, name)
	}
	// A small page is one file, also where files beside it could be written.
	small := o
	small.PageSize = 100_000
	if one := writeReuse(t, dir, small); len(parts) > 0 || one != writeReuse(t, dir, Options{PageSize: 100_000}) {
		t.Errorf("a small page has %d parts beside it", len(parts))
	}
	if again := writeReuse(t, dir, o); again != page {
		t.Error("two pages of one run differ")
	}
	if one := writeReuse(t, dir, Options{}); !strings.Contains(one, `"k":"iv","l":"2","c":"10,20,40,8 of p2"}`) {
		t.Error("no match has its place on an image")
	}
	for _, want := range []string{`"pairs":[[0,1,1,8],[0,2,1,8],[0,3,1,8]]`, `"fields":["series","term"]`, `"f":["one","sea; tide"]`, `<dd>3</dd><dt>matches</dt>`, `"m":[[0,0,42,2],`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if strings.Contains(page, "window.harm=1</script>") || strings.Contains(page, "no document quotes this") {
		t.Error("a text is HTML, or a listed quotation is on the page")
	}
	if one := writeReuse(t, dir, Options{}); !strings.Contains(one, "commonplaceReuse(0,[") || strings.Contains(one, "'self'") {
		t.Error("the page in one file does not hold its matches")
	}
	listed := filepath.Join(t.TempDir(), "run")
	commit(t, listed, table.Documents, "crawl", nil, []commonplace.Document{{ID: "a"}})
	commit(t, listed, table.Alignments, "align", []string{"documents"}, []commonplace.Alignment{{ID: "q", QuoteID: "q", SourceID: "a", SourceEnd: 1}})
	if err := WriteReuse(t.Context(), &bytes.Buffer{}, listed, Options{}); !errors.Is(err, ErrNoReuse) {
		t.Errorf("%v", err)
	}
}

// A copy says of every reason for a likely source what it is.
func TestReuseSaysWhyACopyIsTheSource(t *testing.T) {
	for _, by := range commonplace.SourceBys {
		dir := bareRun(t)
		commit(t, dir, table.Clusters, "cluster", []string{"documents", "alignments"}, []commonplace.Cluster{
			{Cluster: "a:0-8", Documents: 2, Copies: 2, DocID: "a", End: 8, Text: "the tide", LikelySource: by != commonplace.Undecided, SourceBy: by},
			{Cluster: "a:0-8", Documents: 2, Copies: 2, DocID: "b", End: 8, Text: "the tide"},
		})
		page := writeReuse(t, dir, Options{})
		_, page, _ = strings.Cut(page, `id="data"`)
		_, page, _ = strings.Cut(page, ">")
		page, _, _ = strings.Cut(page, "</script>")
		var data struct {
			Likely   []string
			Clusters []struct{ M [][4]int }
		}
		if err := json.Unmarshal([]byte(page), &data); err != nil {
			t.Fatal(err)
		}
		copies := data.Clusters[0].M
		if words := data.Likely[copies[0][3]]; len(words) < 10 || copies[1][3] != 0 || data.Likely[0] != "" {
			t.Errorf("%s: %q, %v", by, words, copies)
		}
	}
}

// bareRun is a run of two documents of which nothing is known but their texts, and no
// clusters.
func bareRun(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "run")
	commit(t, dir, table.Documents, "crawl", nil, []commonplace.Document{{ID: "a", Characters: 9, Text: "the tide "}, {ID: "b", Characters: 9, Text: "the tide "}})
	commit(t, dir, table.Alignments, "align", []string{"documents"}, []commonplace.Alignment{
		{ID: "m", DerivedID: "b", DerivedEnd: 8, DerivedText: "the tide", SourceID: "a", SourceEnd: 8, SourceText: "the tide", Similarity: 1, MatchedWords: 2},
		{ID: "n", DerivedID: "a", DerivedEnd: 8, DerivedText: "the tide", SourceID: "b", SourceEnd: 8, SourceText: "the tide", Similarity: 1, MatchedWords: 2},
	})
	return dir
}

// Lists that are empty are lists: the script would stop at null.
func TestReuseOfPlainTexts(t *testing.T) {
	if page := writeReuse(t, bareRun(t), Options{}); !strings.Contains(page, `"fields":[]`) || !strings.Contains(page, `"clusters":[]`) || strings.Contains(page, ":null") {
		t.Errorf("%s", page[strings.Index(page, `id="data"`):])
	}
}

// Every view opens by its address, with the words of both sides, and nothing complains.
func TestReuseInABrowser(t *testing.T) {
	t.Parallel()
	ctx, complaints := browser(t)
	hostile := url.QueryEscape(hostileID)
	for _, single := range []bool{false, true} {
		dir := t.TempDir()
		path := filepath.Join(dir, "reuse.html")
		o := Options{PageSize: 900}
		if !single {
			n := 0
			o.Part = func(content []byte) (string, error) {
				n++
				name := fmt.Sprintf("part-%d.js", n)
				return name, os.WriteFile(filepath.Join(dir, name), content, 0o644)
			}
		}
		if err := os.WriteFile(path, []byte(writeReuse(t, reuseRun(t), o)), 0o644); err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct{ at, want string }{
			{"", "Arnold, Volume a, 44 BC"},
			{"#documents?by=series&is=two", "Clough, Volume c"},
			{"#documents?by=decade&is=1890s", "Clough, Volume d, 1890"},
			{"#documents?by=decade&is=40s+BC", "Arnold, Volume a, 44 BC"},
			{"#time", "When it was quoted"},
			{"#time", "44 BC"},
			{"#network", "The 40 with most matches"},
			{"#network?by=author", "Clough"},
			{"#clusters", "4 documents"},
			{"#clusters", "0–42, the likely source: of the oldest date, but"},
			{"#clusters", "300–342, perhaps the source"},
			{"#book?id=a", "By"},
			{"#book?id=" + hostile, "What this document has of others"},
			{"#pair?source=a&target=" + hostile, "Left what is quoted"},
			{"#match?source=a&target=c&at=0-200", "the see is calm to-night"},
			{"#match?source=a&target=c&at=0-200", "8 words, in other word forms"},
			{"#match?source=a&target=c&at=0-200", "Clough, Volume c, p. 2, image 10,20,40,8 of p2, 200–242"},
			{"#match?source=a&target=c&at=1-200", "This page has no such match"},
			{"#search?q=see+calm", "0 documents, 1 match"},
			{"#search?q=clough", "2 documents, 0 matches"},
			{"#nothing", "Documents"},
		} {
			do(t, ctx, navigate("file://"+path+c.at)...)
			t.Log(c.at)
			wait(t, ctx, fmt.Sprintf(`document.getElementById("view").textContent.includes(%q)`, c.want))
			accessible(t, ctx, c.at)
		}
		if harm := value[bool](t, ctx, `window.harm !== undefined`); harm {
			t.Error("a text ran as a script")
		}
	}
	path := filepath.Join(t.TempDir(), "bare.html")
	if err := os.WriteFile(path, []byte(writeReuse(t, bareRun(t), Options{})), 0o644); err != nil {
		t.Fatal(err)
	}
	for at, want := range map[string]string{"": "Those most quoted first", "#time": "No document has a date", "#network": "Who quotes whom", "#clusters": "clusters", "#pair?source=a&target=b": "no date says which came first", "#search?q=tide": "2 matches"} {
		do(t, ctx, navigate("file://"+path+at)...)
		wait(t, ctx, fmt.Sprintf(`document.getElementById("view").textContent.includes(%q)`, want))
	}
	for _, said := range complaints() {
		t.Error(said)
	}
}
