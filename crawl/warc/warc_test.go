package warc

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"net/textproto"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/commonplace/commonplace/bounded"
)

var when = time.Date(2026, 11, 21, 6, 0, 0, 0, time.UTC)

const message = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello"

func sample(n int) Record {
	return Record{Type: Response, URL: fmt.Sprintf("http://example.org/%d.txt", n), Date: when, ContentType: "application/http;msgtype=response",
		Fields: textproto.MIMEHeader{"Warc-Ip-Address": {"192.0.2.1"}}, Block: []byte(message)}
}

// TestWriteAndRead checks what is read against what was written, by scan and by offset.
func TestWriteAndRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a"+Extension)
	w, err := Open(path, 0, func(Record) { t.Error("a new file holds a record") })
	if err != nil {
		t.Fatal(err)
	}
	var places []Place
	for i := range 3 {
		at, err := w.Write(sample(i))
		if err != nil {
			t.Fatal(err)
		}
		places = append(places, at)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	n := 0
	for r, broken := range Scan(context.Background(), f, 0, 0, bounded.Limits{}) {
		if broken != nil {
			t.Fatal(broken)
		}
		if r.URL != sample(n).URL || string(r.Block) != message || !r.Date.Equal(when) || r.Type != Response || r.At != places[n] || r.Fields.Get("WARC-IP-Address") != "192.0.2.1" {
			t.Errorf("record %d: %+v at %+v", n, r, places[n])
		}
		n++
	}
	if n != 3 {
		t.Errorf("%d records", n)
	}
	r, err := ReadAt(path, places[1].Offset, 0, bounded.Limits{})
	if err != nil || r.URL != sample(1).URL {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err := ReadAt(path, places[2].End, 0, bounded.Limits{}); err == nil {
		t.Error("a record behind the end")
	}
}

// TestTornEnd cuts a file at every byte: whole records stay, the torn one goes,
// and the next one is behind what stayed.
func TestTornEnd(t *testing.T) {
	dir := t.TempDir()
	first, err := member(sample(0))
	if err != nil {
		t.Fatal(err)
	}
	second, err := member(sample(1))
	if err != nil {
		t.Fatal(err)
	}
	both := append(bytes.Clone(first), second...)
	for cut := 0; cut <= len(both); cut += 7 {
		path := filepath.Join(dir, fmt.Sprint(cut))
		if err := os.WriteFile(path, both[:cut], 0o644); err != nil {
			t.Fatal(err)
		}
		var seen []string
		w, err := Open(path, 0, func(r Record) { seen = append(seen, r.URL) })
		if err != nil {
			t.Fatal(err)
		}
		want := 0
		if cut >= len(first) {
			want = 1
		}
		if cut == len(both) {
			want = 2
		}
		if len(seen) != want {
			t.Errorf("cut at %d of %d: %v, want %d", cut, len(both), seen, want)
		}
		at, err := w.Write(sample(9))
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if r, err := ReadAt(path, at.Offset, 0, bounded.Limits{}); err != nil || r.URL != sample(9).URL {
			t.Errorf("cut at %d: %+v, %v", cut, r, err)
		}
	}
}

// plain is a record as other crawlers write it into a file without compression.
func plain(url, block string) string {
	return "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:1>\r\nWARC-Date: 2020-01-02T03:04:05Z\r\nWARC-Target-URI: <" + url + ">\r\n" +
		"Content-Type: application/http; msgtype=response\r\nContent-Length: " + fmt.Sprint(len(block)) + "\r\n\r\n" + block + "\r\n\r\n"
}

func zip(s string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte(s))
	z.Close()
	return b.String()
}

// TestForeign reads what other programs write, and what is wrong with it.
func TestForeign(t *testing.T) {
	good, long := plain("http://a.org/", message), plain("http://long.org/", strings.Repeat("x", 5000))
	for _, c := range []struct{ name, file, want string }{
		{"plain", good + good, "http://a.org/ http://a.org/"},
		{"gzip", zip(good) + zip(good), "http://a.org/ http://a.org/"},
		{"one member for all", zip(good + good), "http://a.org/ http://a.org/"},
		{"one member, then another", zip(good+good) + zip(good), "http://a.org/ http://a.org/ http://a.org/"},
		{"garbage behind a record", zip(good+"garbage") + zip(good), "http://a.org/ !broken warc http://a.org/"},
		{"empty", "", ""},
		{"cut plain", good + good[:200], "http://a.org/ !broken warc."},
		{"cut gzip", zip(good) + zip(good)[:80], "http://a.org/ !broken warc."},
		{"too long", long + good, "!over the limit http://a.org/"},
		{"blank lines between", good + "\r\n\n" + good + "\r\n", "http://a.org/ http://a.org/"},
		{"blank lines in a member", zip("\r\n"+good+"\r\n") + zip(good), "http://a.org/ http://a.org/"},
		{"an empty member", zip("") + zip(good), "!broken warc http://a.org/"},
		{"gzip in gzip", zip("x"+zip(good)) + zip(good), "!broken warc http://a.org/"},
		{"garbage, then gzip", "x" + zip(good), "!broken warc."},
		{"too long gzip", zip(long) + zip(good), "!over the limit http://a.org/"},
		{"bad header", zip("WARC/\n") + zip(good), "!broken warc http://a.org/"},
		{"no length", zip("WARC/1.0\r\nWARC-Type: response\r\n\r\n") + zip(good), "!broken warc http://a.org/"},
		{"endless header", "WARC/1.0\r\n" + strings.Repeat("x", 2<<20), "!broken warc."},
		{"endless header gzip", zip("WARC/1.0\r\n"+strings.Repeat("x", 2<<20)) + zip(good), "!broken warc http://a.org/"},
		{"no warc", "hello, this is a text", "!broken warc."},
		{"bomb", zip(plain("http://b.org/", strings.Repeat("\x00", 20<<20))) + zip(good), "!over the limit http://a.org/"},
	} {
		var got []string
		for r, broken := range Scan(context.Background(), strings.NewReader(c.file), 0, 4000, bounded.Limits{}) {
			switch {
			case broken == nil:
				got = append(got, r.URL)
			case broken.Over:
				got = append(got, "!"+broken.Reason+".")
			default:
				got = append(got, "!"+broken.Reason)
			}
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s: %q, want %q", c.name, s, c.want)
		}
	}
}

// FuzzScan never falls over, and what it reads stays within its limits.
func FuzzScan(f *testing.F) {
	good := plain("http://a.org/", message)
	ours, err := member(sample(1))
	if err != nil {
		f.Fatal(err)
	}
	for _, s := range []string{"", good, zip(good), string(ours), good[:100], "WARC/\n", "WARC/1.0\r\nContent-Length: -1\r\n\r\n", "WARC/1.1\r\nContent-Length: 99999999999\r\n\r\nabc",
		"\x1f\x8b", zip("WARC/1.0\n\n"), "WARC/1.0\r\nWARC-Target-URI: =?utf-8?q?x?=\r\n y\r\nContent-Length: 1\r\n\r\nx\r\n\r\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		last := int64(-1)
		for r, broken := range Scan(context.Background(), bytes.NewReader(file), 0, 1<<16, bounded.Limits{}) {
			if len(r.Block) > 1<<16 {
				t.Fatalf("a block of %d bytes", len(r.Block))
			}
			if broken == nil && (r.At.End < r.At.Offset || r.At.Offset < last || r.At.End > int64(len(file))) {
				t.Fatalf("a record at %+v behind %d in a file of %d bytes", r.At, last, len(file))
			}
			last = max(last, r.At.End)
		}
		// What a crawl cuts off takes no record with it.
		whole := 0
		end, err := Whole(bytes.NewReader(file), 0, func(Record) { whole++ })
		if err == nil {
			again, err := Whole(bytes.NewReader(file[:end]), 0, func(Record) { whole-- })
			if err != nil || again != end || whole != 0 {
				t.Fatalf("cut at byte %d of %d, the file ends at %d and has %d records fewer: %v", end, len(file), again, whole, err)
			}
		}
	})
}

// A record needs no file of the machine's temporary folder, which a build does not
// use: there is none here.
func TestNoTemporaryFiles(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", filepath.Join(dir, "gone"))
	w, err := Open(filepath.Join(dir, "a"+Extension), 0, func(Record) {})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for _, size := range []int{0, 1, 1 << 20, 2 << 20} {
		r := Record{Type: Response, URL: "http://a.org/", Date: time.Unix(1, 0), ContentType: "application/http;msgtype=response", Block: bytes.Repeat([]byte("a b"), size)}
		at, err := w.Write(r)
		if err != nil {
			t.Fatalf("%d: %v", size, err)
		}
		if back, err := ReadAt(filepath.Join(dir, "a"+Extension), at.Offset, 0, Own); err != nil || !bytes.Equal(back.Block, r.Block) {
			t.Errorf("%d: %d bytes, %v", size, len(back.Block), err)
		}
	}
}
