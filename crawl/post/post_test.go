package post_test

import (
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/commonplace/commonplace/crawl/post"
)

// The body and the key arrive.
func TestSend(t *testing.T) {
	var body, key, kind string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		body, key, kind = r.Method+" "+r.URL.Path+" "+string(raw), r.Header.Get("Authorization"), r.Header.Get("Content-Type")
		w.WriteHeader(http.StatusCreated)
	}))
	defer s.Close()
	c := &post.Client{Address: s.URL + "/api/v1/lineage", Key: "canary"}
	if err := c.Send(t.Context(), []byte(`{"a": 1}`)); err != nil {
		t.Fatal(err)
	}
	if body != `POST /api/v1/lineage {"a": 1}` || key != "Bearer canary" || kind != "application/json" {
		t.Errorf("%q, %q, %q", body, key, kind)
	}
}

// Errors say whether it may go better another time, and never repeat a secret.
func TestErrors(t *testing.T) {
	status := 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", "http://127.0.0.1:1/canary")
		w.WriteHeader(status)
		io.WriteString(w, r.Header.Get("Authorization"))
	}))
	address := strings.Replace(s.URL, "http://", "http://user:canary@", 1) + "/?token=canary"
	c := &post.Client{Address: address, Key: "canary"}
	for _, tt := range []struct {
		status  int
		refused bool
	}{{307, true}, {401, true}, {422, true}, {408, false}, {429, false}, {500, false}, {503, false}} {
		status = tt.status
		err := c.Send(t.Context(), []byte("{}"))
		if err == nil || errors.Is(err, post.ErrRefused) != tt.refused || strings.Contains(err.Error(), "canary") {
			t.Errorf("status %d: %v", status, err)
		}
	}
	s.Close()
	for _, address := range []string{address, "http://canary.invalid\x7f/"} {
		c.Address = address
		if err := c.Send(t.Context(), []byte("{}")); err == nil || strings.Contains(err.Error(), "canary") {
			t.Errorf("%v", err)
		}
	}
}

// What a server says in place of an answer is not repeated: it may be the key that it got.
func TestErrorsDoNotRepeatTheServer(t *testing.T) {
	for _, says := range []string{
		"Bearer canary\r\n\r\n",
		"HTTP/1.1 canary\r\n\r\n",
		"HTTP/1.1 200 OK\r\nBearer canary\r\n\r\n",
		"HTTP/1.1 200 OK\r\nContent-Length: canary\r\n\r\n",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: canary\r\n\r\n",
		"HTTP/canary 200 OK\r\n\r\n",
		"",
	} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			for {
				conn, err := l.Accept()
				if err != nil {
					return
				}
				conn.Read(make([]byte, 4096))
				io.WriteString(conn, says)
				conn.Close()
			}
		}()
		for _, scheme := range []string{"http", "https"} {
			c := &post.Client{Address: scheme + "://" + l.Addr().String() + "/", Key: "canary"}
			if err := c.Send(t.Context(), []byte("{}")); err == nil || strings.Contains(err.Error(), "canary") {
				t.Errorf("%q: %v", says, err)
			}
		}
		l.Close()
	}
}

// A certificate that is refused may have the key for a name.
func TestErrorsDoNotRepeatCertificates(t *testing.T) {
	s := httptest.NewTLSServer(http.NotFoundHandler())
	defer s.Close()
	c := &post.Client{Address: strings.Replace(s.URL, "127.0.0.1", "localhost", 1), Key: "canary"}
	if err := c.Send(t.Context(), []byte("{}")); err == nil || err.Error() != "its certificate is not trusted, or is another host's" {
		t.Errorf("%v", err)
	}
}
