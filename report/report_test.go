package report

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/net/html"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align/collate"
	"github.com/commonplace/commonplace/eval"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

func write(t *testing.T, dir string, o Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(t.Context(), &b, dir, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func evaluated(t *testing.T) func(context.Context) (Judgement, error) {
	t.Helper()
	e := eval.New([]eval.System{{Name: hostile, Note: hostile}, {Name: "random"}}, eval.Options{})
	if err := e.Add(eval.Document{ID: "a", Counts: []float64{1, 0}, Scores: [][]float64{{1, 0}, {0, 0}}}); err != nil {
		t.Fatal(err)
	}
	r := e.Result()
	return func(context.Context) (Judgement, error) { return Judgement{Ranks: &r}, nil }
}

func dataOf(t *testing.T, html string) (d struct {
	Books    []book
	Passages []passage
}) {
	t.Helper()
	m := regexp.MustCompile(`(?s)<script type="application/json" id="data">(.*?)</script>`).FindStringSubmatch(html)
	if m == nil {
		t.Fatal("no data")
	}
	if err := json.Unmarshal([]byte(m[1]), &d); err != nil {
		t.Fatal(err)
	}
	return d
}

// Nothing of a book may become part of the page's structure: the page is parsed
// as a browser does, and every element is looked at.
func TestHostileTextStaysText(t *testing.T) {
	t.Parallel()
	root, err := html.Parse(strings.NewReader(write(t, testRun(t), Options{Judge: evaluated(t)})))
	if err != nil {
		t.Fatal(err)
	}
	elements := map[string]int{}
	text := 0
	for n := range root.Descendants() {
		if n.Type == html.TextNode && n.Parent.Data != "script" && strings.Contains(n.Data, "window.harm=1</script>") {
			text++
		}
		if n.Type != html.ElementNode {
			continue
		}
		elements[n.Data]++
		for _, a := range n.Attr {
			switch {
			case strings.HasPrefix(a.Key, "on"), a.Key == "src", a.Key == "action", a.Key == "formaction":
				t.Errorf("<%s> has %s=%q", n.Data, a.Key, a.Val)
			case strings.HasSuffix(a.Key, "href") && !strings.HasPrefix(a.Val, "#"):
				t.Errorf("<%s> leads out to %q", n.Data, a.Val)
			case strings.Contains(a.Val, "ZgotmplZ"):
				t.Errorf("the template refused %s of <%s>", a.Key, n.Data)
			}
		}
	}
	if elements["script"] != 2 || elements["style"] != 1 || elements["img"]+elements["i"]+elements["iframe"]+elements["link"] > 0 {
		t.Errorf("elements of the page: %v", elements)
	}
	if text == 0 {
		t.Error("the hostile text is not shown anywhere")
	}
}

func TestPassagesAndQuotes(t *testing.T) {
	t.Parallel()
	d := dataOf(t, write(t, testRun(t), Options{}))
	if len(d.Passages) != 120 || len(d.Books) != 3 {
		t.Fatalf("%d passages of %d books", len(d.Passages), len(d.Books))
	}
	i := slices.IndexFunc(d.Passages, func(p passage) bool { return p.ID == "first:000003" })
	p := d.Passages[i]
	if len(p.Quotes) != 1 || !strings.HasPrefix(p.Before, "Paſsage 2 of") || !strings.HasPrefix(p.After, "Paſsage 4 of") {
		t.Fatalf("%+v", p)
	}
	q := p.Quotes[0]
	points := []rune(p.Text)
	if l := p.Line; l == nil || !strings.HasSuffix(l.Text, string(points[l.Span[0]:l.Span[1]])) || !strings.HasPrefix(l.Text, "n.\n") || l.Span != [2]int64{0, int64(len(points)) - 2} || l.Score != 0.75 {
		t.Errorf("line: %+v", l)
	}
	if without := d.Passages[slices.IndexFunc(d.Passages, func(p passage) bool { return p.ID == "second:000003" })]; without.Line != nil {
		t.Errorf("line: %+v", without.Line)
	}
	if got := string(points[q.Spans[0][0]:q.Spans[0][1]]); got != "the sea is calm to-night, and then you learn." {
		t.Errorf("marked: %q", got)
	}
	if want := "[the||0][sea|fea|2][is calm||0][to-night,|tonight,|1][and||0][then||3][you learn.||0]"; shownColumns(q.Lines) != want {
		t.Errorf("lines: %s, want %s", shownColumns(q.Lines), want)
	}
}

// The passage around a line is whole sentences, and in words why it is there.
func TestWholeSentencesAndWords(t *testing.T) {
	t.Parallel()
	d := dataOf(t, write(t, testRun(t), Options{}))
	kinds := 0
	for _, p := range d.Passages {
		if p.Before != "" && !strings.HasPrefix(p.Before, "Paſsage") && !strings.HasPrefix(p.ID, hostileID) || p.After != "" && !strings.HasSuffix(p.After, ".") {
			t.Errorf("%s: before %q, after %q", p.ID, p.Before, p.After)
		}
		if (p.Line == nil) != (p.Lead != nil) {
			t.Errorf("%s has both a line and a lead, or neither", p.ID)
		}
		kinds += len(p.Kind)
	}
	if kinds == 0 {
		t.Error("nothing says why")
	}
}

func TestFigures(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	write(t, testRun(t), Options{Figure: func(name string, content []byte) error { files[name] = string(content); return nil }})
	for name, want := range map[string]string{"scores.csv": "from,to,passages\n0,0.1,", "quotations.csv": "quotations,passages\n0,118\n1,2\n", "lengths.svg": "<svg", "similarity.csv": "from,to,quotations\n"} {
		if !strings.HasPrefix(files[name], want) {
			t.Errorf("%s begins %.60q", name, files[name])
		}
	}
	for name, content := range files {
		if strings.Contains(content, "var(--") {
			t.Errorf("%s needs the page's colours", name)
		}
	}
}

// A run that looked for no quotations says nothing of them.
func TestNoQuotationsWereSought(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "novels")
	commit(t, dir, table.Documents, "crawl", nil, []commonplace.Document{{ID: "a", Title: "A", Text: "It rained.", Characters: 10}})
	commit(t, dir, table.Rankings, "rank", []string{"documents"}, []commonplace.Ranking{{PassageID: "a:000000", DocID: "a", End: 10, Text: "It rained.", Score: 1, RankOverall: 1, RankInDocument: 1}})
	html := write(t, dir, Options{Judge: evaluated(t)})
	for _, word := range []string{"quotations found", `class="ticks"`, `id="evaluation"`, "has quoted it", "most quoted"} {
		if strings.Contains(html, word) {
			t.Errorf("the page has %q", word)
		}
	}
	if !strings.Contains(html, "<label hidden>Quoted") {
		t.Error("lines can be filtered by their quotations")
	}
}

func TestTopBoundsThePage(t *testing.T) {
	t.Parallel()
	dir := testRun(t)
	d := dataOf(t, write(t, dir, Options{Top: 5, Books: 1}))
	// Five by rank, the two quoted, ten of the one book that is drawn.
	if len(d.Passages) < 7 || len(d.Passages) > 17 {
		t.Errorf("%d passages", len(d.Passages))
	}
	for _, id := range []string{"first:000003", hostileID + ":000000"} {
		if !slices.ContainsFunc(d.Passages, func(p passage) bool { return p.ID == id }) {
			t.Errorf("%s was quoted and is not there", id)
		}
	}
}

func TestSameTablesSamePage(t *testing.T) {
	t.Parallel()
	dir := testRun(t)
	if write(t, dir, Options{}) != write(t, dir, Options{}) {
		t.Error("two pages of one run differ")
	}
}

func TestIsPage(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{write(t, testRun(t), Options{}): true, "<!DOCTYPE html><title>Twain – Commonplace</title>": true, "": false, "<!DOCTYPE html><title>My page</title>": false} {
		if IsPage(strings.NewReader(text)) != want {
			t.Errorf("%.100q: %v", text, !want)
		}
	}
}

func TestNoRankings(t *testing.T) {
	t.Parallel()
	err := Write(t.Context(), &bytes.Buffer{}, t.TempDir(), Options{})
	if err == nil || !strings.Contains(err.Error(), "commonplace build") {
		t.Errorf("%v", err)
	}
}

// A page of tables that are not of one build would show passages beside the
// quotations of others.
func TestAnUnfinishedRunIsRefused(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"documents", "quotes", "alignments"} {
		dir := testRun(t)
		if err := table.RemoveCommit(t.Context(), storage.Default, dir, name); err != nil {
			t.Fatal(err)
		}
		var page bytes.Buffer
		if err := Write(t.Context(), &page, dir, Options{}); !errors.Is(err, table.ErrNotWhole) || page.Len() > 0 {
			t.Errorf("without a record of %s: %v, %d bytes", name, err, page.Len())
		}
	}
}

func TestWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text        string
		n           int
		first, last string
	}{
		{"one two three", 2, "one two", "two three"},
		{" one  two ", 5, " one  two ", " one  two "},
		{"é ü ö", 1, "é", "ö"},
		{"", 3, "", ""},
	} {
		if f, l := firstWords(c.text, c.n), lastWords(c.text, c.n); strings.TrimSpace(f) != strings.TrimSpace(c.first) || strings.TrimSpace(l) != strings.TrimSpace(c.last) {
			t.Errorf("%q: %q and %q", c.text, f, l)
		}
	}
	if got := thousands(1234567); got != "1\u202f234\u202f567" {
		t.Error(got)
	}
	if one, two := factOf(1, "passage", "quoted"), factOf(2, "document", ""); one.Name != "passage quoted" || two.Name != "documents" {
		t.Error(one, two)
	}
	if got := fragment("a b/ü:1"); got != "a%20b%2F%C3%BC:1" {
		t.Error(got)
	}
}

func TestFlow(t *testing.T) {
	t.Parallel()
	f := flowOf([]table.Commit{
		{Table: "documents"}, {Table: "quotes"},
		{Table: "passages", Inputs: map[string]string{"documents": ""}},
		{Table: "alignments", Inputs: map[string]string{"documents": "", "quotes": ""}},
		{Table: "quote_counts", Inputs: map[string]string{"documents": "", "passages": "", "alignments": ""}},
		{Table: "rankings", Inputs: map[string]string{"passages": "", "quote_counts": "", "elsewhere": ""}},
	})
	// What is implied is not drawn: documents by passages, passages by counts.
	if len(f.Edges) != 6 {
		t.Errorf("%d lines, want 6: %v", len(f.Edges), f.Edges)
	}
	seen := map[[2]int]string{}
	for _, n := range f.Nodes {
		if other := seen[[2]int{n.X, n.Y}]; other != "" {
			t.Errorf("%s lies on %s", n.Table, other)
		}
		seen[[2]int{n.X, n.Y}] = n.Table
		if n.X+nodeWidth > f.Width || n.Y+nodeHeight > f.Height {
			t.Errorf("%s lies outside", n.Table)
		}
	}
	if n := f.Nodes[5]; n.X != 3*(nodeWidth+gapX) || len(n.From) != 2 {
		t.Errorf("rankings: %+v", n)
	}
}

func shownColumns(columns []collate.Column) string {
	var b strings.Builder
	for _, c := range columns {
		fmt.Fprintf(&b, "[%s|%s|%d]", c.Source, c.Derived, c.Kind)
	}
	return b.String()
}

// Shards are read several at once, in any order, and the page does not tell.
func TestPageDoesNotDependOnShards(t *testing.T) {
	t.Parallel()
	page := func(shards int) string {
		html := write(t, testRunOf(t, shards), Options{Title: "Lines"})
		return regexp.MustCompile(`[0-9.]+ [kM]B`).ReplaceAllString(html, "") // sizes of tables
	}
	want := page(1)
	for _, shards := range []int{2, 3, 4} {
		if page(shards) != want {
			t.Errorf("%d shards give another page", shards)
		}
	}
}

// What takes long is done at the same time: the page is read while the ranking is judged.
func TestThePageIsReadWhileItIsJudged(t *testing.T) {
	t.Parallel()
	reading := make(chan bool)
	var once sync.Once
	o := Options{Progress: func(string, int, int) { once.Do(func() { close(reading) }) }, Judge: func(ctx context.Context) (Judgement, error) {
		select {
		case <-reading:
			return Judgement{Note: "Judged while the tables were read."}, nil
		case <-ctx.Done():
			return Judgement{}, ctx.Err()
		}
	}}
	if html := write(t, testRun(t), o); !strings.Contains(html, "Judged while the tables were read.") {
		t.Error("the page lacks what was judged")
	}
	broken := errors.New("cannot be judged")
	o.Judge = func(context.Context) (Judgement, error) { return Judgement{}, broken }
	if err := Write(t.Context(), &strings.Builder{}, testRun(t), o); !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
}
