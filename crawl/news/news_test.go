package news

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"
)

// share is how much of the words of a text stand in the other, counted.
func share(a, b string) float64 {
	in := map[string]int{}
	for _, w := range strings.Fields(b) {
		in[w]++
	}
	both, all := 0, 0
	for _, w := range strings.Fields(a) {
		all++
		if in[w] > 0 {
			in[w]--
			both++
		}
	}
	return float64(both) / float64(max(1, all))
}

// TestTenLayouts takes the articles out of pages that are made in the styles of
// ten kinds of site, and checks them against what their paragraphs are.
func TestTenLayouts(t *testing.T) {
	pages, err := filepath.Glob("testdata/*.html")
	if err != nil || len(pages) != 10 {
		t.Fatalf("%d pages, %v", len(pages), err)
	}
	sum := 0.0
	for _, page := range pages {
		raw, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(strings.TrimSuffix(page, ".html") + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		a, err := Extract(raw, "", "http://example.org/2012/05/06/a.html")
		if err != nil {
			t.Errorf("%s: %v", page, err)
			continue
		}
		precision, recall := share(a.Text, string(want)), share(string(want), a.Text)
		f := 2 * precision * recall / (precision + recall)
		sum += f
		t.Logf("%-32s P %.3f R %.3f F %.3f  %q by %q on %s in %q", filepath.Base(page), precision, recall, f, a.Title, a.Author, a.Date, a.Language)
		if f < 0.94 || recall < 0.999 {
			t.Errorf("%s: F %.3f, recall %.3f:\n%s", page, f, recall, a.Text)
		}
		for _, p := range strings.Split(strings.TrimSpace(string(want)), "\n\n") {
			if !strings.Contains(a.Text, p) {
				t.Errorf("%s: a paragraph is torn: %s", page, p)
			}
		}
		if a.Title == "" || a.Around <= 0 {
			t.Errorf("%s: title %q, %d points around it", page, a.Title, a.Around)
		}
	}
	if mean := sum / 10; mean < 0.97 {
		t.Errorf("F %.3f on the mean", mean)
	} else {
		t.Logf("F %.3f on the mean", mean)
	}
}

// TestCharset believes the server before the page, and the bytes before both.
func TestCharset(t *testing.T) {
	text := "Le président du conseil a promis mardi que la loi serait votée avant l'été, malgré les réserves de plusieurs élus. " + strings.Repeat("Il pleuvait, et nul ne s'en étonnait. ", 20)
	page := func(charset string) string {
		return `<html><head><meta charset="` + charset + `"><title>Titre</title></head><body><article><p>` + text + `</p><p>` + text + `</p></article></body></html>`
	}
	latin := func(s string) []byte {
		var b []byte
		for _, r := range s {
			b = append(b, byte(r))
		}
		return b
	}
	for _, c := range []struct {
		page          []byte
		contentType   string
		encoding, why string
	}{
		{[]byte(page("utf-8")), "text/html", "utf-8", "valid utf-8"},
		{[]byte(page("iso-8859-1")), "text/html; charset=windows-1252", "utf-8", "valid utf-8"},
		{latin(page("iso-8859-1")), "text/html", "windows-1252", "declared"},
		{latin(page("utf-8")), "text/html; charset=ISO-8859-1", "windows-1252", "declared"},
		{latin(page("utf-8")), "text/html; charset=utf-8", "windows-1252", "guessed: said to be utf-8"},
	} {
		a, err := Extract(c.page, c.contentType, "")
		if err != nil || !strings.HasPrefix(a.Text, "Le président du conseil a promis mardi que la loi serait votée avant l'été") || a.Encoding != c.encoding || a.EncodingReason != c.why {
			t.Errorf("%s: %v, %s, %s, %.60s", c.contentType, err, a.Encoding, a.EncodingReason, a.Text)
		}
	}
}

// TestAbout reads dates and authors where sites put them.
func TestAbout(t *testing.T) {
	text := "<article>" + strings.Repeat("<p>"+strings.Repeat("A sentence of the article, which goes on, and on, and ends. ", 6)+"</p>", 4) + "</article>"
	for _, c := range []struct{ head, title, author, date string }{
		{`<meta property="og:title" content="One"><meta name="author" content="By Ann Bee"><meta property="article:published_time" content="2012-05-06T23:00:00+02:00">`, "One", "Ann Bee", "2012-05-06"},
		{`<script type="application/ld+json">{"@type":"NewsArticle","headline":"Two","datePublished":"2013-01-02","author":[{"name":"Ann"},{"name":"Bob"}]}</script>`, "Two", "Ann; Bob", "2013-01-02"},
		{`<script type="application/ld+json">{"@graph":[{"@type":"WebSite"},{"@type":"Article","headline":"Three","author":"Cy"}]}</script><meta name="pubdate" content="20090304">`, "Three", "Cy", "2009-03-04"},
		{`<script type="application/ld+json">{broken</script><title>Four - A Site</title><meta name="date" content="sometime">`, "Four - A Site", "", ""},
	} {
		a, err := Extract([]byte("<html><head>"+c.head+"</head><body>"+text+"</body></html>"), "", "")
		if err != nil || a.Title != c.title || a.Author != c.author || a.Date != c.date {
			t.Errorf("%v: %q by %q on %q, want %+v", err, a.Title, a.Author, a.Date, c)
		}
	}
}

// TestBadPages are pages of the table of bad inputs.
func TestBadPages(t *testing.T) {
	for _, c := range []struct {
		name, page string
		want       error
	}{
		{"nothing", "", ErrNoArticle},
		{"no words", "<html><body><div></div></body></html>", ErrNoArticle},
		{"links only", "<html><body><ul>" + strings.Repeat("<li><a href=x>x</a></li>", 50) + "</ul></body></html>", nil},
		{"deep", strings.Repeat("<div>", 100_000) + "text", ErrPage},
		{"deep tables", strings.Repeat("<table><tr><td>", 5_000), ErrPage},
		{"unclosed script", "<html><body><p>text</p><script>" + strings.Repeat("x", 1<<20), nil},
		{"unclosed comment", "<html><body><p>text</p><!--" + strings.Repeat("x", 1<<20), nil},
		{"many elements", strings.Repeat("<p>a</p>", 20_000), nil},
		{"many attributes", "<p " + strings.Repeat("a=b ", 100_000) + ">text", nil},
		{"one long word", "<p>" + strings.Repeat("x", 1<<20), nil},
		{"NULs", "<p>\x00\x00\x00text", nil},
		{"too long", strings.Repeat("x", MaxBytes+1), ErrTooLong},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		a, err := Extract([]byte(c.page), "", "http://example.org/")
		runtime.ReadMemStats(&after)
		if c.want != nil && !errors.Is(err, c.want) || c.want == nil && err != nil && !errors.Is(err, ErrNoArticle) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
		if used := after.TotalAlloc - before.TotalAlloc; used > 1<<30 {
			t.Errorf("%s: %d MB", c.name, used>>20)
		}
		if !utf8.ValidString(a.Text) {
			t.Errorf("%s: no UTF-8", c.name)
		}
	}
}

// FuzzExtract takes any bytes for a page.
func FuzzExtract(f *testing.F) {
	pages, err := filepath.Glob("testdata/*.html")
	if err != nil {
		f.Fatal(err)
	}
	for _, page := range pages {
		raw, err := os.ReadFile(page)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(raw, "text/html; charset=utf-8")
	}
	f.Add([]byte("<table><tr><td>a<table><tr><td>b"), "")
	f.Add([]byte("<body><article><p>\x00<svg><title><p>x</svg><math><mi><table><p>"), "x;charset=utf-16")
	f.Fuzz(func(t *testing.T, page []byte, contentType string) {
		a, err := Extract(page, contentType, "http://example.org/a")
		if err == nil && (strings.TrimSpace(a.Text) == "" || !utf8.ValidString(a.Text)) {
			t.Fatalf("%q", a.Text)
		}
	})
}

// Graphs within a graph are not read: a page of 8 MB with 256 of them took half a minute.
func TestGraphsWithinGraphs(t *testing.T) {
	deep := strings.Repeat(`{"@graph":[`, 250) + `"` + strings.Repeat("a", 4<<20) + `"` + strings.Repeat(`]}`, 250)
	text := strings.Repeat("The weather was fine, and nobody said a word of it until evening came. ", 20)
	for _, data := range []string{`{"@graph":[{"headline":"A","@graph":7}]}`, `[{"headline":"A","@graph":[7]}]`, `{"headline":"A","@graph":[` + deep + `]}`} {
		page := `<html><head><title>B</title><script type="application/ld+json">` + data + `</script></head><body><article><p>` + text + `</p><p>` + text + `</p></article></body></html>`
		if a, err := Extract([]byte(page), "", "http://a.org/"); err != nil || a.Title != "A" {
			t.Errorf("%.60s: %q, %v", data, a.Title, err)
		}
	}
}
