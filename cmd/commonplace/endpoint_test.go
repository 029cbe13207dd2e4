package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha1"
	"encoding/base64"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
)

const (
	canaryKey    = "canary-key-5e1d"
	canarySecret = "canary/secret+77c0"
)

// signed checks a request's signature by itself, as RFC 5849 says a server does.
func signed(r *http.Request) bool {
	var pairs []string
	for name, values := range r.URL.Query() {
		if name != "oauth_signature" {
			pairs = append(pairs, percent(name)+"="+percent(values[0]))
		}
	}
	sort.Strings(pairs)
	base := "GET&" + percent("http://"+r.Host+r.URL.EscapedPath()) + "&" + percent(strings.Join(pairs, "&"))
	mac := hmac.New(sha1.New, []byte(percent(canarySecret)+"&"))
	mac.Write([]byte(base))
	return r.URL.Query().Get("oauth_consumer_key") == canaryKey && r.URL.Query().Get("oauth_signature") == base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

func percent(s string) string { return strings.ReplaceAll(url.QueryEscape(s), "+", "%20") }

// TestCrawlEndpoint fetches volumes page by page with signed requests, from an
// endpoint that echoes, redirects and refuses; the credentials appear nowhere.
func TestCrawlEndpoint(t *testing.T) {
	nonces := map[string]bool{}
	s := startServer(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			http.NotFound(w, r)
			return
		}
		nonce := r.URL.Query().Get("oauth_nonce")
		if !signed(r) || nonces[nonce] {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		nonces[nonce] = true
		parts := strings.Split(strings.TrimPrefix(r.URL.Path, "/htd/volume/"), "/")
		switch {
		case parts[0] == "meta" && strings.HasSuffix(r.URL.Path, "none"):
			http.NotFound(w, r)
		case parts[0] == "meta" && strings.HasSuffix(r.URL.Path, "bare"):
			fmt.Fprint(w, `{}`)
		case parts[0] == "meta":
			fmt.Fprint(w, `{"htd:numpages":"3"}`)
		case strings.Contains(r.URL.Path, "echo"):
			fmt.Fprint(w, "you asked for "+r.URL.String())
		case strings.Contains(r.URL.Path, "away"):
			http.Redirect(w, r, "http://127.0.0.2:1/steal?"+r.URL.RawQuery, http.StatusFound)
		case strings.HasSuffix(r.URL.Path, "/2") && strings.Contains(r.URL.Path, "t1"):
			// a blank page
		case strings.Contains(r.URL.Path, "html"):
			fmt.Fprint(w, "<!DOCTYPE html><html><body>Please log in to continue</body></html>")
		default:
			fmt.Fprintf(w, "The miller counted the sacks of page %s, and the river counted none of them.\n", parts[len(parts)-1])
		}
	})
	config, out := writeConfig(t, fmt.Sprintf(loopback, "")+"max_reject_fraction: 1\nsources:\n"+
		"  - {name: volumes, kind: hathitrust, files: [ids.txt], rights: pd, fetch: {endpoint: '"+s.URL+"/htd', key: CANARY_KEY, secret: CANARY_SECRET}}\n")
	ids := "uc2.ark:/13960/t1\n\nuc2.none\nuc2.bare\nuc2.echo\nuc2.away\nuc2.html\nno id\nuc2.ark:/13960/t1\n"
	if err := os.WriteFile(filepath.Join(filepath.Dir(config), "ids.txt"), []byte(ids), 0o644); err != nil {
		t.Fatal(err)
	}
	run := func(key string) (string, error) {
		c := exec.Command("commonplace", "crawl", config, "-v")
		c.Env = append(os.Environ(), "CANARY_KEY="+key, "CANARY_SECRET="+canarySecret)
		output, err := c.CombinedOutput()
		return string(output), err
	}
	if output, err := run(""); err == nil || !strings.Contains(output, "CANARY_KEY") || strings.Contains(output, canarySecret) {
		t.Errorf("without a key: %v, %s", err, output)
	}
	output, err := run(canaryKey)
	if err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	docs, reasons := crawled(t, out)
	d := docs["uc2.ark:/13960/t1"]
	if len(docs) != 1 || len(d.Pages) != 3 || d.Pages[1].Begin != d.Pages[1].End || !strings.Contains(d.Text, "page 1") || !strings.Contains(d.Text, "page 3") || d.Rights != "pd" {
		t.Errorf("%d documents: %+v", len(docs), d)
	}
	for id, want := range map[string]string{"uc2.none": "not found", "uc2.bare": "no pages", "uc2.echo": "holds a credential", "uc2.away": "holds a credential", "uc2.html": "not a text", "no id": "bad id"} {
		if reasons[id] != want {
			t.Errorf("%s: %q, want %q", id, reasons[id], want)
		}
	}
	for _, canary := range []string{canaryKey, canarySecret, url.QueryEscape(canarySecret)} {
		if strings.Contains(output, canary) {
			t.Errorf("the program says %s", canary)
		}
		if name := holds(t, out, canary); name != "" {
			t.Errorf("%s holds %s", name, canary)
		}
	}
	// The search would find what is there: a page's words, inside the archive too.
	if name := holds(t, out, "river counted none"); !strings.Contains(name, "archive") {
		t.Errorf("the words of a page are found in %q", name)
	}
}

// holds names a file of a folder that holds a text, as it is or compressed.
func holds(t *testing.T, dir, text string) (found string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		raw, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if strings.HasSuffix(path, ".gz") {
			z, err := gzip.NewReader(bytes.NewReader(raw))
			if err != nil {
				return err
			}
			var all bytes.Buffer
			if _, err := all.ReadFrom(z); err != nil {
				return err
			}
			raw = all.Bytes()
		}
		if bytes.Contains(raw, []byte(text)) {
			found = path
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}
