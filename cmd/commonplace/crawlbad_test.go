package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

func hijack(w http.ResponseWriter, answer string) {
	conn, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		panic(err)
	}
	conn.Write([]byte(answer))
	conn.Close()
}

func packed(b []byte) []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	z.Write(b)
	z.Close()
	return out.Bytes()
}

// TestCrawlBadMirror asks a mirror that misbehaves in every way of the table of
// bad inputs, a book a way: each is a document or a reject with its reason, and
// in = out + rejected.
func TestCrawlBadMirror(t *testing.T) {
	bomb := packed(bytes.Repeat([]byte{' '}, 20<<20))
	ways := []struct {
		name   string
		answer http.HandlerFunc
		want   string // a reject's reason; empty: a document
	}{
		{"good", func(w http.ResponseWriter, r *http.Request) { w.Write([]byte(book(1))) }, ""},
		{"missing under every name", http.NotFound, "not found"},
		{"gone", func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusGone) }, "not found"},
		{"forbidden", func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusForbidden) }, "refused by the server"},
		{"cut", func(w http.ResponseWriter, r *http.Request) {
			hijack(w, "HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\nhalf a book")
		}, "gave up after 3"},
		{"endless", func(w http.ResponseWriter, r *http.Request) {
			for line := bytes.Repeat([]byte("and so on "), 1000); ; {
				if _, err := w.Write(line); err != nil {
					return
				}
			}
		}, "over the limit"},
		{"bomb", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			w.Write(bomb)
		}, "over the limit"},
		{"redirect to itself", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.Path, 302) }, "endless redirect"},
		{"endless redirect", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.Path+"x", 302) }, "endless redirect"},
		{"redirect to loopback by another name", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "http://127.0.0.9:1/", 302) }, "private address"},
		{"redirect to metadata", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://169.254.169.254/latest", 302)
		}, "private address"},
		{"redirect to a file", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Location", "file:///etc/passwd")
			w.WriteHeader(302)
		}, "bad address"},
		{"redirect to the site for people", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://www.gutenberg.org/ebooks/1", 302)
		}, "site is for people"},
		{"captcha", func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprint(w, "<!DOCTYPE html><html><title>Just a moment...</title><p>Verify you are human</p></html>")
		}, "not a text"},
		{"error page with status 200", func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprint(w, "<html><body><h1>Not Found</h1></body></html>")
		}, "not a text"},
		{"busy, in seconds", busyOnce(func() string { return "1" }), ""},
		{"busy, by date", busyOnce(func() string { return time.Now().Add(time.Second).UTC().Format(http.TimeFormat) }), ""},
		{"busy for ever", func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(429) }, "gave up after 3"},
		{"unavailable", func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(503) }, "gave up after 3"},
		{"wrong charset", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/plain; charset=utf-8")
			w.Write([]byte(strings.ReplaceAll(book(1), "river", "rivi\xe8re")))
		}, ""},
		{"empty", func(w http.ResponseWriter, r *http.Request) {}, "empty"},
		{"white space", func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, " \r\n\t ") }, "empty"},
		{"header only", func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprint(w, "Title: X\r\n*** START OF THIS PROJECT GUTENBERG EBOOK X ***\r\n\r\n*** END OF THIS PROJECT GUTENBERG EBOOK X ***\r\n")
		}, "header only"},
		{"an image", func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR") }, "not a text"},
		{"unasked encoding", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Encoding", "br")
			fmt.Fprint(w, "x")
		}, "unknown content encoding"},
		{"a page that is a book", func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprint(w, "<html><body><p>*** START OF THIS PROJECT GUTENBERG EBOOK X ***</p><p>The General nodded.</p><p>*** END OF THIS PROJECT GUTENBERG EBOOK X ***</p></body></html>")
		}, ""},
		{"no answer", func(w http.ResponseWriter, r *http.Request) { hijack(w, "") }, "gave up after 3"},
	}
	s := startServer(t, func(w http.ResponseWriter, r *http.Request) {
		parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
		n, err := strconv.Atoi(parts[max(0, len(parts)-2)])
		switch {
		case strings.HasSuffix(r.URL.Path, "pg_catalog.csv.gz"):
			w.Write(packed(append(unpacked(catalog(len(ways))), "nonsense,Text,2004-01-01,No number,en,,,,\n98,Text\n99,Sound,2004-01-01,A record,en,,,,\n"...)))
		case err != nil || n < 1 || n > len(ways), strings.HasSuffix(r.URL.Path, ".txt") && !strings.HasSuffix(r.URL.Path, "-0.txt"):
			http.NotFound(w, r) // it misbehaves under the best name alone
		default:
			ways[n-1].answer(w, r)
		}
	})
	config, out := writeConfig(t, fmt.Sprintf(loopback, "")+"max_reject_fraction: 1\n"+
		strings.Replace(mirrors(s.URL), "kind: gutenberg", "kind: gutenberg, max_bytes: 1000000", 1))
	output := crawl(t, config)
	docs, reasons := crawled(t, out)
	for i, way := range ways {
		id := strconv.Itoa(i + 1)
		_, there := docs[id]
		if there != (way.want == "") || reasons[id] != way.want {
			t.Errorf("%s: a document: %v, rejected: %q, want %q", way.name, there, reasons[id], way.want)
		}
	}
	if reasons["nonsense"] != "bad id" || reasons["98"] != "broken line" {
		t.Errorf("the catalogue's broken rows: %v", reasons)
	}
	c, err := table.ReadCommit(t.Context(), storage.Default, out, "documents")
	if err != nil {
		t.Fatal(err)
	}
	if in := c.In["inputs"]; in != c.Rows+c.Rejected || in != int64(len(ways)+2) || int(c.Rejected) != len(rows(t, table.Rejects, filepath.Join(out, "rejects", "crawl"))) {
		t.Errorf("%d in, %d out, %d rejected", in, c.Rows, c.Rejected)
	}
	t.Logf("%d ways, %d documents, %d rejects\n%s", len(ways), len(docs), len(reasons), output)
}

// TestCrawlSlowMirror ends an answer that never does.
func TestCrawlSlowMirror(t *testing.T) {
	s := startServer(t, func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasSuffix(r.URL.Path, "pg_catalog.csv.gz"):
			w.Write(catalog(1))
		case strings.HasSuffix(r.URL.Path, "-0.txt"):
			for r.Context().Err() == nil {
				if _, err := w.Write([]byte("x")); err != nil {
					return
				}
				w.(http.Flusher).Flush()
				time.Sleep(10 * time.Millisecond)
			}
		default:
			http.NotFound(w, r)
		}
	})
	config, out := writeConfig(t, strings.NewReplacer("timeout: 1m", "timeout: 500ms", "tries: 3", "tries: 1").Replace(fmt.Sprintf(loopback, ""))+"max_reject_fraction: 1\n"+mirrors(s.URL))
	crawl(t, config)
	if docs, reasons := crawled(t, out); len(docs) != 0 || reasons["1"] != "gave up after 1" {
		t.Errorf("%d documents, rejects %v", len(docs), reasons)
	}
}

// busyOnce is busy at the first request.
func busyOnce(after func() string) http.HandlerFunc {
	asked := 0
	return func(w http.ResponseWriter, r *http.Request) {
		if asked++; asked == 1 {
			w.Header().Set("Retry-After", after())
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		w.Write([]byte(book(1)))
	}
}

func unpacked(b []byte) []byte {
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		panic(err)
	}
	var out bytes.Buffer
	if _, err := out.ReadFrom(z); err != nil {
		panic(err)
	}
	return out.Bytes()
}
