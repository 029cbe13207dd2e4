package serve

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"
)

// started is a server of a page with one part, which ends with the test.
func started(t *testing.T) *Server {
	t.Helper()
	dir := t.TempDir()
	site, err := NewSite(dir)
	if err != nil {
		t.Fatal(err)
	}
	address, err := site.AddPart([]byte("commonplaceReuse(0,[])\n"))
	if err != nil {
		t.Fatal(err)
	}
	if err := site.SetPage([]byte("<p>" + address)); err != nil {
		t.Fatal(err)
	}
	if at := site.SetTexts(textOf); at != "text" {
		t.Errorf("texts are at %q", at)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("files that others see: %v, %v", left, err)
	}
	s, err := Listen(site, 0)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Errorf("the end of the context is an error: %v", err)
		}
		if _, err := http.Get(s.Address()); err == nil {
			t.Error("it answers after its end")
		}
		if err := site.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// oddID is an id that has every mark of an address, and is no path.
const oddID = `../b"ad/<i>&'#?%41;=+ 𝔘`

// textOf has one text of two pieces, which is what was asked for.
func textOf(_ context.Context, id string, piece int) ([]byte, error) {
	switch {
	case id == "unreadable":
		return nil, errors.New("<p> /secret/path")
	case id != oddID && id != "..", piece > 1:
		return nil, fmt.Errorf("<p> %s: %w", id, fs.ErrNotExist)
	}
	return fmt.Appendf(nil, "%s, %d", id, piece), nil
}

// A text is found by its id, whatever characters that has.
func TestServeTexts(t *testing.T) {
	s := started(t)
	for _, method := range []string{"GET", "HEAD"} {
		for _, id := range []string{oddID, ".."} {
			for _, piece := range []string{"0", "1"} {
				r, err := http.NewRequestWithContext(t.Context(), method, s.Address()+"text?"+url.Values{"id": {id}, "piece": {piece}}.Encode(), nil)
				if err != nil {
					t.Fatal(err)
				}
				answer, err := http.DefaultClient.Do(r)
				if err != nil {
					t.Fatal(err)
				}
				body, err := io.ReadAll(answer.Body)
				answer.Body.Close()
				want := id + ", " + piece
				if method == "HEAD" {
					want = ""
				}
				if err != nil || answer.StatusCode != 200 || string(body) != want {
					t.Errorf("%s %q: %d, %q, %v", method, id, answer.StatusCode, body, err)
				}
				for header, value := range map[string]string{"Content-Type": "text/javascript; charset=utf-8", "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", "Cross-Origin-Resource-Policy": "same-origin"} {
					if answer.Header.Get(header) != value {
						t.Errorf("%s %q: %s is %q", method, id, header, answer.Header.Get(header))
					}
				}
			}
		}
	}
}

func TestServe(t *testing.T) {
	s := started(t)
	for name, want := range map[string]string{"": "<p>part-0.js", "part-0.js": "commonplaceReuse(0,[])\n"} {
		for _, method := range []string{"GET", "HEAD"} {
			r, err := http.NewRequestWithContext(t.Context(), method, s.Address()+name, nil)
			if err != nil {
				t.Fatal(err)
			}
			answer, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(answer.Body)
			answer.Body.Close()
			if method == "HEAD" {
				want = ""
			}
			if err != nil || answer.StatusCode != 200 || string(body) != want {
				t.Errorf("%s %q: %d, %q, %v", method, name, answer.StatusCode, body, err)
			}
			kind := "text/html; charset=utf-8"
			if name != "" {
				kind = "text/javascript; charset=utf-8"
			}
			for header, value := range map[string]string{"Content-Type": kind, "Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff", "Cross-Origin-Resource-Policy": "same-origin"} {
				if answer.Header.Get(header) != value {
					t.Errorf("%s %q: %s is %q", method, name, header, answer.Header.Get(header))
				}
			}
			if len(answer.Cookies()) > 0 || answer.Header.Get("Access-Control-Allow-Origin") != "" {
				t.Errorf("%s %q: %v", method, name, answer.Header)
			}
		}
	}
}

// Nothing but the page and its parts can be had, and only by who has the token, under a
// name of this machine, by reading.
func TestServeRefuses(t *testing.T) {
	s := started(t)
	other, err := url.Parse(s.Address())
	if err != nil {
		t.Fatal(err)
	}
	port := other.Port()
	for _, c := range []struct {
		what, method, path, host string
		status                   int
	}{
		{"the page", "GET", "/TOKEN/", "", 200},
		{"the page through a tunnel", "GET", "/TOKEN/", "localhost:9999", 200},
		{"its name without a port", "GET", "/TOKEN/", "127.0.0.1", 200},
		{"no token", "GET", "/", "", 404},
		{"no path", "GET", "", "", 404},
		{"no token for a part", "GET", "/part-0.js", "", 404},
		{"another token", "GET", "/AAAAAAAAAAAAAAAAAAAAAAAAAA/", "", 404},
		{"a part of the token", "GET", "/TOKE/", "", 404},
		{"more than the token", "GET", "/TOKENA/", "", 404},
		{"the token in lower case", "GET", "/token/", "", 404},
		{"the token in a query", "GET", "/?token=TOKEN", "", 404},
		{"the token as a name", "GET", "/part-0.js/TOKEN/", "", 404},
		{"the token without a slash", "GET", "/TOKEN", "", 404},
		{"another host", "GET", "/TOKEN/", "hostile.example:" + port, 421},
		{"a host that begins as ours", "GET", "/TOKEN/", "127.0.0.1.hostile.example", 421},
		{"a host that ends as ours", "GET", "/TOKEN/", "hostile.localhost:" + port, 421},
		{"another port that is none", "GET", "/TOKEN/", "localhost:http", 421},
		{"the machine's other addresses", "GET", "/TOKEN/", "0.0.0.0:" + port, 421},
		{"another host without a token", "GET", "/", "hostile.example", 421},
		{"POST", "POST", "/TOKEN/", "", 405},
		{"PUT", "PUT", "/TOKEN/part-0.js", "", 405},
		{"DELETE", "DELETE", "/TOKEN/", "", 405},
		{"OPTIONS", "OPTIONS", "/TOKEN/", "", 405},
		{"TRACE", "TRACE", "/TOKEN/", "", 405},
		{"CONNECT", "CONNECT", "/TOKEN/", "", 405},
		{"POST without a token", "POST", "/", "", 404},
		{"a part that is not there", "GET", "/TOKEN/part-1.js", "", 404},
		{"above the token", "GET", "/TOKEN/../", "", 404},
		{"above the token, encoded", "GET", "/TOKEN/%2e%2e/part-0.js", "", 404},
		{"a file of the machine", "GET", "/TOKEN/../../../../../../../../etc/passwd", "", 404},
		{"the same, encoded", "GET", "/TOKEN/..%2f..%2f..%2f..%2fetc%2fpasswd", "", 404},
		{"the same, absolute", "GET", "/TOKEN//etc/passwd", "", 404},
		{"the source of the test", "GET", "/TOKEN/serve_test.go", "", 404},
		{"a folder", "GET", "/TOKEN/./", "", 404},
		{"a text", "GET", "/TOKEN/text?id=..&piece=0", "", 200},
		{"a text without a token", "GET", "/text?id=..&piece=0", "", 404},
		{"a text with another token", "GET", "/AAAAAAAAAAAAAAAAAAAAAAAAAA/text?id=..&piece=0", "", 404},
		{"a text for another host", "GET", "/TOKEN/text?id=..&piece=0", "hostile.example", 421},
		{"a text by POST", "POST", "/TOKEN/text?id=..&piece=0", "", 405},
		{"a text by PUT", "PUT", "/TOKEN/text?id=..&piece=0", "", 405},
		{"no text", "GET", "/TOKEN/text?id=nobody&piece=0", "", 404},
		{"no id", "GET", "/TOKEN/text", "", 404},
		{"no piece", "GET", "/TOKEN/text?id=..", "", 404},
		{"a piece that is not there", "GET", "/TOKEN/text?id=..&piece=2", "", 404},
		{"a piece below zero", "GET", "/TOKEN/text?id=..&piece=-1", "", 404},
		{"a piece that is no number", "GET", "/TOKEN/text?id=..&piece=0x0", "", 404},
		{"a piece that is too large a number", "GET", "/TOKEN/text?id=..&piece=4294967296", "", 404},
		{"a query that is none", "GET", "/TOKEN/text?id=%zz&piece=0", "", 404},
		{"a text below its name", "GET", "/TOKEN/text/..", "", 404},
		{"a text that cannot be read", "GET", "/TOKEN/text?id=unreadable&piece=0", "", 500},
		{"a NUL", "GET", "/TOKEN/part-0.js%00", "", 404},
	} {
		r := httptest.NewRequestWithContext(t.Context(), c.method, "/", nil)
		r.URL = &url.URL{}
		path := strings.ReplaceAll(strings.ReplaceAll(c.path, "TOKEN", s.token), "TOKE", s.token[:len(s.token)-1])
		path = strings.Replace(path, "token/", strings.ToLower(s.token)+"/", 1)
		if path != "" {
			if r.URL, err = url.ParseRequestURI(path); err != nil {
				t.Fatal(err)
			}
		}
		r.Host = c.host
		if c.host == "" {
			r.Host = "127.0.0.1:" + port
		}
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		if w.Code != c.status {
			t.Errorf("%s: status %d, must be %d", c.what, w.Code, c.status)
		}
		if body := w.Body.String(); w.Code != 200 && (strings.Contains(body, s.token) || strings.Contains(body, "<p>") || len(body) > 100) {
			t.Errorf("%s: %q", c.what, body)
		}
	}
}

// Two servers have two tokens, of more than a hundred bits, and listen on this machine
// alone.
func TestServeTokens(t *testing.T) {
	a, b := started(t), started(t)
	if a.token == b.token || len(a.token) < 26 {
		t.Errorf("tokens %q and %q", a.token, b.token)
	}
	if at := a.listener.Addr().(*net.TCPAddr); !at.IP.Equal(net.IPv4(127, 0, 0, 1)) {
		t.Errorf("it listens on %s", at)
	}
	if !strings.HasPrefix(a.Address(), "http://127.0.0.1:") {
		t.Error(a.Address())
	}
}

// What is no request of a browser gets no page, and a long header no patience.
func TestServeRawRequests(t *testing.T) {
	s := started(t)
	for _, c := range []struct{ what, sent, answered string }{
		{"two hosts", "GET /%s/ HTTP/1.1\r\nHost: localhost\r\nHost: hostile.example\r\n\r\n", "400"},
		{"no host", "GET /%s/ HTTP/1.1\r\n\r\n", "400"},
		{"no host, of HTTP/1.0", "GET /%s/ HTTP/1.0\r\n\r\n", "421"},
		{"an absolute address", "GET http://hostile.example/%s/ HTTP/1.1\r\nHost: localhost\r\n\r\n", "421"},
		{"a file", "GET /%s/../../../etc/passwd HTTP/1.1\r\nHost: localhost\r\n\r\n", "404"},
		{"a long header", "GET /%s/ HTTP/1.1\r\nHost: localhost\r\nX: " + strings.Repeat("x", headerBytes+8<<10) + "\r\n\r\n", "431"},
	} {
		conn, err := net.Dial("tcp4", s.listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		conn.SetDeadline(time.Now().Add(30 * time.Second))
		if _, err := fmt.Fprintf(conn, c.sent, s.token); err != nil {
			t.Fatal(err)
		}
		line, err := bufio.NewReader(conn).ReadString('\n')
		if _, status, _ := strings.Cut(line, " "); err != nil || !strings.HasPrefix(status, c.answered) {
			t.Errorf("%s: %q, %v", c.what, line, err)
		}
		conn.Close()
	}
}

// Who has no token keeps no connection: as many strangers as there are connections, none of
// which closes its own, do not keep the owner out.
func TestServeEndsConnectionsOfStrangers(t *testing.T) {
	s := started(t)
	for range connections {
		conn, err := net.Dial("tcp4", s.listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		conn.SetDeadline(time.Now().Add(30 * time.Second))
		if _, err := io.WriteString(conn, "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		answer, err := io.ReadAll(conn) // to the end of the connection
		if err != nil || !strings.HasPrefix(string(answer), "HTTP/1.1 404") {
			t.Fatalf("%q, %v", answer, err)
		}
	}
	answer, err := http.Get(s.Address())
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("%v, %v", answer, err)
	}
	answer.Body.Close()
}

// Connections that say nothing, or do not finish what they say, give way to newer ones:
// more of them than there may be do not keep the owner out, nor end the owner's.
func TestServeEndsSilentConnections(t *testing.T) {
	s := started(t)
	owner := &http.Client{Timeout: 5 * time.Second, Transport: &http.Transport{}}
	get := func() net.Addr {
		t.Helper()
		var local net.Addr
		trace := &httptrace.ClientTrace{GotConn: func(c httptrace.GotConnInfo) { local = c.Conn.LocalAddr() }}
		r, err := http.NewRequestWithContext(httptrace.WithClientTrace(t.Context(), trace), http.MethodGet, s.Address(), nil)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := owner.Do(r)
		if err != nil || answer.StatusCode != http.StatusOK {
			t.Fatalf("%v, %v", answer, err)
		}
		io.Copy(io.Discard, answer.Body)
		answer.Body.Close()
		return local
	}
	kept := get()
	flood := func(n int, says string) {
		for range n {
			conn, err := net.Dial("tcp4", s.listener.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { conn.Close() })
			io.WriteString(conn, says)
		}
	}
	flood(connections+10, "")
	flood(connections+10, "GET / HTTP/1.1\r\nHost: ")
	if again := get(); again.String() != kept.String() {
		t.Error("the owner's connection was ended")
	}
	owner.CloseIdleConnections()
	get()
	s.listener.lock.Lock()
	defer s.listener.lock.Unlock()
	if n := len(s.listener.strangers); n > connections {
		t.Errorf("%d strangers", n)
	}
}

// More connections of the owner than there may be are answered, and end.
func TestServeLimitsTheOwner(t *testing.T) {
	s := started(t)
	for range connections + 5 {
		conn, err := net.Dial("tcp4", s.listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		conn.SetDeadline(time.Now().Add(30 * time.Second))
		fmt.Fprintf(conn, "GET /%s/ HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", s.token)
		if line, err := bufio.NewReader(conn).ReadString('\n'); err != nil || !strings.Contains(line, " 200 ") {
			t.Fatalf("%q, %v", line, err)
		}
	}
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		s.listener.lock.Lock()
		n := s.listener.known
		s.listener.lock.Unlock()
		if n <= connections {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d connections are kept", n)
		}
	}
}
