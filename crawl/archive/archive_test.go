package archive

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/commonplace/commonplace/crawl"
	"github.com/commonplace/commonplace/crawl/fetch"
	"github.com/commonplace/commonplace/crawl/warc"
)

var when = time.Date(2026, 11, 21, 6, 0, 0, 0, time.UTC)

// at is an address of a test.
func address(text string) crawl.Address {
	a, err := crawl.ParseAddress(text)
	if err != nil {
		panic(err)
	}
	return a
}

// answer is a response as the fetcher gives it.
func answer(url string, status int, header, body string) *fetch.Response {
	raw := fmt.Sprintf("HTTP/1.1 %d X\r\nDate: Sat, 21 Nov 2026 05:00:00 GMT\r\nContent-Length: %d\r\n%s\r\n%s", status, len(body), header, body)
	if status == 304 {
		raw = "HTTP/1.1 304 Not Modified\r\n\r\n"
	}
	return &fetch.Response{URL: address(url), Status: status, Raw: []byte(raw), At: when}
}

func load(t *testing.T, dir, run string) *Archive {
	t.Helper()
	a, err := Load(dir, run)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func keeper(t *testing.T, a *Archive, host string) *Keeper {
	t.Helper()
	k, err := a.Keep(host, "test/1")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { k.Close() })
	return k
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// outcome is an outcome in one word or two.
func outcome(o Outcome) string {
	switch {
	case o.Next.Valid():
		return "ask " + o.Next.String()
	case o.Found:
		return "found " + o.Entry.URL.String()
	}
	return o.Reason
}

// Two hosts have two files, whatever their names: a site may lead to any number of hosts, of
// which two had one short hash.
func TestHostsHaveFilesOfTheirOwn(t *testing.T) {
	hosts, collisions := map[uint32]string{}, 0
	for n := range 300_000 {
		sum := sha256.Sum256([]byte(strconv.Itoa(n)))
		host := strings.Repeat("a", 60) + "." + strings.Repeat("b", 45) + "." + hex.EncodeToString(sum[:6]) + ".example.org"
		h := fnv.New32a()
		io.WriteString(h, host)
		if other := hosts[h.Sum32()]; other != "" {
			if collisions++; fileName(1, host) == fileName(1, other) {
				t.Fatalf("%s and %s have one file", host, other)
			}
		}
		hosts[h.Sum32()] = host
	}
	if collisions == 0 {
		t.Error("no two hosts have one short hash")
	}
}

// What a server writes into long fields is not kept for each of its answers.
func TestLongFields(t *testing.T) {
	for n, kept := range map[int]bool{1000: true, 20_000: false} {
		long := strings.Repeat("x", n)
		r := answer("https://a.org/a", 200, "ETag: \""+long+"\"\r\nLast-Modified: "+long+"\r\nContent-Type: text/plain; charset="+long+"\r\n", "a text")
		e, of := Describe(warc.Record{Type: warc.Response, URL: "https://a.org/a", Block: r.Raw}, "a", 1<<20)
		if !of || !e.OK() || e.Class != BodyText || (len(e.ETag) > n) != kept || (len(e.Changed) == n) != kept || (len(e.Type) > n) != kept {
			t.Errorf("%d: %+.200v", n, e)
		}
	}
}

// TestResolve goes from address to address, over redirects and missing files.
func TestResolve(t *testing.T) {
	a := load(t, t.TempDir(), "r1")
	k := keeper(t, a, "a.org")
	w := Target{ID: "1", Addresses: []crawl.Address{address("http://a.org/1-0.txt"), address("http://a.org/1.txt"), address("http://b.org/1.txt")}, Form: FormText}
	step := func(want string) {
		t.Helper()
		if got := outcome(a.Resolve(w)); got != want {
			t.Fatalf("%q, want %q", got, want)
		}
	}
	step("ask http://a.org/1-0.txt")
	must(t, k.Response(answer("http://a.org/1-0.txt", 404, "", "no")))
	step("ask http://a.org/1.txt")
	must(t, k.Response(answer("http://a.org/1.txt", 302, "Location: /moved\r\n", "")))
	step("ask http://a.org/moved")
	must(t, k.Response(answer("http://a.org/moved", 301, "Location: http://c.org/1\r\n", "")))
	step("ask http://c.org/1")
	must(t, k.Response(answer("http://c.org/1", 200, "Content-Type: text/html\r\n", "<html><body>An error page</body></html>")))
	step("ask http://b.org/1.txt")
	must(t, k.Failure(address("http://b.org/1.txt"), &fetch.Failure{Reason: "gave up after 5", Detail: "status 503\r\nx: y", Temporary: true}))
	step(ReasonNotText)
	w.Addresses[2] = address("http://d.org/1.txt")
	step("ask http://d.org/1.txt")
	must(t, k.Response(answer("http://d.org/1.txt", 200, "", "a book")))
	step("found http://d.org/1.txt")
	o := a.Resolve(w)
	m, err := a.Answer(o.Entry, 100)
	if err != nil || string(m.Body) != "a book" || o.Entry.Fetched != "2026-11-21T05:00:00Z" || o.Entry.Bytes != 6 {
		t.Errorf("%+v, %v, %+v", m, err, o.Entry)
	}
	if _, err := a.Answer(o.Entry, 3); err == nil {
		t.Error("six bytes where three may be")
	}
}

func TestRedirectsEnd(t *testing.T) {
	a := load(t, t.TempDir(), "r1")
	k := keeper(t, a, "a.org")
	must(t, k.Response(answer("http://a.org/x", 302, "Location: /y\r\n", "")))
	must(t, k.Response(answer("http://a.org/y", 302, "Location: /x\r\n", "")))
	for i := range 20 {
		must(t, k.Response(answer(fmt.Sprintf("http://a.org/%d", i), 302, fmt.Sprintf("Location: /%d\r\n", i+1), "")))
	}
	for _, first := range []string{"http://a.org/x", "http://a.org/0"} {
		if got := outcome(a.Resolve(Target{Addresses: []crawl.Address{address(first)}, Form: FormAny})); got != ReasonRedirects {
			t.Errorf("%s: %s", first, got)
		}
	}
	if got := outcome(a.Resolve(Target{})); got != ReasonNotFound {
		t.Errorf("without an address: %s", got)
	}
}

// TestPasses asks again in a new pass, with conditions; what has not changed
// keeps its answer, and what cannot be had now keeps its old one.
func TestPasses(t *testing.T) {
	dir := t.TempDir()
	a := load(t, dir, "r1")
	k := keeper(t, a, "a.org")
	want := func(path string) Target {
		return Target{ID: path, Addresses: []crawl.Address{address("http://a.org/" + path)}, Form: FormText}
	}
	for _, p := range []string{"same", "new", "busy", "gone", "closed"} {
		must(t, k.Response(answer("http://a.org/"+p, 200, "ETag: \"1\"\r\nLast-Modified: Fri, 20 Nov 2026 05:00:00 GMT\r\n", "a book")))
	}
	must(t, k.Failure(address("http://a.org/luck"), &fetch.Failure{Reason: "gave up after 5", Detail: "status 503", Temporary: true}))
	must(t, a.SetPass(t.Context(), Pass{Number: 1, Done: true, Ended: "2026-11-21T06:00:00Z"}))

	// Another run of the same pass tries again what luck may give, and nothing else.
	a = load(t, dir, "r2")
	for path, now := range map[string]string{"same": "found http://a.org/same", "luck": "ask http://a.org/luck", "never": "ask http://a.org/never"} {
		if got := outcome(a.Resolve(want(path))); got != now {
			t.Errorf("%s: %s", path, got)
		}
	}
	if got := outcome(a.Best(want("luck"))); got != "gave up after 5" {
		t.Errorf("luck: %s", got)
	}
	if got := outcome(a.Best(want("never"))); got != ReasonNotFetched {
		t.Errorf("never: %s", got)
	}

	must(t, a.SetPass(t.Context(), Pass{Number: 2}))
	o := a.Resolve(want("same"))
	if outcome(o) != "ask http://a.org/same" || o.Entry.ETag != `"1"` || o.Entry.Changed != "Fri, 20 Nov 2026 05:00:00 GMT" {
		t.Errorf("%+v", o)
	}
	first := o.Entry
	k = keeper(t, a, "a.org")
	must(t, k.Response(answer("http://a.org/same", 304, "", "")))
	must(t, k.Response(answer("http://a.org/new", 200, "", "another book")))
	must(t, k.Response(answer("http://a.org/gone", 404, "", "")))
	must(t, k.Failure(address("http://a.org/busy"), &fetch.Failure{Reason: "gave up after 5", Detail: "status 503", Temporary: true}))
	must(t, k.Failure(address("http://a.org/closed"), &fetch.Failure{Reason: "disallowed by robots.txt", Detail: "it says so"}))
	check := func(a *Archive, how string) {
		t.Helper()
		for path, now := range map[string]string{"same": "found http://a.org/same", "new": "found http://a.org/new", "gone": ReasonNotFound, "busy": "found http://a.org/busy", "closed": "disallowed by robots.txt"} {
			if got := outcome(a.Resolve(want(path))); got != now {
				t.Errorf("%s, %s: %s, want %s", how, path, got, now)
			}
		}
		if e := a.Resolve(want("same")).Entry; e.File != first.File || e.Offset != first.Offset || e.Fetched != first.Fetched {
			t.Errorf("%s: %+v, was %+v", how, e, first)
		}
	}
	check(a, "at once")
	check(load(t, dir, "r2"), "read again")
	names, err := filepath.Glob(filepath.Join(dir, "*.index"))
	if err != nil || len(names) != 2 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		must(t, os.Remove(name))
	}
	check(load(t, dir, "r2"), "without an index")
}

// TestKilled cuts files at many places: what was whole stays known, the rest can
// be kept again.
func TestKilled(t *testing.T) {
	dir := t.TempDir()
	a := load(t, dir, "r")
	k := keeper(t, a, "a.org")
	var ends []int64
	for i := range 4 {
		must(t, k.Response(answer(fmt.Sprintf("http://a.org/%d", i), 200, "", strings.Repeat("a book ", i+1))))
		ends = append(ends, a.known(address(fmt.Sprintf("http://a.org/%d", i))).answer.End)
	}
	must(t, k.Close())
	path := filepath.Join(dir, k.name)
	file, err := os.ReadFile(path)
	must(t, err)
	index, err := os.ReadFile(indexOf(path))
	must(t, err)
	for cut := 0; cut <= len(file); cut += 41 {
		for _, indexCut := range []int{0, len(index) / 2, len(index)} {
			other := t.TempDir()
			at := filepath.Join(other, k.name)
			must(t, os.WriteFile(at, file[:cut], 0o644))
			must(t, os.WriteFile(indexOf(at), index[:indexCut], 0o644))
			again := load(t, other, "r")
			kept, err := again.Keep("a.org", "test/1")
			must(t, err)
			must(t, kept.Response(answer("http://a.org/9", 200, "", "the ninth")))
			must(t, kept.Close())
			for _, b := range []*Archive{again, load(t, other, "r")} {
				for i, end := range ends {
					found := outcome(b.Best(Target{Addresses: []crawl.Address{address(fmt.Sprintf("http://a.org/%d", i))}, Form: FormText})) != ReasonNotFetched
					if found != (end <= int64(cut)) {
						t.Fatalf("cut at %d of %d, index at %d of %d: record %d, which ends at %d, is found: %v", cut, len(file), indexCut, len(index), i, end, found)
					}
				}
				o := b.Best(Target{Addresses: []crawl.Address{address("http://a.org/9")}, Form: FormText})
				if m, err := b.Answer(o.Entry, 100); err != nil || string(m.Body) != "the ninth" {
					t.Fatalf("cut at %d: %v, %v", cut, o, err)
				}
			}
		}
	}
}

func TestFileName(t *testing.T) {
	names := map[string]string{}
	for _, host := range []string{"a.org", "A.org", "::1", "127.0.0.1", "../../etc", "a/b", "", strings.Repeat("a", 300), strings.Repeat("a", 301), "münchen.de", "con"} {
		name := fileName(3, host)
		if other, twice := names[name]; twice {
			t.Errorf("%q and %q are both %s", host, other, name)
		}
		names[name] = host
		if filepath.Base(name) != name || !strings.HasPrefix(name, "00003-") || len(name) > 140 || passOf(name) != 3 {
			t.Errorf("%q: %s", host, name)
		}
	}
}

func TestLook(t *testing.T) {
	long := "<p>" + strings.Repeat("A sentence about captchas and consent, as long as an article. ", 60) + "</p>"
	for _, c := range []struct{ body, contentType, want string }{
		{"", "", BodyEmpty}, {"\ufeff \r\n", "", BodyEmpty}, {"a book", "text/html", BodyText}, {"<br>a page in part", "text/html", BodyPage},
		{"a < b", "", BodyText}, {"<!DOCTYPE html><html><p>x", "text/plain", BodyPage}, {"\xef\xbb\xbf<HTML>x", "", BodyPage}, {"<?xml version='1.0'?><html>", "", BodyPage},
		{"<?xml version='1.0'?><TEI>", "", BodyText}, {"\x1f\x8b\x08\x00", "", BodyOther}, {"%PDF-1.4", "", BodyOther}, {"PK\x03\x04", "", BodyOther}, {"a\x00b", "", BodyOther},
		{"<html><p>*** START OF THIS PROJECT GUTENBERG EBOOK X ***", "", BodyBook},
		{"<html><title>Just a moment...</title>", "", BodyInterstitial}, {"<html><body><div class=g-recaptcha></div>", "", BodyInterstitial}, {"<html><p>Are you a robot?", "", BodyInterstitial},
		{"<html><p>Bevor Sie fortfahren", "", BodyInterstitial}, {"<html><h1>Access Denied</h1>", "", BodyInterstitial},
		{"<html><script>var captcha = 1</script><p>Hello", "", BodyPage}, {"<html><body>" + long, "", BodyPage}, {"<html><body class=g-recaptcha>" + long, "", BodyPage},
	} {
		if got := Classify([]byte(c.body), c.contentType); got != c.want {
			t.Errorf("%.60q as %s: %s, want %s", c.body, c.contentType, got, c.want)
		}
	}
}

func TestDamagedPass(t *testing.T) {
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, passFile), []byte("{"), 0o644))
	if _, err := Load(dir, "r"); err == nil || !strings.Contains(err.Error(), "delete it") {
		t.Errorf("%v", err)
	}
}

// TestEarlierArchives reads records and indexes of versions that kept addresses
// as they had asked for them: what they are of is found under its form.
func TestEarlierArchives(t *testing.T) {
	dir := t.TempDir()
	name := fileName(1, "a.org")
	w, err := warc.Open(filepath.Join(dir, name), 0, func(warc.Record) {})
	must(t, err)
	for i, url := range []string{"http://A.org", "http://a.org/x#part", "http://a.org:80/y?q=a b", "http://a.org/z"} {
		r := answer("http://a.org/", 200, "", fmt.Sprintf("text %d", i))
		if url == "http://a.org/z" {
			r = answer("http://a.org/", 302, "Location: HTTP://A.org:80/x#other\r\n", "")
		}
		_, err := w.Write(warc.Record{Type: warc.Response, URL: url, Date: when, ContentType: "application/http;msgtype=response", Block: r.Raw})
		must(t, err)
	}
	must(t, w.Close())
	check := func(how string) {
		t.Helper()
		a := load(t, dir, "r")
		for url, body := range map[string]string{"http://a.org/": "text 0", "HTTP://a.org/x": "text 1", "http://a.org/y?q=a%20b": "text 2", "http://a.org/z": "text 1"} {
			o := a.Resolve(Target{Addresses: []crawl.Address{address(url)}, Form: FormText})
			if m, err := a.Answer(o.Entry, 100); err != nil || string(m.Body) != body {
				t.Errorf("%s, %s: %s, %q, %v", how, url, outcome(o), m.Body, err)
			}
		}
	}
	check("without an index")
	must(t, keeper(t, load(t, dir, "r"), "a.org").Close())
	index, err := os.ReadFile(indexOf(filepath.Join(dir, name)))
	must(t, err)
	earlier := strings.NewReplacer(`"url":"http://a.org/"`, `"url":"http://A.org"`, `"url":"http://a.org/x"`, `"url":"http://a.org/x#part"`, `"to":"http://a.org/x"`, `"to":"HTTP://A.org:80/x"`).Replace(string(index))
	if earlier == string(index) {
		t.Fatalf("%s", index)
	}
	must(t, os.WriteFile(indexOf(filepath.Join(dir, name)), []byte(earlier), 0o644))
	check("with an earlier index")
}

// TestRequestsEnd counts the requests of a fetch target on servers that lead on and on.
func TestRequestsEnd(t *testing.T) {
	a := load(t, t.TempDir(), "r")
	k := keeper(t, a, "a.org")
	w := Target{ID: "1", Form: FormText}
	for i := range 20 {
		w.Addresses = append(w.Addresses, address(fmt.Sprintf("http://a.org/%d/0", i)))
	}
	requests := 0
	for o := a.Resolve(w); o.Next.Valid(); o = a.Resolve(w) {
		if requests++; requests > 1000 {
			t.Fatal("no end")
		}
		must(t, k.Response(answer(o.Next.String(), 302, "Location: "+o.Next.String()+"0\r\n", "")))
	}
	if most := len(w.Addresses) + maxTargetHops; requests > most || outcome(a.Resolve(w)) != ReasonRedirects {
		t.Errorf("%d requests, more than %d: %s", requests, most, outcome(a.Resolve(w)))
	}
	must(t, k.Response(answer("http://a.org/elsewhere", 302, "Location: ftp://u:secret@a.org/\r\n", "")))
	o := a.Resolve(Target{Addresses: []crawl.Address{address("http://a.org/elsewhere")}})
	if outcome(o) != ReasonAddress || strings.Contains(o.Detail, "secret") {
		t.Errorf("%+v", o)
	}
}

// What a run was writing that was killed while it set a pass is removed by the next
// one, and nothing else is.
func TestKilledPass(t *testing.T) {
	dir := t.TempDir()
	left, others := ".pass.json.0123456789ab.tmp", []string{".pass.json.tmp", "pass.json.0123456789ab.tmp", ".notes.0123456789ab.tmp"}
	for _, name := range append(others, left) {
		must(t, os.WriteFile(filepath.Join(dir, name), []byte("{"), 0o644))
	}
	must(t, load(t, dir, "r").SetPass(t.Context(), Pass{Number: 2}))
	if _, err := os.Stat(filepath.Join(dir, left)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%s is left: %v", left, err)
	}
	for _, name := range others {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
	must(t, load(t, filepath.Join(dir, "new"), "r").SetPass(t.Context(), Pass{Number: 1}))
}

// What is removed is in no byte of the archive, the rest is as it was, also for the next
// pass, and nothing of a killed removal stays.
func TestRemove(t *testing.T) {
	dir := t.TempDir()
	a := load(t, dir, "r1")
	k, other := keeper(t, a, "a.org"), keeper(t, a, "b.org")
	target := func(n int) Target {
		return Target{Addresses: []crawl.Address{address(fmt.Sprintf("http://a.org/%d.txt", n))}, Form: FormText}
	}
	for n := range 3 {
		must(t, k.Response(answer(fmt.Sprintf("http://a.org/%d.txt", n), 302, fmt.Sprintf("Location: http://b.org/%d.txt\r\n", n), "")))
		must(t, other.Response(answer(fmt.Sprintf("http://b.org/%d.txt", n), 200, "Content-Type: text/plain\r\n", fmt.Sprintf("the text of book %d", n))))
	}
	must(t, errors.Join(k.Close(), other.Close()))
	left := filepath.Join(dir, ".00001-b.org.warc.gz.0123456789ab.tmp")
	must(t, os.WriteFile(left, nil, 0o644))
	gone := map[crawl.Address]bool{}
	for _, address := range a.Trail(target(1)) {
		gone[address] = true
	}
	if n, err := a.Remove(t.Context(), gone); n != 2 || err != nil || len(gone) != 2 {
		t.Errorf("%d of %d records are removed (%v)", n, len(gone), err)
	}
	if _, err := os.Stat(left); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("what a killed removal left is there (%v)", err)
	}
	names, err := os.ReadDir(dir)
	must(t, err)
	for _, name := range names {
		b, err := os.ReadFile(filepath.Join(dir, name.Name()))
		must(t, err)
		if z, err := gzip.NewReader(bytes.NewReader(b)); err == nil {
			b, err = io.ReadAll(z)
			must(t, err)
		}
		if bytes.Contains(b, []byte("b.org/1.txt")) || bytes.Contains(b, []byte("the text of book 1")) {
			t.Errorf("%s has it", name.Name())
		}
	}
	for _, indexed := range []bool{true, false} {
		a = load(t, dir, "r1")
		for n, want := range []string{"found http://b.org/0.txt", "ask http://a.org/1.txt", "found http://b.org/2.txt"} {
			o := a.Resolve(target(n))
			if outcome(o) != want {
				t.Errorf("book %d: %s, want %s", n, outcome(o), want)
			}
			if m, err := a.Answer(o.Entry, 1<<20); o.Found && (err != nil || string(m.Body) != fmt.Sprintf("the text of book %d", n)) {
				t.Errorf("book %d is %q (%v), with indexes: %v", n, m.Body, err, indexed)
			}
		}
		for _, name := range names {
			if strings.HasSuffix(name.Name(), ".index") {
				must(t, os.Remove(filepath.Join(dir, name.Name())))
			}
		}
		names = nil
	}
	if n, err := a.Remove(t.Context(), gone); n != 0 || err != nil {
		t.Errorf("again, %d are removed (%v)", n, err)
	}
}
