package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/commonplace/commonplace/table"
)

// configs/classics.yaml as people run it, but from a mirror on this machine, which has the
// books of the large data folder and its two selections, printed as Project Gutenberg does,
// and with the fast model.
func TestClassicsFromAMirror(t *testing.T) {
	if os.Getenv("COMMONPLACE_SLOW") == "" {
		t.Skip("twenty books take a minute; make slow builds them")
	}
	const shared = "../../../shared/data"
	files := numbered(t, shared)
	for n, list := range map[int]string{26604: "pearls-1881", 41713: "quips-1885"} {
		files[n] = printed(t, n, filepath.Join(shared, "readers/quotes", list+".jsonl.gz"))
	}
	raw, err := os.ReadFile(filepath.Join(checkout, "configs/classics.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	served := map[string][]byte{}
	for n, content := range files {
		served[mirrorPath(n, "%d-0.txt")] = content
	}
	s := startServer(t, static(served))
	config, out := filepath.Join(t.TempDir(), "classics.yaml"), filepath.Join(t.TempDir(), "tables")
	text := strings.NewReplacer("../out/classics", out, "../out/archive", "archive\n  delay: 1ms\n  mirrors: ['"+s.URL+"/']\n  private_hosts: [127.0.0.1]", "model: best", "model: fast").Replace(string(raw))
	if err := os.WriteFile(config, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	build(t, config)
	run(t, nil, ".", 0, "verify", "--out", out)
	docs, reasons := crawled(t, out)
	if len(docs) != 20 || len(reasons) > 0 {
		t.Errorf("%d books, and rejects %v", len(docs), reasons)
	}
	found := map[string]int{}
	for _, a := range rows(t, table.Alignments, filepath.Join(out, "alignments")) {
		list, _, _ := strings.Cut(a.QuoteID, ":")
		found[list]++
	}
	if found["pearls"] < 15 || found["quips"] < 10 || len(rows(t, table.Rankings, filepath.Join(out, "rankings"))) < 10_000 {
		t.Errorf("found of the lists: %v", found)
	}
	s.forget()
	build(t, config, "--offline")
	if len(s.requests()) > 0 {
		t.Errorf("the second build fetched %v", s.counts())
	}
}

// numbered are the books of the data folder by the numbers in their headers.
func numbered(t *testing.T, shared string) map[int][]byte {
	t.Helper()
	header := regexp.MustCompile(`\[E(?:Book|text) #(\d+)\]`)
	files := map[int][]byte{}
	for _, folder := range []string{"books", "twain"} {
		paths, _ := filepath.Glob(filepath.Join(shared, folder, "*.txt.gz"))
		for _, path := range paths {
			content := gunzipped(t, path)
			if m := header.FindSubmatch(content[:min(len(content), 5000)]); m != nil {
				n, _ := strconv.Atoi(string(m[1]))
				files[n] = content
			}
		}
	}
	if len(files) == 0 {
		t.Skip("../shared/data is not here")
	}
	return files
}

// printed is a list of quotations as an eBook: a paragraph each, the author after a dash.
func printed(t *testing.T, n int, path string) []byte {
	t.Helper()
	var b bytes.Buffer
	fmt.Fprintf(&b, "Title: A selection\r\n\r\n[EBook #%d]\r\n\r\n*** START OF THIS PROJECT GUTENBERG EBOOK A SELECTION ***\r\n\r\n", n)
	lines := bufio.NewScanner(bytes.NewReader(gunzipped(t, path)))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var q struct{ Text, Author string }
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%s--_%s_.\r\n\r\n", strings.Join(strings.Fields(q.Text), " "), q.Author)
	}
	b.WriteString("*** END OF THIS PROJECT GUTENBERG EBOOK A SELECTION ***\r\n")
	return b.Bytes()
}

func gunzipped(t *testing.T, path string) []byte {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	content, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return content
}
