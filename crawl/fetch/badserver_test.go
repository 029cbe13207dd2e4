package fetch

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"log"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/commonplace/commonplace/crawl"
)

func zipped(s string) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte(s))
	z.Close()
	return b.Bytes()
}

func encoded(encoding string, body []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", encoding)
		w.Write(body)
	}
}

// hijacked answers with bytes of our own and closes the connection.
func hijacked(answer string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			panic(err)
		}
		conn.Write([]byte(answer))
		conn.Close()
	}
}

// endless writes until nobody reads.
func endless(w http.ResponseWriter, r *http.Request) {
	line := bytes.Repeat([]byte("And so on. "), 1000)
	for {
		if _, err := w.Write(line); err != nil {
			return
		}
	}
}

// dripped begins an answer and goes on a little at a time, without an end.
func dripped(begin, more string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			panic(err)
		}
		defer conn.Close()
		for text := begin; ; text = more {
			if _, err := conn.Write([]byte(text)); err != nil {
				return
			}
			time.Sleep(20 * time.Millisecond)
		}
	}
}

// TestBadServers is the network's part of the table of bad inputs: each case
// ends in a reason, in bounded memory, and nothing is kept of it.
func TestBadServers(t *testing.T) {
	bomb := zipped(strings.Repeat("\x00", 30<<20))
	for _, b := range []struct {
		name    string
		handler http.HandlerFunc
		want    string
		tries   int
	}{
		{"good", says("a book"), "", 1},
		{"compressed", encoded("gzip", zipped("a book")), "", 1},
		{"compressed and said so in capitals", encoded("X-GZIP", zipped("a book")), "", 1},
		{"missing", http.NotFound, "", 1}, // an answer, though not a book
		{"cut body", hijacked("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"), "gave up after 3", 3},
		{"cut chunk", hijacked("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\nhalf"), "gave up after 3", 3},
		{"chunks without the last", hijacked("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n"), "gave up after 3", 3},
		{"cut gzip", encoded("gzip", zipped(strings.Repeat("a book ", 999))[:40]), "gave up after 3", 3},
		{"broken gzip", encoded("gzip", []byte("no gzip at all")), "gave up after 3", 3},
		{"no answer", hijacked(""), "gave up after 3", 3},
		{"no HTTP", hijacked("SSH-2.0-OpenSSH_9.6\r\n"), "gave up after 3", 3},
		{"bad length", hijacked("HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nx"), "gave up after 3", 3},
		{"two lengths", hijacked("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx"), "gave up after 3", 3},
		{"endless body", endless, ReasonLimit, 1},
		{"endless header", func(w http.ResponseWriter, r *http.Request) {
			conn, _, _ := w.(http.Hijacker).Hijack()
			defer conn.Close()
			conn.Write([]byte("HTTP/1.1 200 OK\r\n"))
			for {
				if _, err := conn.Write([]byte("X: " + strings.Repeat("y", 9999) + "\r\n")); err != nil {
					return
				}
			}
		}, "gave up after 3", 3},
		{"long promise", func(w http.ResponseWriter, r *http.Request) { w.Header().Set("Content-Length", "99999999999") }, ReasonLimit, 1},
		{"gzip bomb", encoded("gzip", bomb), ReasonLimit, 1},
		{"bomb in a bomb", encoded("gzip, gzip", zipped(string(bomb))), ReasonLimit, 1},
		{"three layers", encoded("gzip, gzip, gzip", bomb), ReasonEncoding, 1},
		{"brotli unasked", encoded("br", []byte("x")), ReasonEncoding, 1},
		{"server error", status(500), "gave up after 3", 3},
		{"unavailable", status(503, "Retry-After", "0"), "gave up after 3", 3},
		{"come back next year", status(429, "Retry-After", "31536000"), ReasonGaveUp, 1},
		{"not implemented", status(501), ReasonGaveUp, 1},
		{"many continues", hijacked(strings.Repeat("HTTP/1.1 103 Early Hints\r\n\r\n", 100) + "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\na book"), "", 1},
		{"continue, then an answer", hijacked("HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\na book"), "", 1},
	} {
		t.Run(b.name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, map[string]http.HandlerFunc{"/a": b.handler})
			c := New(quick(func(m *Policy) { m.MaxBytes, m.Timeout = 1<<20, time.Minute }))
			r, f := c.Get(t.Context(), at(s.URL+"/a"), Request{})
			if reason(f) != b.want {
				t.Errorf("%v, want %q", f, b.want)
			}
			if f == nil && r.Status == 200 {
				if m, err := Read(r.Raw, 1<<20); err != nil || string(m.Body) != "a book" {
					t.Errorf("%q: %v", r.Raw, err)
				}
			}
			if f != nil && strings.Contains(f.Detail, s.URL) {
				t.Errorf("the detail holds the address: %s", f.Detail)
			}
			s.CloseClientConnections()
			if n := len(s.asked()) - 1; n != b.tries {
				t.Errorf("%d requests, want %d", n, b.tries)
			}
		})
	}
}

// TestSlowServers end by the timeout, before the header or in the midst of the
// body, however often a byte comes.
func TestSlowServers(t *testing.T) {
	s := serve(t, map[string]http.HandlerFunc{
		"/drip": func(w http.ResponseWriter, r *http.Request) {
			for r.Context().Err() == nil {
				if _, err := w.Write([]byte("x")); err != nil {
					return
				}
				w.(http.Flusher).Flush()
				time.Sleep(20 * time.Millisecond)
			}
		},
		"/silent": func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
		"/header": dripped("HTTP/1.1 200 OK\r\nX-Long: ", "x"),
		"/hints":  dripped("HTTP/1.1 103 Early Hints\r\n\r\n", "HTTP/1.1 103 Early Hints\r\n\r\n"),
		"/chunks": dripped("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "1\r\nx\r\n"),
	})
	for _, path := range []string{"/drip", "/silent", "/header", "/hints", "/chunks"} {
		c := New(quick(func(m *Policy) { m.Timeout, m.Tries = time.Second, 1 }))
		if _, f := c.Get(t.Context(), at(s.URL+path), Request{}); reason(f) != "gave up after 1" || f.Detail != "no whole answer within the timeout" {
			t.Errorf("%s: %v", path, f)
		}
	}
}

// TestMemory checks what a bomb and an endless body cost against their limit.
func TestMemory(t *testing.T) {
	s := serve(t, map[string]http.HandlerFunc{"/bomb": encoded("gzip", zipped(strings.Repeat("\x00", 64<<20))), "/endless": endless})
	c := New(quick(func(m *Policy) { m.MaxBytes = 4 << 20 }))
	for _, p := range []string{"/bomb", "/endless"} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, f := c.Get(t.Context(), at(s.URL+p), Request{}); reason(f) != ReasonLimit {
			t.Errorf("%s: %v", p, f)
		}
		runtime.ReadMemStats(&after)
		if used := after.TotalAlloc - before.TotalAlloc; used > 48<<20 {
			t.Errorf("%s: %d MB were allocated for a limit of 4 MB", p, used>>20)
		}
	}
}

// TestPrivateAddresses asks for what nobody outside may make us ask for.
func TestPrivateAddresses(t *testing.T) {
	c := New(Policy{Contact: "x", Delay: time.Millisecond, Tries: 1})
	for _, host := range []string{"127.0.0.1", "127.1.2.3", "[::1]", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "[fe80::1]", "[fd00::1]", "0.0.0.0", "[::]",
		"100.64.0.1", "198.18.0.1", "[::ffff:127.0.0.1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "224.0.0.1", "255.255.255.255", "192.0.0.1", "localhost", "2130706433", "0x7f.1"} {
		_, f := c.Get(t.Context(), at("http://"+host+"/a"), Request{})
		if r := reason(f); r != ReasonPrivate && !(r == ReasonNoRobots && (host == "2130706433" || host == "0x7f.1")) { // those two are no addresses to Go, but names that nobody has
			t.Errorf("%s: %v", host, f)
		}
	}
	for _, ip := range []string{"8.8.8.8:80", "[2606:4700::1111]:443", "192.0.1.1:80"} {
		if err := public(ip); err != nil {
			t.Errorf("%s: %v", ip, err)
		}
	}
	if _, f := c.Get(t.Context(), crawl.Address{}, Request{}); reason(f) != ReasonAddress {
		t.Errorf("no address: %v", f)
	}
}

// TestRebinding allows a name and not the address behind another.
func TestRebinding(t *testing.T) {
	s := serve(t, map[string]http.HandlerFunc{"/a": says("a")})
	c := New(quick(func(m *Policy) { m.Private = []string{strings.TrimPrefix(s.URL, "http://")} }))
	if _, f := c.Get(t.Context(), at(s.URL+"/a"), Request{}); f != nil {
		t.Error(f)
	}
	if _, f := c.Get(t.Context(), at(s.onHost("localhost")+"/a"), Request{}); reason(f) != ReasonPrivate {
		t.Errorf("a name that leads to loopback: %v", f)
	}
}

// TestSitesForPeople refuses them, feeds aside.
func TestSitesForPeople(t *testing.T) {
	s := serve(t, map[string]http.HandlerFunc{"/feeds/a": says("a"), "/books/a": says("a")})
	c := New(quick(func(m *Policy) { m.ForPeople, m.ForRobots = []string{"localhost"}, []string{"/feeds/"} }))
	if _, f := c.Get(t.Context(), at(s.onHost("localhost")+"/books/a"), Request{}); reason(f) != ReasonPeople {
		t.Error(f)
	}
	if _, f := c.Get(t.Context(), at(s.onHost("localhost")+"/feeds/a"), Request{}); f != nil {
		t.Error(f)
	}
	if _, f := c.Get(t.Context(), at(s.URL+"/books/a"), Request{}); f != nil {
		t.Error(f)
	}
}

// TestTLS keeps what came inside the encryption, over HTTP/1.1.
func TestTLS(t *testing.T) {
	s := httptest.NewUnstartedServer(says("a book"))
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	defer s.Close()
	c := New(quick())
	if _, f := c.Get(t.Context(), at(s.URL+"/a"), Request{}); reason(f) != ReasonNoRobots || !strings.Contains(f.Detail, "certificate") {
		t.Errorf("a certificate that nobody knows: %v", f)
	}
	c = New(quick())
	c.roots = s.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs
	c.http.Transport = c.transport()
	r, f := c.Get(t.Context(), at(s.URL+"/a"), Request{})
	if f != nil || !strings.HasPrefix(string(r.Raw), "HTTP/1.1 200 OK\r\n") || !strings.HasSuffix(string(r.Raw), "\r\n\r\na book") {
		t.Errorf("%+v, %v", r, f)
	}
}

// TestBadTLS: a certificate of another name, an old version, and a server that
// never shakes hands.
func TestBadTLS(t *testing.T) {
	serve := func(old uint16) *httptest.Server {
		s := httptest.NewUnstartedServer(says("a book"))
		s.Config.ErrorLog = log.New(io.Discard, "", 0)
		s.TLS = &tls.Config{MaxVersion: old}
		s.StartTLS()
		t.Cleanup(s.Close)
		return s
	}
	trusting := func(s *httptest.Server) *Client {
		c := New(quick(func(m *Policy) { m.Timeout, m.Tries = time.Second, 1 }))
		c.roots = s.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs
		c.http.Transport = c.transport()
		return c
	}
	s := serve(0)
	if _, f := trusting(s).Get(t.Context(), at(strings.Replace(s.URL, "127.0.0.1", "localhost", 1)+"/a"), Request{}); reason(f) != ReasonNoRobots || !strings.Contains(f.Detail, "certificate is valid for") {
		t.Errorf("a certificate of another name: %v", f)
	}
	s = serve(tls.VersionTLS11)
	if _, f := trusting(s).Get(t.Context(), at(s.URL+"/a"), Request{}); reason(f) != ReasonNoRobots || !strings.Contains(f.Detail, "protocol version") {
		t.Errorf("TLS 1.1: %v", f)
	}
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	if _, f := trusting(s).Get(t.Context(), at("https://"+silent.Addr().String()+"/a"), Request{}); reason(f) != ReasonNoRobots || !strings.Contains(f.Detail, "within the timeout") {
		t.Errorf("no handshake: %v", f)
	}
}

// TestRedirects are handed on, wherever they lead.
func TestRedirects(t *testing.T) {
	s := serve(t, map[string]http.HandlerFunc{"/a": leads("../b?c#d"), "/e": leads("http://169.254.169.254/latest"), "/nowhere": status(302), "/other": status(300, "Location", "/x"),
		"/other-scheme": status(302, "Location", "ftp://a.org/")})
	c := New(quick())
	for path, want := range map[string]string{"/a": s.URL + "/b?c", "/e": "http://169.254.169.254/latest", "/nowhere": "", "/other": "", "/other-scheme": ""} {
		r, f := c.Get(t.Context(), at(s.URL+path), Request{})
		if f != nil {
			t.Errorf("%s: %v", path, f)
			continue
		}
		if to, err := r.Location(); to.String() != want || (err != nil) != (path == "/other-scheme") {
			t.Errorf("%s: %v, %v", path, to, err)
		}
	}
	if n := len(s.asked()); n != 6 {
		t.Errorf("redirects were followed: %v", s.asked())
	}
}

// TestSecrets never appear in a message or a kept answer.
func TestSecrets(t *testing.T) {
	const canary = "canary-7d1f"
	s := serve(t, map[string]http.HandlerFunc{
		"/good": func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Query().Get("key") != canary {
				w.WriteHeader(403)
			}
		},
		"/echo": func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "your key is ", r.URL.Query().Get("key")) },
		"/packed": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			w.Write(zipped("your key is " + r.URL.Query().Get("key")))
		},
		"/parts": func(w http.ResponseWriter, r *http.Request) {
			key := r.URL.Query().Get("key")
			fmt.Fprint(w, "your key is ", key[:5])
			w.(http.Flusher).Flush()
			fmt.Fprint(w, key[5:])
		},
		"/plain": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			w.Write(zipped("no key"))
		},
		"/cut": hijacked(""),
	})
	c := New(quick())
	request := Request{
		Sign:    func(u *url.URL) { u.RawQuery = "key=" + canary },
		Secrets: func(b []byte) bool { return bytes.Contains(b, []byte(canary)) },
	}
	for path, want := range map[string]string{"/good": "", "/plain": "", "/echo": ReasonSecret, "/packed": ReasonSecret, "/parts": ReasonSecret, "/cut": "gave up after 3"} {
		r, f := c.Get(t.Context(), at(s.URL+path), request)
		if reason(f) != want {
			t.Errorf("%s: %v", path, f)
		}
		if strings.Contains(fmt.Sprintf("%+v %v", r, f), canary) || r != nil && (bytes.Contains(r.Raw, []byte(canary)) || r.Status != 200) {
			t.Errorf("%s: %+v %v", path, r, f)
		}
	}
}

// A server's words in a failure are few: each is kept.
func TestFailuresAreShort(t *testing.T) {
	s := serve(t, map[string]http.HandlerFunc{"/a": func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", strings.Repeat("x", 30_000))
		w.Write([]byte("a text"))
	}})
	if _, f := New(quick()).Get(t.Context(), at(s.URL+"/a"), Request{}); reason(f) != ReasonEncoding || len(f.Detail) > 200 {
		t.Errorf("%.300v", f)
	}
}

// The largest limit is none: an answer is kept all the same.
func TestLargestLimit(t *testing.T) {
	s := serve(t, map[string]http.HandlerFunc{"/a": says("a text")})
	r, f := New(quick()).Get(t.Context(), at(s.URL+"/a"), Request{MaxBytes: math.MaxInt64})
	if f != nil || !bytes.HasSuffix(r.Raw, []byte("a text")) {
		t.Errorf("%+v, %v", r, f)
	}
}

// TestStopped ends at once when its context does, also in the midst of a wait.
func TestStopped(t *testing.T) {
	s := serve(t, map[string]http.HandlerFunc{"/a": says("a")})
	c := New(quick(func(m *Policy) { m.Delay = time.Hour }))
	ctx, stop := context.WithCancel(t.Context())
	c.Waiting = func(name string, until time.Time, _ string) {
		if name != "127.0.0.1" || time.Until(until) < 30*time.Minute {
			t.Errorf("%s waits until %v", name, until)
		}
		stop()
	}
	if _, f := c.Get(ctx, at(s.URL+"/a"), Request{}); reason(f) != ReasonStopped {
		t.Error(f)
	}
}

// FuzzRead reads any message within its limit.
func FuzzRead(f *testing.F) {
	for _, s := range []string{"", "HTTP/1.1 200 OK\r\n\r\nbody", "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n",
		"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + string(zipped("body")), "HTTP/1.0 304 Not Modified\r\nContent-Encoding: gzip\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Encoding: deflate\r\n\r\nx\x9cKLJ\x06\x00\x02M\x01'"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		m, err := Read(raw, 1<<16)
		if err == nil && len(m.Body) > 1<<16 {
			t.Fatalf("%d bytes", len(m.Body))
		}
	})
}
