package files

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"unicode/utf8"

	"github.com/commonplace/commonplace/bounded"
	"github.com/commonplace/commonplace/crawl"
)

// lines counts what a list of records says something of.
func lines(content []byte) (n int) {
	for i, line := range bytes.Split(content, []byte("\n")) {
		if i == 0 {
			line = bytes.TrimPrefix(line, []byte("\ufeff"))
		}
		if len(bytes.TrimSpace(line)) > 0 {
			n++
		}
	}
	return n
}

// Whatever the list: each line that is not blank is a conversation or a reject,
// a place or a reject; what is kept has an id and whole characters.
func FuzzRecords(f *testing.F) {
	f.Add([]byte(`{"conversation_id":"a","turns":["x",null],"quotation":"q"}` + "\n\n{"))
	f.Add([]byte("\ufeff" + `{"id":7,"document":"a","begin":0,"end":1,"count":[1,2]}` + "\r\n[]\n\xff"))
	f.Add([]byte(`{"id":"a","ID":"b","id":"\ud800","quotation":""}` + "\n" + `{"doc_id":1,"begin":-1e9,"end":"x","count":null,"genre":true}`))
	path := filepath.Join(f.TempDir(), "list.jsonl")
	f.Fuzz(func(t *testing.T, content []byte) {
		if err := os.WriteFile(path, content, 0o644); err != nil {
			t.Fatal(err)
		}
		n := 0
		for c, reject := range ReadConversations(t.Context(), path, bounded.Limits{Quote: 200}) {
			n++
			if reject == nil && (crawl.BadID(c.ID) != "" || c.ID == "" || !utf8.ValidString(c.Quotation)) {
				t.Errorf("%q: %+v", content, c)
			}
		}
		long := 0 // blank lines over the limit, which are rejects
		for line := range bytes.SplitSeq(content, []byte("\n")) {
			if len(line) > 200 && len(bytes.TrimSpace(line)) == 0 {
				long++
			}
		}
		if n < lines(content) || n > lines(content)+long {
			t.Errorf("%q: %d conversations and rejects of %d lines", content, n, lines(content))
		}
		read, err := ReadSpans(t.Context(), path, nil, bounded.Limits{})
		spans, rejects := read.Spans, read.Rejects
		if err != nil || len(spans)+len(rejects) != lines(content) {
			t.Errorf("%q: %d places, %d rejects of %d lines, %v", content, len(spans), len(rejects), lines(content), err)
		}
		for _, s := range spans {
			if s.DocID == "" || s.Count < 0 || !utf8.ValidString(s.Text) {
				t.Errorf("%q: %+v", content, s)
			}
		}
		metadata := map[string]Metadata{}
		if err := ReadMetadata(t.Context(), path, map[string]string{"genre": "fiction"}, bounded.Limits{}, metadata); err == nil && len(metadata) > lines(content) {
			t.Errorf("%q: %v", content, metadata)
		}
	})
}

// Whatever the table: counts of as many lines as there are, passages of texts.
func FuzzTables(f *testing.F) {
	f.Add([]byte("document,passage,text,count\na,1,\"x\ny\",\nb,,z,7\n"))
	f.Add([]byte("\ufeffdocument,count\r\n\"a\"b,-1\n\xff,99999999999999999999\n"))
	f.Add([]byte("document,chapter,verse,text\na,1,1,x\na,2,1,\"y\"\"\""))
	f.Add([]byte("\n\n,\n"))
	path := filepath.Join(f.TempDir(), "table.csv")
	f.Fuzz(func(t *testing.T, content []byte) {
		if err := os.WriteFile(path, content, 0o644); err != nil {
			t.Fatal(err)
		}
		counts, err := ReadCounts(t.Context(), path, map[string]string{"passage": "passage"}, bounded.Limits{Quote: 500})
		if n := 0; err == nil {
			for _, of := range counts {
				n += len(of)
			}
			if n > bytes.Count(content, []byte("\n"))+1 {
				t.Errorf("%q: %d counts", content, n)
			}
		}
		docs, err := ReadPassages(t.Context(), path, map[string]string{"document": "document", "chapter": "chapter", "verse": "verse", "text": "text"}, Options{Limits: bounded.Limits{Quote: 500}})
		for _, d := range docs {
			if err == nil && (d.ID == "" || !utf8.ValidString(d.Text)) {
				t.Errorf("%q: %+v", content, d)
			}
		}
	})
}
