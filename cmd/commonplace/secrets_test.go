package main

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace/storage"
	stores "github.com/commonplace/commonplace/storage/cloud/loopback"
	"github.com/commonplace/commonplace/table"
	"github.com/commonplace/commonplace/table/inspect"
)

// The secrets that this program can be given, each as a canary that is nowhere
// else: credentials of a proxy, the key of a language model, those of the two
// kinds of buckets. (Those of HathiTrust's endpoint: TestCrawlEndpoint.) Servers
// echo them, refuse them and break off. What the program says with -v, and every
// file that it leaves, holds none.
func TestSecretsStayWhereTheyAre(t *testing.T) {
	root, err := filepath.Abs(checkout)
	if err != nil {
		t.Fatal(err)
	}
	const proxyCanary, modelCanary, bucketCanary = "canary-proxy-4b1c", "canary-model-93aa", "canary-bucket-07fe"
	hidden := func(t *testing.T, output, dir string, canaries ...string) {
		t.Helper()
		for _, c := range canaries {
			if strings.Contains(output, c) {
				t.Errorf("the program says %s:\n%s", c, output)
			}
			if name := holds(t, dir, c); name != "" {
				t.Errorf("%s holds %s", name, c)
			}
			if name := rowsHold(t, filepath.Join(dir, "out"), c); name != "" {
				t.Errorf("rows of %s hold %s", name, c)
			}
		}
	}

	t.Run("proxy", func(t *testing.T) {
		basic := base64.StdEncoding.EncodeToString([]byte("reader:" + proxyCanary))
		asked, authorized := 0, 0
		refuse := false
		proxy := startServer(t, func(w http.ResponseWriter, r *http.Request) {
			asked++
			if r.Header.Get("Proxy-Authorization") == "Basic "+basic {
				authorized++
			}
			switch {
			case refuse:
				w.WriteHeader(http.StatusProxyAuthRequired)
			case r.URL.Path == "/robots.txt":
				http.NotFound(w, r)
			default:
				fmt.Fprintf(w, "<html><body><article><h1>Sacks</h1>%s</article></body></html>", strings.Repeat("<p>The miller counted the sacks and the river counted none of them, as everybody in the village knew.</p>", 12))
			}
		})
		for _, refuses := range []bool{false, true} {
			refuse = refuses
			config, out := writeConfig(t, fmt.Sprintf(loopback, "")+"max_reject_fraction: 1\nsources:\n  - {name: pages, kind: articles, files: [pages.txt]}\n")
			dir := filepath.Dir(config)
			if err := os.WriteFile(filepath.Join(dir, "pages.txt"), []byte("http://books.example/a\nhttps://books.example/b\n"), 0o644); err != nil {
				t.Fatal(err)
			}
			c := exec.Command("commonplace", "crawl", config, "-v")
			with := strings.Replace(proxy.URL, "http://", "http://reader:"+proxyCanary+"@", 1)
			c.Env = append(os.Environ(), "HTTP_PROXY="+with, "HTTPS_PROXY="+with, "http_proxy="+with, "https_proxy="+with, "NO_PROXY=", "no_proxy=")
			output, _ := c.CombinedOutput() // that nothing is fetched is no error here
			hidden(t, string(output), dir, proxyCanary, basic)
			if !refuses && holds(t, out, "river counted none") == "" {
				t.Errorf("nothing came through the proxy:\n%s", output)
			}
		}
		if asked == 0 || authorized != asked {
			t.Errorf("the proxy was asked %d times, %d of them with the credentials", asked, authorized)
		}
	})

	t.Run("language model", func(t *testing.T) {
		needLibrary(t)
		for name, answer := range map[string]func(w http.ResponseWriter, key string){
			"it refuses the key and repeats it": func(w http.ResponseWriter, key string) {
				w.WriteHeader(http.StatusUnauthorized)
				fmt.Fprintf(w, `{"error": {"message": "Incorrect API key provided: %s"}}`, key)
			},
			"it answers with the key": func(w http.ResponseWriter, key string) {
				fmt.Fprintf(w, `{"choices": [{"message": {"content": "your key is %s"}}]}`, key)
			},
			"it fails and repeats it": func(w http.ResponseWriter, key string) {
				w.WriteHeader(http.StatusInternalServerError)
				fmt.Fprint(w, key)
			},
			"it answers": func(w http.ResponseWriter, _ string) {
				fmt.Fprint(w, `{"choices": [{"message": {"content": "In other words, the wheel."}}]}`)
			},
		} {
			asked := false
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				key := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
				asked = asked || key == modelCanary
				answer(w, key)
			}))
			dir := t.TempDir()
			demo, err := os.ReadFile(filepath.Join(root, "configs/demo.yaml"))
			if err != nil {
				t.Fatal(err)
			}
			config := strings.NewReplacer("../out/demo", "out", "../", root+"/").Replace(string(demo)) +
				"label:\n  paraphrase: {url: '" + s.URL + "', model: small, cache: answers, key_env: CANARY_MODEL, tries: 1}\n"
			path := filepath.Join(dir, "run.yaml")
			if err := os.WriteFile(path, []byte(config), 0o644); err != nil {
				t.Fatal(err)
			}
			c := exec.Command("commonplace", "build", path, "-v", "--top", "0")
			c.Dir, c.Env = root, append(os.Environ(), "CANARY_MODEL="+modelCanary)
			output, err := c.CombinedOutput()
			s.Close()
			if (err == nil) != (name == "it answers") || !asked {
				t.Errorf("%s: %v, asked with the key %v:\n%s", name, err, asked, output)
			}
			hidden(t, string(output), dir, modelCanary)
		}
	})

	t.Run("buckets", func(t *testing.T) {
		needLibrary(t)
		dir := t.TempDir()
		account := filepath.Join(dir, "account.json")
		canary := fmt.Sprintf(`{"type": "service_account", "client_email": "a@b.example", "private_key": "%s", "private_key_id": "%s"}`, bucketCanary, bucketCanary)
		for _, scheme := range []string{"gs", "s3"} {
			s := stores.Start(t, scheme)
			env := append(s.Env(), "AWS_ACCESS_KEY_ID=key", "AWS_SECRET_ACCESS_KEY="+bucketCanary, "AWS_SESSION_TOKEN="+bucketCanary+"-token", "AWS_MAX_ATTEMPTS=1",
				"GOOGLE_APPLICATION_CREDENTIALS="+account, "NO_GCE_CHECK=true", "TMPDIR="+dir, "XDG_CACHE_HOME="+dir)
			if err := os.WriteFile(account, []byte(canary), 0o644); err != nil {
				t.Fatal(err)
			}
			for _, refuse := range []int{0, 5} {
				s.Refuse(refuse)
				c := exec.Command("commonplace", "build", filepath.Join(root, "configs/demo.yaml"), "--out", s.Path(fmt.Sprint("run", refuse)), "-v", "--top", "0")
				c.Dir, c.Env = root, append(os.Environ(), env...)
				output, err := c.CombinedOutput()
				if (err == nil) != (refuse == 0) {
					t.Errorf("%s, refused from write %d: %v\n%s", scheme, refuse, err, output)
				}
				s.Refuse(0)
				if err := os.Remove(account); err != nil { // the one file that may hold it
					t.Fatal(err)
				}
				hidden(t, string(output), dir, bucketCanary)
				objects, err := s.Objects()
				if err != nil || len(objects) == 0 {
					t.Fatal(len(objects), err)
				}
				for name, b := range objects {
					if strings.Contains(string(b), bucketCanary) {
						t.Errorf("%s holds %s", name, bucketCanary)
					}
				}
				if err := os.WriteFile(account, []byte(canary), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			// Without the emulator the library reads the account itself, and cannot.
			c := exec.Command("commonplace", "status", "--out", scheme+"://library/run", "-v")
			c.Dir = root
			c.Env = slices.DeleteFunc(append(os.Environ(), env...), func(e string) bool { return strings.HasPrefix(e, "STORAGE_EMULATOR_HOST") })
			output, _ := c.CombinedOutput()
			if strings.Contains(string(output), bucketCanary) {
				t.Errorf("%s: the program says %s:\n%s", scheme, bucketCanary, output)
			}
		}
	})
}

// rowsHold names a table of a run of which a row holds a text.
func rowsHold(t *testing.T, run, text string) string {
	t.Helper()
	commits, err := table.Commits(t.Context(), storage.Default, run)
	if err != nil {
		t.Fatal(err)
	}
	for name := range commits {
		for row, err := range inspect.Rows(t.Context(), storage.Default, run, name, inspect.Selection{}) {
			if err != nil {
				t.Fatal(err)
			}
			for _, cell := range row {
				if strings.Contains(fmt.Sprint(cell.Value), text) {
					return name
				}
			}
		}
	}
	return ""
}
