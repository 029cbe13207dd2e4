// Package loopback holds, for tests, servers on this machine that speak the
// protocols of Google Cloud Storage and Amazon S3, and that fail when they are
// told to.
package loopback

import (
	"bufio"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/s3" // in tests without the build tag, too
	"github.com/fsouza/fake-gcs-server/fakestorage"
	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"github.com/commonplace/commonplace/storage/cloud"
)

// Bucket is the name of the one bucket of a server.
const Bucket = "library"

// Server is an object store in memory.
type Server struct {
	Scheme string // gs or s3
	url    string
	put    func(name string, content []byte) error
	all    func() (map[string][]byte, error)
	remove func(name string) error

	mu     sync.Mutex
	wrote  []string // the requests that change something: method and object
	refuse int      // the first of them that is refused, from 1; 0: none is

	stall   func(*http.Request) bool // what is never answered; nil: everything is
	stalled func()                   // reports the first request that is not
}

// Use serves an empty bucket of gs or s3 until the test ends, and makes this
// process find it. The test has a temporary folder of its own, and must leave it empty.
func Use(t *testing.T, scheme string) *Server {
	t.Helper()
	s := Start(t, scheme)
	for _, e := range s.Env() {
		name, value, _ := strings.Cut(e, "=")
		t.Setenv(name, value)
	}
	t.Setenv("AWS_MAX_ATTEMPTS", "2")
	t.Setenv("TMPDIR", t.TempDir())
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	cloud.Register()
	t.Cleanup(func() {
		cloud.Register()
		if left, _ := os.ReadDir(os.TempDir()); len(left) > 0 {
			t.Errorf("%s is left in the temporary folder", left[0].Name())
		}
	})
	return s
}

// Each runs a test with a bucket of every kind.
func Each(t *testing.T, test func(t *testing.T, s *Server)) {
	for _, scheme := range []string{"gs", "s3"} {
		t.Run(scheme, func(t *testing.T) { test(t, Use(t, scheme)) })
	}
}

// Start serves an empty bucket of gs or s3 until the test ends.
func Start(t testing.TB, scheme string) *Server {
	t.Helper()
	s := &Server{Scheme: scheme}
	var store http.Handler
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.refuses(r) {
			// Not before the request is read: a client that is still sending would
			// see a broken connection instead.
			io.Copy(io.Discard, r.Body)
			http.Error(w, "the store is out of order", http.StatusServiceUnavailable)
			return
		}
		if s.stalls(r) {
			io.Copy(io.Discard, r.Body)
			<-r.Context().Done() // of a client that gave up
			return
		}
		store.ServeHTTP(w, r)
	}))
	t.Cleanup(front.Close)
	s.url = front.URL
	var err error
	if scheme == "gs" {
		store, err = s.google()
	} else {
		store, err = s.amazon()
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *Server) google() (http.Handler, error) {
	fake, err := fakestorage.NewServerWithOptions(fakestorage.Options{
		NoListener: true, Scheme: "http", ExternalURL: s.url, PublicHost: strings.TrimPrefix(s.url, "http://"),
	})
	if err != nil {
		return nil, err
	}
	fake.CreateBucketWithOpts(fakestorage.CreateBucketOpts{Name: Bucket})
	s.put = func(name string, content []byte) error {
		fake.CreateObject(fakestorage.Object{ObjectAttrs: fakestorage.ObjectAttrs{BucketName: Bucket, Name: name}, Content: content})
		return nil
	}
	s.all = func() (map[string][]byte, error) {
		list, _, err := fake.ListObjectsWithOptions(Bucket, fakestorage.ListOptions{})
		all := map[string][]byte{}
		for _, o := range list {
			found, err := fake.GetObject(Bucket, o.Name)
			if err != nil {
				return nil, err
			}
			all[o.Name] = found.Content
		}
		return all, err
	}
	s.remove = func(name string) error { return fake.Backend().DeleteObject(Bucket, name) }
	return fake.HTTPHandler(), nil
}

func (s *Server) amazon() (http.Handler, error) {
	backend := s3mem.New()
	if err := backend.CreateBucket(Bucket); err != nil {
		return nil, err
	}
	s.put = func(name string, content []byte) error {
		_, err := backend.PutObject(Bucket, name, map[string]string{}, strings.NewReader(string(content)), int64(len(content)), nil)
		return err
	}
	s.all = func() (map[string][]byte, error) {
		list, err := backend.ListBucket(Bucket, &gofakes3.Prefix{}, gofakes3.ListBucketPage{})
		if err != nil {
			return nil, err
		}
		all := map[string][]byte{}
		for _, o := range list.Contents {
			found, err := backend.GetObject(Bucket, o.Key, nil)
			if err != nil {
				return nil, err
			}
			if all[o.Key], err = io.ReadAll(found.Contents); err != nil {
				return nil, err
			}
		}
		return all, nil
	}
	s.remove = func(name string) error { _, err := backend.DeleteObject(Bucket, name); return err }
	return gofakes3.New(backend).Server(), nil
}

func (s *Server) refuses(r *http.Request) bool {
	if !Writing(r) {
		return false
	}
	what := r.Method + " " + object(r)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wrote = append(s.wrote, what)
	return s.refuse > 0 && len(s.wrote) >= s.refuse
}

var uploadName = regexp.MustCompile(`"name": ?"([^"]*)"`)

// object is what a request changes: the name in Google's small uploads, which
// begin with the object's properties, and the path in all others.
func object(r *http.Request) string {
	if r.URL.Query().Get("uploadType") != "multipart" {
		return r.URL.Path
	}
	b := bufio.NewReader(r.Body)
	head, _ := b.Peek(b.Size())
	r.Body = struct {
		io.Reader
		io.Closer
	}{b, r.Body}
	if m := uploadName.FindSubmatch(head); m != nil {
		return r.URL.Path + "/" + string(m[1])
	}
	return r.URL.Path
}

// Refuse makes the n-th request from now on that would change something, and all
// after it, fail with status 503. With 0 the server is in order again.
func (s *Server) Refuse(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refuse = 0
	if n > 0 {
		s.refuse = len(s.wrote) + n
	}
}

func (s *Server) stalls(r *http.Request) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stall == nil || !s.stall(r) {
		return false
	}
	s.stalled()
	return true
}

// Stall leaves such requests without an answer from now on. The channel is closed
// when there is one.
func (s *Server) Stall(such func(*http.Request) bool) <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	first := make(chan struct{})
	s.stall, s.stalled = such, sync.OnceFunc(func() { close(first) })
	return first
}

// Writing reports whether a request changes something.
func Writing(r *http.Request) bool { return r.Method != http.MethodGet && r.Method != http.MethodHead }

// Wrote returns the requests so far that changed something or would have, each
// its method and the object's name.
func (s *Server) Wrote() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.wrote)
}

// Path is the path of an object in the bucket.
func (s *Server) Path(name string) string { return s.Scheme + "://" + Bucket + "/" + name }

// Env is what a program needs to find the server: NAME=VALUE.
func (s *Server) Env() []string {
	if s.Scheme == "gs" {
		return []string{"STORAGE_EMULATOR_HOST=" + s.url}
	}
	return []string{"AWS_ENDPOINT_URL=" + s.url, "AWS_REGION=us-east-1", "AWS_ACCESS_KEY_ID=key", "AWS_SECRET_ACCESS_KEY=secret"}
}

// Put makes an object behind the server's back.
func (s *Server) Put(name string, content []byte) error { return s.put(name, content) }

// Delete takes an object away behind the server's back.
func (s *Server) Delete(name string) error { return s.remove(name) }

// Objects are all objects, by name, as they lie behind the server.
func (s *Server) Objects() (map[string][]byte, error) { return s.all() }
