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
	"strings"
	"testing"

	"github.com/commonplace/commonplace/table"
)

var ebook = regexp.MustCompile(`(?i)\[?(?:ebook|etext) #(\d+)`)

// The configs that fetch books by number read all of them from a mirror on loopback:
// who has a network has the rest.
func TestConfigsOfStrangers(t *testing.T) {
	s := mirrorOfBooks(t)
	fetched := 0
	configs, err := filepath.Glob(filepath.Join(checkout, "configs/*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range configs {
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(raw, []byte("archive: ../out/archive")) {
			continue
		}
		fetched++
		name := strings.TrimSuffix(filepath.Base(path), ".yaml")
		t.Run(name, func(t *testing.T) {
			text := strings.ReplaceAll(string(raw), ": ../", ": "+checkout+"/") // models and tokenizers
			text = regexp.MustCompile(`(?m)^out: .*\n`).ReplaceAllString(text, "")
			text = strings.Replace(text, "  archive: "+checkout+"/out/archive\n", fmt.Sprintf("  archive: fetched\n  delay: 1ms\n  mirrors: ['%s/']\n  private_hosts: [127.0.0.1]\n", s.URL), 1)
			root, err := filepath.Abs(checkout)
			if err != nil {
				t.Fatal(err)
			}
			config, out := writeConfig(t, strings.ReplaceAll(text, checkout, root))
			crawl(t, config)
			docs, rejected := crawled(t, out)
			want := len(regexp.MustCompile(`\d+`).FindAllString(strings.Join(regexp.MustCompile(`gutenberg: \[[^]]*`).FindAllString(text, -1), " "), -1))
			if len(rejected) > 0 || want < 20 || len(docs) != want {
				t.Fatalf("%d documents of %d, rejects %v", len(docs), want, rejected)
			}
			if strings.Contains(text, "quotes:") {
				build(t, config, "--dry-run")
				if said, err := runs(t, "quotes", config); err != nil {
					t.Fatalf("%v: %s", err, said)
				}
				if all := rows(t, table.Quotes, filepath.Join(out, "quotes")); len(all) < 2 {
					t.Errorf("%d quotations", len(all))
				}
			}
		})
	}
	if fetched < 5 {
		t.Errorf("only %d configs fetch books", fetched)
	}
}

// mirrorOfBooks serves the data folder beside the checkout as Project Gutenberg serves books,
// and two of its lists as printed books.
func mirrorOfBooks(t *testing.T) *server {
	t.Helper()
	data := filepath.Join(checkout, "..", "shared", "data")
	if _, err := os.Stat(data); err != nil {
		t.Skip("the data folder is not beside the checkout")
	}
	files := map[string][]byte{}
	for _, pattern := range []string{"books/*.txt.gz", "twain/*.txt.gz"} {
		paths, err := filepath.Glob(filepath.Join(data, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			text := unzipped(t, path)
			if m := ebook.FindSubmatch(text[:min(len(text), 20000)]); m != nil {
				files[fmt.Sprintf("/cache/epub/%s/pg%[1]s.txt", m[1])] = text
			}
		}
	}
	for number, list := range map[int]string{26604: "pearls-1881", 41713: "quips-1885"} {
		files[fmt.Sprintf("/cache/epub/%d/pg%[1]d.txt", number)] = printedList(t, filepath.Join(data, "readers/quotes", list+".jsonl.gz"))
	}
	files["/cache/epub/10/pg10.txt"] = []byte("1:1 In the beginning God created the heaven and the earth.\r\n\r\n1:2 And the earth was without form, and void.\r\n")
	return startServer(t, static(files))
}

func unzipped(t testing.TB, path string) []byte {
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
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// printedList is a list as a printed book has it: a paragraph a quotation.
func printedList(t testing.TB, path string) []byte {
	t.Helper()
	var b bytes.Buffer
	for lines := bufio.NewScanner(bytes.NewReader(unzipped(t, path))); lines.Scan(); {
		var q struct{ Text, Author string }
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%s\r\n--%s.\r\n\r\n", q.Text, q.Author)
	}
	return b.Bytes()
}
