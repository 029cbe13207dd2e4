package fetch

import (
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/commonplace/commonplace/crawl"
)

// seen is one request as the server saw it.
type seen struct {
	path       string
	begin, end time.Time
	header     http.Header
}

// site is a server on loopback that notes every request.
type site struct {
	*httptest.Server
	lock   sync.Mutex
	log    []seen
	inside int
	most   int // requests at once
}

// serve starts a site; every path has its handler.
func serve(t testing.TB, paths map[string]http.HandlerFunc) *site {
	s := &site{}
	s.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.lock.Lock()
		s.inside++
		s.most = max(s.most, s.inside)
		at := len(s.log)
		s.log = append(s.log, seen{path: r.URL.Path, begin: time.Now(), header: r.Header.Clone()})
		s.lock.Unlock()
		defer func() {
			s.lock.Lock()
			s.inside--
			s.log[at].end = time.Now()
			s.lock.Unlock()
		}()
		if h, ok := paths[r.URL.Path]; ok {
			h(w, r)
			return
		}
		http.NotFound(w, r)
	}))
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.Start()
	t.Cleanup(s.Close)
	return s
}

// asked are the paths in the order of the requests.
func (s *site) asked() []string {
	s.lock.Lock()
	defer s.lock.Unlock()
	var paths []string
	for _, r := range s.log {
		paths = append(paths, r.path)
	}
	return paths
}

func (s *site) requests() []seen {
	s.lock.Lock()
	defer s.lock.Unlock()
	return append([]seen(nil), s.log...)
}

func says(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { w.Write([]byte(body)) }
}

func leads(to string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, to, http.StatusFound) }
}

func status(code int, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		for i := 0; i < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(code)
	}
}

// quick are policy for loopback.
func quick(more ...func(*Policy)) Policy {
	m := Policy{Contact: "mailto:test@example.org", Delay: time.Millisecond, Tries: 3, Timeout: time.Minute, Private: []string{"127.0.0.1", "127.0.0.2", "localhost"}, GiveUp: 100}
	for _, change := range more {
		change(&m)
	}
	return m
}

// at is an address of a test.
func at(text string) crawl.Address {
	address, err := crawl.ParseAddress(text)
	if err != nil {
		panic(err)
	}
	return address
}

// reason is a failure's, empty for none.
func reason(f *Failure) string {
	if f == nil {
		return ""
	}
	return f.Reason
}

// onHost is a site's address with another name for the same machine.
func (s *site) onHost(name string) string { return strings.Replace(s.URL, "127.0.0.1", name, 1) }
