package chat

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A server that sends on to another address has nothing sent there.
func TestRedirectsAreNotFollowed(t *testing.T) {
	other, requests := model(t)
	s := httptest.NewServer(http.RedirectHandler(other.URL+"/v1/chat/completions", http.StatusTemporaryRedirect))
	defer s.Close()
	c := &Client{Base: s.URL, Model: "small", Key: "secret", Tries: 1}
	if _, err := c.Ask(t.Context(), "a"); err == nil || !strings.Contains(err.Error(), "307") || requests.Load() != 0 {
		t.Errorf("%v, %d requests", err, requests.Load())
	}
}

// A server that says nothing does not keep a build for ever.
func TestSilenceEnds(t *testing.T) {
	was := patient.Timeout
	patient.Timeout = 20 * time.Millisecond
	defer func() { patient.Timeout = was }()
	end := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-end }))
	defer s.Close()
	defer close(end)
	ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
	defer stop()
	c := &Client{Base: s.URL, Model: "small", Tries: 1}
	if _, err := c.Ask(ctx, "a"); err == nil || ctx.Err() != nil || was <= 0 {
		t.Errorf("%v, %v", err, ctx.Err())
	}
}

// A kept answer is a file of this program: a link there is none.
func TestKeptAnswersAreFiles(t *testing.T) {
	s, requests := model(t)
	c := &Client{Base: s.URL + "/v1", Model: "small", Key: "secret", Cache: t.TempDir()}
	if _, err := c.Ask(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	paths, err := filepath.Glob(filepath.Join(c.Cache, "*", "*.txt"))
	if err != nil || len(paths) != 1 {
		t.Fatal(paths, err)
	}
	elsewhere := filepath.Join(t.TempDir(), "private")
	if err := os.WriteFile(elsewhere, []byte("private"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(paths[0]); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(elsewhere, paths[0]); err != nil {
		t.Skip(err)
	}
	if got, err := c.Ask(t.Context(), "a"); err != nil || got != "A" || requests.Load() != 2 {
		t.Errorf("%q, %v, %d requests", got, err, requests.Load())
	}
	if b, err := os.ReadFile(elsewhere); err != nil || string(b) != "private" {
		t.Errorf("%q, %v", b, err)
	}
}
