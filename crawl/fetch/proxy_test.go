package fetch

import (
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// proxy is a proxy on loopback that leads every name to one server and notes
// what it is asked.
type proxy struct {
	*httptest.Server
	lock   sync.Mutex
	asked  []string
	tokens []string // Proxy-Authorization
	refuse bool
}

func proxyTo(t *testing.T, address string) *proxy {
	p := &proxy{}
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.lock.Lock()
		p.asked = append(p.asked, r.Method+" "+r.RequestURI)
		p.tokens = append(p.tokens, r.Header.Get("Proxy-Authorization"))
		refuse := p.refuse
		p.lock.Unlock()
		if refuse {
			w.WriteHeader(http.StatusProxyAuthRequired)
			return
		}
		if r.Method != http.MethodConnect {
			there, err := http.Get("http://" + address + r.URL.Path)
			if err != nil {
				w.WriteHeader(http.StatusBadGateway)
				return
			}
			defer there.Body.Close()
			w.WriteHeader(there.StatusCode)
			io.Copy(w, there.Body)
			return
		}
		there, err := net.Dial("tcp", address)
		if err != nil {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		defer there.Close()
		here, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		defer here.Close()
		io.WriteString(here, "HTTP/1.1 200 OK\r\n\r\n")
		go io.Copy(there, here)
		io.Copy(here, there)
	}))
	t.Cleanup(p.Close)
	for _, name := range []string{"http_proxy", "https_proxy", "no_proxy", "NO_PROXY"} {
		t.Setenv(name, "")
	}
	with := strings.Replace(p.URL, "http://", "http://reader:secret@", 1)
	t.Setenv("HTTP_PROXY", with)
	t.Setenv("HTTPS_PROXY", with)
	return p
}

func TestProxy(t *testing.T) {
	s := serve(t, map[string]http.HandlerFunc{"/a": says("a book")})
	p := proxyTo(t, strings.TrimPrefix(s.URL, "http://"))
	c := New(quick(func(m *Policy) { m.Private = nil }))
	r, f := c.Get(t.Context(), at("http://books.example/a"), Request{})
	if f != nil || !strings.HasPrefix(string(r.Raw), "HTTP/1.1 200 OK\r\n") || !strings.Contains(string(r.Raw), "a book") {
		t.Fatalf("%+v, %v", r, f)
	}
	if got := strings.Join(p.asked, ", "); got != "GET http://books.example/robots.txt, GET http://books.example/a" {
		t.Errorf("the proxy was asked %s", got)
	}
	if p.tokens[0] != "Basic cmVhZGVyOnNlY3JldA==" {
		t.Errorf("the proxy was told %q", p.tokens[0])
	}
	for _, address := range []string{"http://10.0.0.1/a", "http://169.254.169.254/a", "https://10.0.0.1/a", "http://localhost/a"} {
		if _, f := c.Get(t.Context(), at(address), Request{}); reason(f) != ReasonPrivate {
			t.Errorf("%s through a proxy: %v", address, f)
		}
	}
	if len(p.asked) != 2 {
		t.Errorf("the proxy was asked for private addresses: %v", p.asked)
	}
	t.Setenv("NO_PROXY", "books.example")
	if _, f := New(quick(func(m *Policy) { m.Tries = 1 })).Get(t.Context(), at("http://books.example/a"), Request{}); f == nil || len(p.asked) != 2 {
		t.Errorf("NO_PROXY is not heeded: %v", p.asked)
	}
}

// TestProxyTunnel keeps what came inside the encryption, and shows the proxy the
// server's name alone.
func TestProxyTunnel(t *testing.T) {
	s := httptest.NewUnstartedServer(says("a book"))
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	defer s.Close()
	p := proxyTo(t, strings.TrimPrefix(s.URL, "https://"))
	c := New(quick(func(m *Policy) { m.Private, m.Tries = nil, 1 }))
	c.roots = s.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs
	c.http.Transport = c.transport()
	// The name is one of those in the test server's certificate.
	r, f := c.Get(t.Context(), at("https://example.com/a"), Request{})
	if f != nil || !strings.HasPrefix(string(r.Raw), "HTTP/1.1 200 OK\r\n") || !strings.HasSuffix(string(r.Raw), "\r\n\r\na book") {
		t.Fatalf("%+v, %v", r, f)
	}
	for i, asked := range p.asked {
		if asked != "CONNECT example.com:443" || p.tokens[i] != "Basic cmVhZGVyOnNlY3JldA==" {
			t.Errorf("the proxy was asked %s and told %q", asked, p.tokens[i])
		}
	}
	p.refuse = true
	if _, f := c.Get(t.Context(), at("https://www.example.com/a"), Request{}); f == nil || !strings.Contains(f.Detail, "status 407") || strings.Contains(f.Detail, "secret") {
		t.Errorf("a proxy that refuses: %v", f)
	}
}

func TestProxyOfAnotherKind(t *testing.T) {
	proxyTo(t, "127.0.0.1:1")
	t.Setenv("HTTP_PROXY", "socks5://reader:secret@127.0.0.1:1")
	_, f := New(quick(func(m *Policy) { m.Tries = 1 })).Get(t.Context(), at("http://books.example/a"), Request{})
	if f == nil || !strings.Contains(f.Detail, "only http:// proxies") || strings.Contains(f.Detail, "secret") {
		t.Error(f)
	}
}
