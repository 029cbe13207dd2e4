package main

import (
	"fmt"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/table"
)

// crawl runs the stage and returns what the program says.
func crawl(t testing.TB, config string, more ...string) string {
	t.Helper()
	output, err := exec.Command("commonplace", append([]string{"crawl", config}, more...)...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	return string(output)
}

// rows reads all rows of a table's shards.
func rows[T any](t testing.TB, tab *table.Table[T], folder string) []T {
	t.Helper()
	shards, err := filepath.Glob(filepath.Join(folder, "*.parquet"))
	if err != nil || len(shards) == 0 {
		t.Fatalf("%s: %v, no shards", folder, err)
	}
	var all []T
	for _, shard := range shards {
		for row, err := range tab.Rows(t.Context(), shard) {
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, row)
		}
	}
	return all
}

// crawled is what a crawl made: documents, and the reasons of rejects, by id.
func crawled(t testing.TB, out string) (map[string]commonplace.Document, map[string]string) {
	t.Helper()
	docs, reasons := map[string]commonplace.Document{}, map[string]string{}
	for _, d := range rows(t, table.Documents, filepath.Join(out, "documents")) {
		docs[d.ID] = d
	}
	for _, r := range rows(t, table.Rejects, filepath.Join(out, "rejects", "crawl")) {
		reasons[r.ID] = r.Reason
	}
	return docs, reasons
}

// mirrors is a source of the given mirrors.
func mirrors(urls ...string) string {
	return "sources:\n  - {name: pg, kind: gutenberg, fetch: {mirrors: ['" + strings.Join(urls, "', '") + "']}}\n"
}

// TestCrawlMirror crawls a mirror: the best file of each book, politely.
func TestCrawlMirror(t *testing.T) {
	const delay = 5 * time.Millisecond
	s := startServer(t, static(mirror(12)))
	config, out := writeConfig(t, strings.Replace(fmt.Sprintf(loopback, ""), "delay: 1ms", "delay: 5ms", 1)+mirrors(s.URL+"/"))
	crawl(t, config)
	docs, reasons := crawled(t, out)
	if len(docs) != 12 || len(reasons) != 0 {
		t.Fatalf("%d documents, rejects %v", len(docs), reasons)
	}
	for id, want := range map[string]struct{ path, encoding, reason string }{
		"1": {"/0/1/1-0.txt", "utf-8", "valid utf-8"}, "3": {"/cache/epub/3/pg3.txt", "utf-8", "bom"}, "10": {"/1/10/10-8.txt", "windows-1252", "guessed"},
	} {
		d := docs[id]
		if d.URL != s.URL+want.path || d.Encoding != want.encoding || d.EncodingReason != want.reason || d.FetchedAt != "2026-11-21T06:00:00Z" || d.Title != "Book "+id ||
			d.FrameStatus != "removed" || !strings.HasPrefix(d.Text, "The miller of valley "+id) || !strings.HasSuffix(d.Text, "counted none.") {
			t.Errorf("%s: %+v", id, d)
		}
	}
	log := s.requests()
	if log[0].path != "/robots.txt" || s.most != 1 {
		t.Errorf("%d requests at once, the first for %s", s.most, log[0].path)
	}
	for i := 1; i < len(log); i++ {
		if gap := log[i].begin.Sub(log[i-1].end); gap < delay-time.Millisecond {
			t.Errorf("%s came %v after %s", log[i].path, gap, log[i-1].path)
		}
	}
	for _, r := range log {
		if a := r.header.Get("User-Agent"); a != "commonplace/"+commonplace.Version+" (+test@example.org)" {
			t.Fatalf("User-Agent %q", a)
		}
	}
	for path, n := range s.counts() {
		if n != 1 {
			t.Errorf("%s was asked for %d times", path, n)
		}
	}
	plain := out + "-plain"
	crawl(t, config, "--runner", "goroutines", "--out", plain)
	if d := difference(filepath.Join(out, "documents"), filepath.Join(plain, "documents")); d != "" {
		t.Errorf("without Beam: %s", d)
	}
}

// TestCrawlAgain goes over a mirror a second time: it asks for what has changed
// only, and rebuilds what that touches.
func TestCrawlAgain(t *testing.T) {
	files := mirror(12)
	var now atomic.Value // what the mirror answers
	now.Store(static(files))
	s := startServer(t, func(w http.ResponseWriter, r *http.Request) { now.Load().(http.HandlerFunc)(w, r) })
	config, out := writeConfig(t, fmt.Sprintf(loopback, ", refresh: 0s")+"max_reject_fraction: 0.2\n"+mirrors(s.URL))
	crawl(t, config)
	before, _ := crawled(t, out)
	s.forget()
	if output := crawl(t, config); !strings.Contains(output, "fresh") {
		t.Errorf("nothing has changed, and the program says %s", output)
	}
	for _, r := range s.requests() {
		if known := files[r.path] != nil && r.path != "/robots.txt"; known != (r.header.Get("If-None-Match") != "") {
			t.Errorf("%s was asked for with If-None-Match %q", r.path, r.header.Get("If-None-Match"))
		}
	}
	files = maps.Clone(files)
	files["/0/1/1-0.txt"] = []byte(strings.Replace(book(1), "flour", "wheat flour", 1))
	delete(files, "/0/2/2-0.txt")
	now.Store(static(files))
	crawl(t, config)
	after, reasons := crawled(t, out)
	if !strings.Contains(after["1"].Text, "wheat flour") || reasons["2"] != "not found" || len(after) != 11 {
		t.Errorf("%d documents, rejects %v", len(after), reasons)
	}
	for id, d := range after {
		if id != "1" && (d.Text != before[id].Text || d.FetchedAt != before[id].FetchedAt) {
			t.Errorf("%s has changed", id)
		}
	}
	// With the usual age of a crawl, a third one asks nothing at all.
	s.forget()
	calm := strings.Replace(readFile(t, config), ", refresh: 0s", "", 1)
	if err := os.WriteFile(config, []byte(calm), 0o644); err != nil {
		t.Fatal(err)
	}
	crawl(t, config)
	if log := s.requests(); len(log) != 0 {
		t.Errorf("%d requests", len(log))
	}
	// A clock that was years ahead does not put off the next pass for years.
	pass := filepath.Join(out, "archive", "pass.json")
	ahead := regexp.MustCompile(`"ended":"\d+`).ReplaceAllString(readFile(t, pass), `"ended":"2999`)
	if err := os.WriteFile(pass, []byte(ahead), 0o644); err != nil {
		t.Fatal(err)
	}
	crawl(t, config)
	if log := s.requests(); len(log) == 0 || !strings.Contains(ahead, "2999") {
		t.Errorf("%d requests after a pass that ended as %s says", len(log), ahead)
	}
}

func readFile(t testing.TB, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestCrawlKilled kills a crawl at two moments and resumes it: nothing that was
// complete is fetched twice, and every byte of the tables is that of an
// undisturbed run. Where COMMONPLACE_SLOW is set it is a crawl of 200 books that
// is killed at twenty moments.
func TestCrawlKilled(t *testing.T) {
	books, kills := 40, []float64{0.05, 0.6}
	if slow() {
		books, kills = 200, nil
		for i := range 20 {
			kills = append(kills, (float64(i)+0.5)/20)
		}
	}
	s := startServer(t, static(mirror(books)))
	text := fmt.Sprintf(loopback, "") + mirrors(s.URL)
	config, whole := writeConfig(t, text)
	crawl(t, config)
	all := len(s.requests())
	s.forget()
	config, out := writeConfig(t, text)
	last := map[string]bool{} // what was being asked for when a run was killed
	for _, share := range kills {
		run := exec.Command("commonplace", "crawl", config)
		if err := run.Start(); err != nil {
			t.Fatal(err)
		}
		for len(s.requests()) < int(share*float64(all)) {
			time.Sleep(100 * time.Microsecond)
		}
		if err := run.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		if err := run.Wait(); err == nil {
			t.Fatalf("killed at %v of %d requests, it was done already", share, all)
		}
		if log := s.requests(); len(log) > 0 {
			last[log[len(log)-1].path] = true
		}
	}
	crawl(t, config)
	twice := 0
	for path, n := range s.counts() {
		if n > 1 && path != "/robots.txt" {
			if twice += n - 1; !last[path] {
				t.Errorf("%s was asked for %d times, and was not what a killed run was at", path, n)
			}
		}
	}
	if twice > len(kills) {
		t.Errorf("%d requests were made again after %d kills", twice, len(kills))
	}
	t.Logf("%d requests undisturbed; killed %d times: %d, of which %d again", all, len(kills), len(s.requests()), twice)
	for _, folder := range []string{"documents", "rejects"} {
		if d := difference(filepath.Join(whole, folder), filepath.Join(out, folder)); d != "" {
			t.Errorf("%s: %s", folder, d)
		}
	}
	if docs, _ := crawled(t, out); len(docs) != books {
		t.Errorf("%d documents", len(docs))
	}
}

// TestCrawlDeadMirror goes to the next mirror where one is down.
func TestCrawlDeadMirror(t *testing.T) {
	s := startServer(t, static(mirror(3)))
	config, out := writeConfig(t, fmt.Sprintf(loopback, "")+mirrors("http://127.0.0.2:1/", s.URL))
	crawl(t, config)
	if docs, reasons := crawled(t, out); len(docs) != 3 || len(reasons) != 0 {
		t.Errorf("%d documents, rejects %v", len(docs), reasons)
	}
}

// TestCrawlOverHosts follows redirects to another host, which has its own
// robots.txt and its own turn.
func TestCrawlOverHosts(t *testing.T) {
	second := startServer(t, static(map[string][]byte{"/robots.txt": []byte("User-agent: *\nDisallow: /closed/\n"), "/open/1": []byte(book(1)), "/closed/2": []byte(book(2)), "/0/4/4.txt": []byte(book(4))}))
	other := strings.Replace(second.URL, "127.0.0.1", "localhost", 1)
	files := mirror(5)
	first := startServer(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/0/1/1-0.txt":
			http.Redirect(w, r, other+"/open/1", http.StatusFound)
		case "/0/2/2-0.txt":
			http.Redirect(w, r, other+"/closed/2", http.StatusMovedPermanently)
		case "/cache/epub/3/pg3.txt":
			http.Redirect(w, r, "/0/3/3-8.txt", http.StatusFound)
		case "/0/3/3-8.txt":
			w.Write([]byte(book(3)))
		case "/0/4/4-0.txt":
			http.NotFound(w, r)
		default:
			static(files)(w, r)
		}
	})
	config, out := writeConfig(t, fmt.Sprintf(loopback, "")+"max_reject_fraction: 1\n"+mirrors(first.URL, other, "http://127.0.0.2:1/"))
	crawl(t, config)
	docs, reasons := crawled(t, out)
	if got := slices.Sorted(maps.Keys(docs)); !slices.Equal(got, []string{"1", "3", "4", "5"}) || reasons["2"] != "disallowed by robots.txt" {
		t.Errorf("documents %v, rejects %v", got, reasons)
	}
	if docs["1"].URL != other+"/open/1" || docs["4"].URL != other+"/0/4/4.txt" {
		t.Errorf("%s, %s", docs["1"].URL, docs["4"].URL)
	}
	counts := second.counts()
	if counts["/closed/2"] != 0 || counts["/robots.txt"] != 1 || second.most != 1 || first.most != 1 {
		t.Errorf("%v, %d and %d at once", counts, first.most, second.most)
	}
}

// What is forgotten of a crawl is in no answer that the archive keeps, and is not asked
// for again.
func TestForgetAnswers(t *testing.T) {
	for name, archive := range map[string]string{"own": "tables/archive", "shared": "shared/archive"} {
		t.Run(name, func(t *testing.T) { forgetAnswers(t, archive) })
	}
}

func forgetAnswers(t *testing.T, archive string) {
	s := startServer(t, static(mirror(12)))
	config, out := writeConfig(t, fmt.Sprintf(loopback, ", refresh: 1ms, archive: "+archive)+mirrors(s.URL+"/"))
	run(t, nil, ".", 0, "build", config, "--top", "0")
	held := func() (all string) {
		for name, b := range filesOf(t, filepath.Join(filepath.Dir(out), archive)) {
			if strings.HasSuffix(name, ".gz") {
				b = unpacked(b)
			}
			all += name + "\n" + string(b)
		}
		return all
	}
	before, _ := crawled(t, out)
	if text := held(); len(before) != 12 || !strings.Contains(text, "valley 7 counted") || !strings.Contains(text, "7-0.txt") {
		t.Fatalf("%d documents", len(before))
	}
	s.forget()
	output := run(t, nil, ".", 0, "forget", config, "7", "3")
	for _, want := range []string{"forgot 7:", "removed: 1 other version, 3 answers", "nothing is left in the folder", "source pg still has"} {
		if !strings.Contains(output, want) {
			t.Errorf("it does not say %q:\n%s", want, output)
		}
	}
	for _, again := range []bool{false, true} {
		if again {
			if output := run(t, nil, ".", 0, "build", config, "--top", "0"); strings.Contains(output, "not fetched yet") {
				t.Errorf("what is forgotten is missed:\n%s", output)
			}
		}
		if text := held(); strings.Contains(text, "valley 7 ") || strings.Contains(text, "valley 3 ") || strings.Contains(text, "7-0.txt") || !strings.Contains(text, "valley 8 ") {
			t.Errorf("again: %v: the archive has it", again)
		}
		if docs, reasons := crawled(t, out); len(docs) != 10 || len(reasons) != 0 {
			t.Errorf("again: %v: %d documents, rejects %v", again, len(docs), reasons)
		}
	}
	run(t, nil, ".", 0, "build", config, "--offline", "--top", "0") // what is forgotten is not missed
	for path := range s.counts() {
		if strings.Contains(path, "7-0.txt") || strings.Contains(path, "pg3.txt") {
			t.Errorf("%s was asked for", path)
		}
	}
}
