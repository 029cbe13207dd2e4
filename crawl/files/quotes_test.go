package files

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	commonplace "github.com/commonplace/commonplace"

	"github.com/commonplace/commonplace/bounded"
)

// listedQuotes lists quotes as id=text and rejects as line!reason.
func listedQuotes(path string, opts QuoteOptions) []string {
	var got []string
	for q, err := range ReadQuotes(context.Background(), path, opts) {
		r := commonplace.RejectOf(err)
		if r == nil {
			got = append(got, fmt.Sprintf("%s=%s", q.ID, q.Text))
			continue
		}
		_, line, _ := strings.Cut(r.Location, filepath.Base(path))
		got = append(got, line+"!"+r.Reason)
	}
	return got
}

func TestReadQuotes(t *testing.T) {
	long := strings.Repeat("x", 5000)
	list := `{"quote_id":"a","text":"one"}` + "\r\n\n" + `{"quote_id":7,"text":"two","ebook":12,"author":null,"work":"W"}` + "\n" + `{"quote_id":"b","text":`
	for _, c := range []struct {
		name, content string
		opts          QuoteOptions
		want          []string
	}{
		{"q.jsonl", list, QuoteOptions{}, []string{"a=one", "7=two", ":4!broken line"}},
		{"bom.jsonl", "\ufeff" + list, QuoteOptions{}, []string{"a=one", "7=two", ":4!broken line"}},
		{"id.jsonl", `{"id":"a","text":"one"}` + "\n" + `{"text":"two"}`, QuoteOptions{}, []string{"a=one", ":2!no id"}},
		{"map.jsonl", `{"ref":"a","verse":"one"}`, QuoteOptions{Columns: map[string]string{"id": "ref", "text": "verse"}}, []string{"a=one"}},
		{"q.jsonl.gz", gz(t, list), QuoteOptions{}, []string{"a=one", "7=two", ":4!broken line"}},
		{"cut.jsonl.gz", gz(t, list)[:60], QuoteOptions{}, []string{":1!broken gzip"}},
		{"types.jsonl", `{"quote_id":"a","text":5}` + "\n" + `{"quote_id":["a"],"text":"x"}` + "\n" + `{"quote_id":"a","text":"x","ebook":"many"}` + "\n" + `["a"]` + "\n" + `{"quote_id":"a","text":"x","ebook":1.5}` + "\nnull\n\xff{}\n",
			QuoteOptions{}, []string{":1!wrong type", ":2!wrong type", ":3!wrong type", ":4!broken line", ":5!wrong type", ":6!no id", ":7!broken line"}},
		{"missing.jsonl", `{"text":"x"}` + "\n" + `{"quote_id":"a"}` + "\n" + `{"quote_id":"a","text":" \u00a0"}` + "\n" + `{"quote_id":"a","text":"x"}` + "\n" + `{"quote_id":"a","text":"y"}` + "\n" + `{"quote_id":"a\u0000","text":"y"}`,
			QuoteOptions{}, []string{"missing:1=x", ":2!no text", ":3!no text", "a=x", ":5!duplicate id", ":6!bad id"}},
		{"long.jsonl", `{"quote_id":"a","text":"` + long + `"}` + "\n" + `{"quote_id":"b","text":"x"}` + "\n" + long, QuoteOptions{Limits: bounded.Limits{Quote: 1000}}, []string{":1!over the limit", "b=x", ":3!over the limit"}},
		{"empty.jsonl", "", QuoteOptions{}, nil},
		{"k.csv", "book,reference,text\nGenesis,Gen 1:1,\"In the beginning,\n\"\"God\"\"\"\nGenesis,Gen 1:2,And\n", QuoteOptions{Columns: map[string]string{"id": "reference"}},
			[]string{"Gen 1:1=In the beginning,\n\"God\"", "Gen 1:2=And"}},
		{"k.tsv", "quote_id\ttext\na\tone, two\n", QuoteOptions{}, []string{"a=one, two"}},
		{"k.csv.gz", gz(t, "\ufeffquote_id,text\r\na,one\r\n"), QuoteOptions{}, []string{"a=one"}},
		{"ragged.csv", "quote_id,text,ebook\na\nb,x,y\nc,x,12\n\nd,\"open,1\ne,x,2\n", QuoteOptions{}, []string{":2!broken line", ":3!wrong type", "c=x", ":6!broken line", "e=x"}},
		{"bare.csv", "quote_id,text\na,say \"so\"\nb,x\n", QuoteOptions{}, []string{":2!broken line", "b=x"}},
		{"long.csv", "quote_id,text\na," + long + "\nb,\"x\n" + long + "\nc,x\n", QuoteOptions{Limits: bounded.Limits{Quote: 1000}}, []string{":2!over the limit", ":3!broken line", ":4!over the limit", "c=x"}},
		{"nohead.csv", "ref,txt\na,x\n", QuoteOptions{}, []string{":1!broken line"}},
		{"empty.csv", "", QuoteOptions{}, nil},
		{"semicolons.csv", "Author;Quote\nAnn;one, two\n\"Bo;b\";\"three\"\n", QuoteOptions{}, []string{"semicolons:2=one, two", "semicolons:3=three"}},
		{"commas.csv", "quote_id,text\na,one; two; three\n", QuoteOptions{}, []string{"a=one; two; three"}},
		{"latin.csv", "quote_id,text\na,caf\xe9 \x93so\x94\nb,café\n", QuoteOptions{}, []string{"a=café “so”", "b=café"}},
		{"latin.jsonl", `{"quote_id":"a","text":"caf` + "\xe9" + `"}`, QuoteOptions{}, []string{":1!broken line"}},
		{"numbers.csv", "quote_id,text,ebook\na,x,PG 158\nb,x,#158\nc,x,Ebook #158\nd,x,158a\ne,x,-1\n", QuoteOptions{}, []string{"a=x", "b=x", "c=x", ":5!wrong type", ":6!wrong type"}},
	} {
		dir := folder(t, map[string]string{c.name: c.content})
		if got := listedQuotes(filepath.Join(dir, c.name), c.opts); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.name, abridge(got), c.want)
		}
	}
	if got := listedQuotes(filepath.Join(t.TempDir(), "none.jsonl"), QuoteOptions{}); !slices.Equal(got, []string{"!unreadable"}) {
		t.Errorf("missing list: %q", got)
	}
}

func abridge(lines []string) []string {
	var out []string
	for _, s := range lines {
		out = append(out, s[:min(len(s), 60)])
	}
	return out
}

// A reader that stops early is not called again.
func TestReadQuotesStops(t *testing.T) {
	dir := folder(t, map[string]string{"q.jsonl": strings.Repeat("{\n", 10)})
	n := 0
	for range ReadQuotes(context.Background(), filepath.Join(dir, "q.jsonl"), QuoteOptions{}) {
		if n++; n == 3 {
			break
		}
	}
	if n != 3 {
		t.Errorf("%d calls", n)
	}
}

// Every line that is not blank gives one quote or one reject, and ids are unique.
func FuzzQuotes(f *testing.F) {
	f.Add([]byte(`{"quote_id":"a","text":"one"}`+"\n{"), false)
	f.Add([]byte("quote_id,text\na,\"x\ny\"\nb,\"z\n"), true)
	f.Add([]byte("quote_id,text\r\n\"a\"b,\"\"\"\r\n\xff,\n"), true)
	f.Add([]byte("\ufeff\n\r\n"), true)
	f.Add([]byte(`{"quote_id":"a","quote_id":"b","text":"\ud800"}`), false)
	f.Fuzz(func(t *testing.T, content []byte, csv bool) {
		name := "q.jsonl"
		if csv {
			name = "q.csv"
		}
		path := filepath.Join(folder(t, map[string]string{name: string(content)}), name)
		ids := map[string]bool{}
		n := 0
		for q, r := range ReadQuotes(context.Background(), path, QuoteOptions{Limits: bounded.Limits{Quote: 100}}) {
			n++
			if (q == commonplace.Quote{}) == (r == nil) {
				t.Fatalf("quote %+v and reject %+v", q, r)
			}
			if r == nil {
				if ids[q.ID] {
					t.Fatalf("%q twice", q.ID)
				}
				ids[q.ID] = true
			}
		}
		if lines := strings.Count(string(content), "\n") + 1; n > lines {
			t.Fatalf("%d rows of %d lines", n, lines)
		}
	})
}
