package main

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/commonplace/commonplace/table"
)

// newsPage is an article's page with what news sites put around it.
func newsPage(n int, body string) string {
	return fmt.Sprintf(`<!DOCTYPE html><html lang="en"><head><title>Story %d - The Example</title><meta property="article:published_time" content="2012-05-%02dT10:00:00Z"></head>
<body><nav><a href="/">Home</a></nav><div class="sharing">Share this story</div><article><h1>Story %d</h1>%s</article><aside><h3>Related</h3><p>Another story that is not this one at all.</p></aside><footer><p>Copyright</p></footer></body></html>`, n, n, n, body)
}

func story(n int) string {
	var b strings.Builder
	for i := range 5 {
		fmt.Fprintf(&b, "<p>“We count what we carry,” the President said for the %dth time of story %d, and the crowd of %d, which had waited in the rain, was heard to count.</p>", i+1, n, 100*n+i)
	}
	return b.String()
}

// TestCrawlArticles fetches articles from a news site that has every fault of its
// kind, and dead ones from an archive.
func TestCrawlArticles(t *testing.T) {
	pages := map[string]func(w http.ResponseWriter, r *http.Request){
		"/robots.txt": func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "User-agent: *\nDisallow: /private/\n") },
		"/1":          func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, newsPage(1, story(1))) },
		"/moved":      func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/1?from=moved", 301) },
		"/latin": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8") // which it is not
			fmt.Fprint(w, strings.NewReplacer("rain", "caf\xe9", "“", `"`, "”", `"`).Replace(newsPage(2, story(2))))
		},
		"/captcha": func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprint(w, "<html><title>Attention Required! | Example</title><body><p>Please complete the captcha to go on.</p></body></html>")
		},
		"/consent": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/consent-wall", 302)
		},
		"/consent-wall": func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprint(w, "<html><body><h1>Before you continue</h1><button>Accept all</button></body></html>")
		},
		"/private/1":  func(w http.ResponseWriter, r *http.Request) { t.Error("robots.txt was not obeyed") },
		"/to-private": func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/private/1", 302) },
		"/deep": func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprint(w, "<html><body>"+strings.Repeat("<div>", 50_000))
		},
		"/long": func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprint(w, "<html><body>"+strings.Repeat("<p>and so on</p>", 1<<20))
		},
		"/links": func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "<html><body><div></div></body></html>") },
		"/plain": func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprint(w, "“We count what we carry,” the President said.\n")
		},
		"/gone": func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusGone) },
	}
	var s *server
	s = startServer(t, func(w http.ResponseWriter, r *http.Request) {
		if rest, ok := strings.CutPrefix(r.URL.Path, "/web/20120506id_/"); ok && strings.HasSuffix(rest, "/dead") {
			fmt.Fprint(w, newsPage(9, story(9)))
			return
		}
		if page := pages[r.URL.Path]; page != nil {
			page(w, r)
			return
		}
		http.NotFound(w, r)
	})
	config, out := writeConfig(t, fmt.Sprintf(loopback, "")+"max_reject_fraction: 1\nsources:\n"+
		"  - {name: news, kind: articles, role: derived, files: [list.jsonl, more.txt], fetch: {archive: '"+s.URL+"/web/{time}id_/{url}'}}\n")
	dir := filepath.Dir(config)
	var list strings.Builder
	want := map[string]string{"one": "", "moved": "", "latin": "", "dead": "", "plain": "", "captcha": "wants a person", "consent": "wants a person", "to-private": "disallowed by robots.txt",
		"deep": "broken page", "long": "over the limit", "links": "no article", "gone": "not found", "nowhere": "private address", "file": "bad address"}
	for id, path := range map[string]string{"one": "/1", "moved": "/moved", "latin": "/latin", "dead": "/dead", "plain": "/plain", "captcha": "/captcha", "consent": "/consent",
		"to-private": "/to-private", "deep": "/deep", "long": "/long", "links": "/links", "gone": "/gone"} {
		fmt.Fprintf(&list, `{"id":%q,"url":%q,"title":"","date":"2012-05-06"}`+"\n", id, s.URL+path)
	}
	list.WriteString(`{"id":"nowhere","url":"http://10.0.0.1/x"}` + "\n" + `{"id":"file","url":"file:///etc/passwd"}` + "\n" + `{broken` + "\n" + `{"id":"one","url":"http://twice/"}` + "\n")
	for name, text := range map[string]string{"list.jsonl": list.String(), "more.txt": "# a comment\n\n" + s.URL + "/1?by=address\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	output := crawl(t, config)
	docs, reasons := crawled(t, out)
	for id, reason := range want {
		if _, there := docs[id]; there != (reason == "") || reasons[id] != reason {
			t.Errorf("%s: a document: %v, rejected: %q, want %q", id, there, reasons[id], reason)
		}
	}
	if reasons[""] != "broken line" || len(docs) != 6 {
		t.Errorf("%d documents, rejects %v", len(docs), reasons)
	}
	d := docs["one"]
	if !strings.HasPrefix(d.Text, "“We count what we carry,” the President said for the 1th time of story 1") || strings.Contains(d.Text, "Related") || d.Title != "Story 1" ||
		d.Date != "2012-05-01" || d.FrameStatus != "article" || d.RemovedFraction <= 0 || d.Role != "derived" || d.Language != "en" || d.LanguageReason != "source" {
		t.Errorf("%+v", d)
	}
	if d := docs["latin"]; !strings.Contains(d.Text, "waited in the café") || d.Encoding != "windows-1252" || !strings.Contains(d.EncodingReason, "said to be utf-8") {
		t.Errorf("%+v", d)
	}
	if d := docs["dead"]; d.URL != s.URL+"/web/20120506id_/"+s.URL+"/dead" || !strings.Contains(d.Text, "story 9") {
		t.Errorf("%+v", d)
	}
	if docs["moved"].URL != s.URL+"/1?from=moved" || docs[s.URL+"/1?by=address"].Text != d.Text || s.most != 1 {
		t.Errorf("%s, %d at once", docs["moved"].URL, s.most)
	}
	t.Log(output)

	// The archive is a source of its own, also for others.
	warcs := filepath.Join(t.TempDir(), "again")
	if output, err := exec.Command("commonplace", "crawl", "--source", "warc", "--local", filepath.Join(out, "archive"), "--out", warcs, "--shards", "2").CombinedOutput(); err == nil || !strings.Contains(string(output), "max_reject_fraction") {
		t.Errorf("walls and broken pages are more than a twentieth: %v, %s", err, output)
	}
	fromWARC, _ := crawled(t, warcs)
	if got := fromWARC[s.URL+"/1"]; got.Text != d.Text || got.FetchedAt != d.FetchedAt || got.Title != d.Title {
		t.Errorf("from the WARC file: %+v", got)
	}

	// Extraction is repeated without fetching: another shape of the tables asks nothing.
	s.forget()
	began := time.Now()
	crawl(t, config, "--force")
	if log := s.requests(); len(log) > 3 { // what only another run can tell, such as an address that nobody answers
		t.Errorf("%d requests in %v, the first for %s", len(log), time.Since(began), log[0].path)
	}
	again, _ := crawled(t, out)
	for id, d := range docs {
		if again[id].Text != d.Text || again[id].FetchedAt != d.FetchedAt {
			t.Errorf("%s differs when it is extracted again", id)
		}
	}
}

// TestCrawlWrittenAddresses asks once for each address, however the list writes
// it, and keeps no password of one.
func TestCrawlWrittenAddresses(t *testing.T) {
	s := startServer(t, func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasPrefix(r.URL.Path, "/round"):
			http.Redirect(w, r, r.URL.Path+"é", http.StatusFound)
		case r.URL.Path == "/elsewhere":
			w.Header().Set("Location", "ftp://u:canary-5e@example.org/")
			w.WriteHeader(http.StatusFound)
		case r.URL.Path == "/robots.txt":
			http.NotFound(w, r)
		default:
			fmt.Fprint(w, newsPage(1, story(1)))
		}
	})
	host := strings.TrimPrefix(s.URL, "http://")
	list := []string{s.URL + "/oké9", s.URL + "/a b", s.URL + `/"c"`, "HTTP://" + host + "/d", s.URL, s.URL + "/e#part", s.URL + "/x?q=a b", s.URL + "/100%", s.URL + "/x/../f"}
	refused := map[string]string{s.URL + "/round": "endless redirect", s.URL + "/elsewhere": "bad address", "http://...@" + host + "/g": "bad address"}
	lines := append(list, s.URL+"/round", s.URL+"/elsewhere", "http://me:canary-5e@"+host+"/g")
	config, out := writeConfig(t, fmt.Sprintf(loopback, "")+"max_reject_fraction: 1\nsources:\n  - {name: news, kind: articles, files: [list.txt]}\n")
	if err := os.WriteFile(filepath.Join(filepath.Dir(config), "list.txt"), []byte(strings.Join(lines, "\n")), 0o644); err != nil {
		t.Fatal(err)
	}
	crawl(t, config)
	docs, reasons := crawled(t, out)
	for _, line := range list {
		if docs[line].Text == "" {
			t.Errorf("%s: no document: %q", line, reasons[line])
		}
	}
	for id, reason := range refused {
		if reasons[id] != reason {
			t.Errorf("%s: %q, want %q", id, reasons[id], reason)
		}
	}
	if len(docs)+len(reasons) != len(lines) {
		t.Errorf("%d documents and %d rejects of %d", len(docs), len(reasons), len(lines))
	}
	for path, n := range s.counts() {
		if n > 1 {
			t.Errorf("%s was asked for %d times", path, n)
		}
	}
	s.forget()
	crawl(t, config)
	if n := len(s.requests()); n > 0 {
		t.Errorf("the next run asks %d times", n)
	}
	for _, r := range rows(t, table.Rejects, filepath.Join(out, "rejects", "crawl")) {
		if strings.Contains(fmt.Sprint(r), "canary-5e") {
			t.Errorf("a reject holds the password of an address: %+v", r)
		}
	}
}
