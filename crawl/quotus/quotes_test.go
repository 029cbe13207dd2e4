package quotus

import (
	"context"
	"fmt"
	"io"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/bounded"
)

const file = `{
 "c1": {"ClSz": 2, "TotFq": 5, "Src": "2012-01-24.txt", "Speaker": "Obama",
   "q1": {"QtFq": 3, "Text": "we will ... build", "Sim": 0.0, "PNums": "3,4", "Align": [[1, 5], [9, 12]],
     "a1": {"AId": "77", "Tm": "2012-01-25 10:00", "Title": "T", "URL": "http://x", "IsDup": false},
     "a2": {"AId": 78, "Tm": null, "Title": "U", "URL": "http://y", "IsDup": true}},
   "q2": {"QtFq": "2", "Text": "we will build", "Sim": "0.1", "PNums": "3", "Align": {"0": "1 2"}, "New": 7}},
 "c2": {"ClSz": "many", "q": {"Text": "x"}},
 "c3": ["no cluster"],
 "c4": {"q": {"Text": " "}},
 "c5": {"Src": {"odd": 1}, "q": {"Text": "x", "PNums": "a"}},
 "c1": {"q": {"Text": "twice"}},
 "c6": {"ClSz": 1, "q": {"Text": "last"}}
}`

func listed(text string) []string {
	var got []string
	for c, err := range ReadQuotes(context.Background(), strings.NewReader(text), "q.json", bounded.Limits{}) {
		if r := commonplace.RejectOf(err); r != nil {
			got = append(got, r.ID+"!"+r.Reason)
			continue
		}
		got = append(got, fmt.Sprintf("%s %d", c.ID, len(c.Quotes)))
	}
	return got
}

func TestReadQuotes(t *testing.T) {
	want := []string{"c1 2", "c2!wrong type", "c3!wrong type", "c4!wrong type", "c5!wrong type", "c1!duplicate id", "c6 1"}
	if got := listed(file); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	for c := range ReadQuotes(context.Background(), strings.NewReader(file), "q.json", bounded.Limits{}) {
		want := Cluster{ID: "c1", Size: 2, Frequency: 5, Source: "2012-01-24.txt", Speaker: "Obama", Quotes: []Quote{
			{ID: "q1", Text: "we will ... build", Frequency: 3, Paragraphs: []int{3, 4}, Align: []byte("[[1, 5], [9, 12]]"), Articles: []Article{
				{ID: "a1", AId: "77", Time: "2012-01-25 10:00", Title: "T", URL: "http://x"}, {ID: "a2", AId: "78", Title: "U", URL: "http://y", Duplicate: true}}},
			{ID: "q2", Text: "we will build", Frequency: 2, Similarity: 0.1, Paragraphs: []int{3}, Align: []byte(`{"0": "1 2"}`)},
		}}
		if !reflect.DeepEqual(c, want) {
			t.Errorf("got  %+v\nwant %+v", c, want)
		}
		break
	}
	for text, want := range map[string][]string{
		"":                                   {"!broken json"},
		"[]":                                 {"!broken json"},
		`{}`:                                 nil,
		`{} {}`:                              {"!broken json"},
		file[:300]:                           {"!broken json"},
		`{"c":{"q":{"Text":"x"}}`:            {"c 1", "!broken json"},
		`{"c":{"q":{"Text":"x"}},nope}`:      {"c 1", "!broken json"},
		`{"c":` + strings.Repeat("[", 20000): {"!broken json"},
	} {
		if got := listed(text); !slices.Equal(got, want) {
			t.Errorf("%.40q: got %q, want %q", text, got, want)
		}
	}
}

// clusters is an endless supply of them, n times.
type clusters struct {
	n, i int
	rest string
}

func (c *clusters) Read(p []byte) (int, error) {
	if c.rest == "" {
		if c.i > c.n {
			return 0, io.EOF
		}
		switch {
		case c.i == c.n:
			c.rest = "}"
		default:
			c.rest = fmt.Sprintf(`%s"c%d":{"ClSz":1,"q":{"Text":"%s","a":{"URL":"http://x"}}}`, map[bool]string{true: "{", false: ","}[c.i == 0], c.i, strings.Repeat("we will build ", 70))
		}
		c.i++
	}
	n := copy(p, c.rest)
	c.rest = c.rest[n:]
	return n, nil
}

// The real file has 155 MB; memory must not follow it.
func TestReadQuotesStreams(t *testing.T) {
	n, peak := 0, uint64(0)
	var m runtime.MemStats
	for c, r := range ReadQuotes(context.Background(), &clusters{n: 8_000}, "q.json", bounded.Limits{}) {
		if r != nil || len(c.Quotes) != 1 {
			t.Fatal(c, r)
		}
		if n++; n%1000 == 0 {
			runtime.GC()
			runtime.ReadMemStats(&m)
			peak = max(peak, m.HeapAlloc)
		}
	}
	if n != 8_000 || peak > 6<<20 {
		t.Errorf("%d clusters of 8 MB in %d bytes", n, peak)
	}
}

func FuzzQuotes(f *testing.F) {
	f.Add(file)
	f.Add(`{"c":{"q":{"Text":"x","PNums":[1,"2"],"Sim":"NaN","a":null}}}`)
	f.Fuzz(func(t *testing.T, text string) {
		ids := map[string]bool{}
		for c, r := range ReadQuotes(context.Background(), strings.NewReader(text), "q", bounded.Limits{}) {
			if r != nil {
				continue
			}
			if ids[c.ID] {
				t.Fatalf("%q twice", c.ID)
			}
			ids[c.ID] = true
			for _, q := range c.Quotes {
				if strings.TrimSpace(q.Text) == "" {
					t.Fatalf("%+v", q)
				}
			}
		}
	})
}
