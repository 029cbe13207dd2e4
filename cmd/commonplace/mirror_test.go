package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// The servers of these tests are real ones on loopback. They note every request,
// so that policy are seen from their side.

// request is one request as the server saw it.
type request struct {
	path       string
	begin, end time.Time
	whole      bool // the answer was written to its end
	header     http.Header
}

// server answers by path and notes what it is asked.
type server struct {
	*httptest.Server
	lock   sync.Mutex
	log    []*request
	inside int
	most   int
}

// serverDate is what the servers say is the time, so that documents.fetched_at
// is the same in every run.
const serverDate = "Sat, 21 Nov 2026 06:00:00 GMT"

func startServer(t testing.TB, answer http.HandlerFunc) *server {
	s := &server{}
	s.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		note := &request{path: r.URL.RequestURI(), begin: time.Now(), header: r.Header.Clone()}
		s.lock.Lock()
		s.inside++
		s.most = max(s.most, s.inside)
		s.log = append(s.log, note)
		s.lock.Unlock()
		defer func() {
			s.lock.Lock()
			s.inside--
			note.end, note.whole = time.Now(), r.Context().Err() == nil
			s.lock.Unlock()
		}()
		w.Header().Set("Date", serverDate)
		answer(w, r)
	}))
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.Start()
	t.Cleanup(s.Close)
	return s
}

func (s *server) requests() []request {
	s.lock.Lock()
	defer s.lock.Unlock()
	var list []request
	for _, r := range s.log {
		list = append(list, *r)
	}
	return list
}

// counts are the requests by path.
func (s *server) counts() map[string]int {
	counts := map[string]int{}
	for _, r := range s.requests() {
		counts[r.path]++
	}
	return counts
}

func (s *server) forget() {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.log = nil
}

// book is a text as Project Gutenberg makes them.
func book(n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "The Project Gutenberg EBook of Book %d, by Author %d\r\n\r\nTitle: Book %d\r\n\r\nAuthor: Author %d\r\n\r\nLanguage: English\r\n\r\n"+
		"*** START OF THIS PROJECT GUTENBERG EBOOK BOOK %d ***\r\n\r\n", n, n, n, n, n)
	for i := range 60 {
		fmt.Fprintf(&b, "The miller of valley %d counted %d sacks of flour, and the river counted none.\r\n\r\n", n, i*n)
	}
	fmt.Fprintf(&b, "*** END OF THIS PROJECT GUTENBERG EBOOK BOOK %d ***\r\n\r\nSome words of licence.\r\n", n)
	return b.String()
}

// catalog is a feed of books 1 to n.
func catalog(n int) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	fmt.Fprint(z, "Text#,Type,Issued,Title,Language,Authors,Subjects,LoCC,Bookshelves\n")
	for i := 1; i <= n; i++ {
		fmt.Fprintf(z, "%d,Text,2004-01-%02d,\"Book %d\n a second line\",en,\"Author %d, 1800-1870\",Mills -- Fiction,PS,\n", i, i%28+1, i, i)
	}
	z.Close()
	return b.Bytes()
}

// mirrorPath is where a mirror keeps book n under a name such as %d-0.txt.
func mirrorPath(n int, name string) string {
	digits := fmt.Sprint(n)
	if len(digits) == 1 {
		return "/0/" + digits + "/" + fmt.Sprintf(name, n)
	}
	return "/" + strings.Join(strings.Split(digits[:len(digits)-1], ""), "/") + "/" + digits + "/" + fmt.Sprintf(name, n)
}

// mirror is a mirror of n books: every third is only under its generated name,
// every tenth only as an old file of 8 bits.
func mirror(n int) map[string][]byte {
	files := map[string][]byte{"/cache/epub/feeds/pg_catalog.csv.gz": catalog(n), "/robots.txt": []byte("User-agent: *\nDisallow: /ebooks/search\n")}
	for i := 1; i <= n; i++ {
		switch {
		case i%10 == 0:
			files[mirrorPath(i, "%d-8.txt")] = []byte(strings.Replace(book(i), "river", "rivi\xe8re", 1))
		case i%3 == 0:
			files[fmt.Sprintf("/cache/epub/%d/pg%d.txt", i, i)] = []byte("\xef\xbb\xbf" + book(i))
		default:
			files[mirrorPath(i, "%d-0.txt")] = []byte(book(i))
		}
	}
	return files
}

// static answers with files, and with 304 where the client has them already.
func static(files map[string][]byte) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		content, ok := files[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		tag := fmt.Sprintf(`"%x"`, len(content))
		w.Header().Set("ETag", tag)
		w.Header().Set("Content-Type", "text/plain")
		if r.Header.Get("If-None-Match") == tag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		w.Write(content)
	}
}

// writeConfig writes a config and returns its path and the folder of its tables.
func writeConfig(t testing.TB, text string) (config, out string) {
	t.Helper()
	dir := t.TempDir()
	config, out = filepath.Join(dir, "run.yaml"), filepath.Join(dir, "tables")
	if err := os.WriteFile(config, []byte("out: tables\nshards: 4\n"+text), 0o644); err != nil {
		t.Fatal(err)
	}
	return config, out
}

// loopback are policy for servers on this machine.
const loopback = "crawl: {contact: test@example.org, delay: 1ms, tries: 3, timeout: 1m, give_up: 1000, private_hosts: [127.0.0.1, 127.0.0.2, localhost]%s}\n"
