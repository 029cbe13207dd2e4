package files

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
)

// A list whose name says nothing is read as what it begins as.
func TestListsWithoutAnExtension(t *testing.T) {
	for name, c := range map[string]struct{ content, want string }{
		"json":          {`{"id":"a","text":"Alike."}` + "\n", "a=Alike."},
		"table":         {"Author,Quote\nLeo,Alike.\n", "table:2=Alike."},
		"semicolons":    {"quote;author\nAlike.;Leo\n", "semicolons:2=Alike."},
		"tabs":          {"\"Book\"\t\"Highlights\"\nAnna\tAlike.\n", "tabs:2=Alike."},
		"excel":         {"sep=;\r\nquote;author\r\nAlike.;Leo\r\n", "excel:3=Alike."},
		"wide":          {"\xff\xfe" + wide("Quote;Author\r\nAlike.;Léo\r\n"), "wide:2=Alike."},
		"front":         {"---\ntitle: Mine\n---\nAlike,\nall.\n", "front:4=Alike,\nall."},
		"blocks":        {"# Mine\n> Alike,\n> all.\n", "blocks:2=Alike,\nall."},
		"items":         {"# Mine\n\n- Alike,\n  all.\n", "items:3=Alike,\nall."},
		"text":          {"Alike; all.\nCall me, Ishmael.\n", "text:1=Alike; all. text:2=Call me, Ishmael."},
		"headed":        {"# Mine\nAlike.\n- Leo Tolstoy\n", "headed:1=# Mine headed:2=Alike."},
		"one column":    {"quote\nAlike.\n", "one column:1=quote one column:2=Alike."},
		"quotes.2024":   {"quote;author\nAlike.;Leo\n", "quotes:2=Alike."},
		"Mr. Smith":     {"Alike.\n", "Mr:1=Alike."},
		"lines.dat":     {`{"id":"a","text":"Alike."}` + "\n", "a=Alike."},
		"packed.gz":     {gz(t, "quote;author\nAlike.;Leo\n"), "packed:2=Alike."},
		"settings.yaml": {"name: mine\n", "!unreadable"},
		"nothing":       {"", ""},
	} {
		dir := folder(t, map[string]string{name: c.content})
		if got := strings.Join(listedQuotes(filepath.Join(dir, name), QuoteOptions{}), " "); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// Usual names may be in the plural; a name in the singular is before it.
func TestColumnsInThePlural(t *testing.T) {
	dir := folder(t, map[string]string{"q.csv": "Lines,Quotes,By\n7,Alike.,Leo\n", "r.csv": "Quotes,Text\nx,Alike.\n"})
	for _, name := range []string{"q.csv", "r.csv"} {
		if got := listedQuotes(filepath.Join(dir, name), QuoteOptions{}); len(got) != 1 || !strings.HasSuffix(got[0], "=Alike.") {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// A message about a header advises what helps, and makes no name of a quotation's words.
func TestAdviceOnHeaders(t *testing.T) {
	for content, want := range map[string]string{
		"The person, be it gentleman or lady\n": "the first line reads as a quotation and not as a header: The person, be it gentleman or lady; put a line above it that names the columns, such as text,author",
		"\"Alike, all.\",Leo\n":                 "the first line reads as a quotation and not as a header: Alike, all., Leo; put a line above it that names the columns, such as text,author",
		"name,stuff\nx,y\n":                     "the header has no column text; it has name, stuff; say which one is the text: columns: {text: name}",
		"my notes,x\nx,y\n":                     "the header has no column text; it has my notes, x; say which one is the text: columns: {text: x}",
		"my notes\nx\n":                         "the header has no column text; it has my notes; say which one is the text: columns: {text: NAME}",
		strings.Repeat("word ", 40) + ",\"" + "x" + "\"\na,b\n": "the first line reads as a quotation and not as a header: " + strings.Repeat("word ", 20) + "…; put a line above it that names the columns, such as text,author",
	} {
		path := filepath.Join(folder(t, map[string]string{"q.csv": content}), "q.csv")
		var got []string
		for _, err := range ReadQuotes(context.Background(), path, QuoteOptions{}) {
			got = append(got, commonplace.RejectOf(err).Detail)
		}
		if !slices.Equal(got, []string{want}) {
			t.Errorf("%q:\n%q, want\n%q", content, got, want)
		}
	}
}
