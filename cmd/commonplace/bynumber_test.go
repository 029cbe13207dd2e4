package main

import (
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/commonplace/commonplace/table"
)

// Books and a printed list by their numbers: nobody needs a catalogue or an address for
// them, runs share what was fetched, and --offline names what is missing.
func TestBooksByNumber(t *testing.T) {
	files := mirror(12)
	files["/cache/epub/7/pg7.txt"] = []byte("Title: Sayings\r\n\r\n*** START OF THIS PROJECT GUTENBERG EBOOK SAYINGS ***\r\n\r\n" +
		"The miller of valley 5 counted 35 sacks of flour.\r\n\r\nNobody ever counted what the river took away.\r\n\r\n*** END OF THIS PROJECT GUTENBERG EBOOK SAYINGS ***\r\n")
	s := startServer(t, static(files))
	config, out := writeConfig(t, fmt.Sprintf("crawl: {archive: fetched, delay: 1ms, mirrors: ['%s/'], private_hosts: [127.0.0.1]}\n", s.URL)+
		"sources:\n  - {name: books, gutenberg: [3, 5, 3]}\nquotes:\n  - {name: sayings, gutenberg: 7}\n")

	said := refusedWith(t, 1, "build", config, "--offline")
	if want := "3 inputs are not in"; !strings.Contains(said, want) || !strings.Contains(said, "5 of books ("+s.URL+"/cache/epub/5/pg5.txt)") || !strings.Contains(said, "7 of sayings") {
		t.Errorf("offline, nothing fetched: %s", said)
	}
	if len(s.requests()) > 0 {
		t.Fatalf("--offline asked for %v", s.counts())
	}
	build(t, config)
	// Of one that is missing the message speaks in the singular.
	more, _ := writeConfig(t, fmt.Sprintf("crawl: {archive: %s, delay: 1ms, mirrors: ['%s/'], private_hosts: [127.0.0.1]}\n", filepath.Join(filepath.Dir(config), "fetched"), s.URL)+
		"sources:\n  - {name: books, gutenberg: [3, 5, 9]}\n")
	if said := refusedWith(t, 1, "build", more, "--offline"); !strings.Contains(said, "1 input is not in") {
		t.Errorf("offline, one not fetched: %s", said)
	}
	docs, _ := crawled(t, out)
	if len(docs) != 2 || docs["3"].Title != "Book 3" || docs["5"].Author != "Author 5" {
		t.Fatalf("%d documents: %+v", len(docs), docs)
	}
	if found := rows(t, table.Alignments, filepath.Join(out, "alignments")); len(found) == 0 || found[0].QuoteID != "sayings:1" || found[0].SourceID != "5" {
		t.Errorf("found: %+v", found)
	}
	for path := range s.counts() {
		if strings.Contains(path, "pg_catalog") {
			t.Errorf("the catalogue was asked for, which numbers do not need")
		}
	}
	for _, r := range s.requests() {
		if a := r.header.Get("User-Agent"); strings.Contains(a, "(") {
			t.Errorf("User-Agent %q names a contact that there is not", a)
		}
	}
	s.forget()
	build(t, config, "--out", out+"-other", "--offline")
	build(t, config, "--out", out+"-third")
	if len(s.requests()) > 0 {
		t.Errorf("another run fetched again: %v", s.counts())
	}
	config, _ = writeConfig(t, fmt.Sprintf("crawl: {archive: fetched, delay: 1ms, mirrors: ['%s/'], private_hosts: [127.0.0.1]}\n", s.URL)+
		"sources:\n  - {name: books, gutenberg: [3]}\nquotes:\n  - {name: sayings, gutenberg: 999}\n")
	if said := refusedWith(t, 1, "build", config); !strings.Contains(said, "quotes sayings: eBook 999 was not fetched: not found") {
		t.Errorf("a list that no mirror has: %s", said)
	}
}

// Who fetches a library says who asks.
func TestManyBooksNeedAContact(t *testing.T) {
	config, _ := writeConfig(t, "sources:\n  - {name: books, gutenberg: ["+strings.Trim(strings.Repeat("5,", 101), ",")+"]}\n")
	if said := refusedWith(t, 2, "build", config); !strings.Contains(said, "crawl.contact") {
		t.Error(said)
	}
	config, _ = writeConfig(t, "sources:\n  - {name: books, gutenberg: [0]}\n")
	if said := refusedWith(t, 2, "build", config); !strings.Contains(said, "gutenberg.ids[0] is 0, must be the number of an eBook") {
		t.Error(said)
	}
	config, _ = writeConfig(t, "sources:\n  - {name: books, gutenberg: [5]}\nquotes:\n  - {name: sayings, gutenberg: 7}\n")
	if said := refusedWith(t, 2, "build", config); !strings.Contains(said, "crawl.archive is nothing") {
		t.Error(said)
	}
}

func build(t testing.TB, config string, more ...string) {
	t.Helper()
	if said, err := runs(t, append([]string{"build", config, "--top", "0"}, more...)...); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
}

// runs runs the program, and returns what it says.
func runs(t testing.TB, args ...string) (said string, err error) {
	t.Helper()
	output, err := exec.CommandContext(t.Context(), "commonplace", args...).CombinedOutput()
	return string(output), err
}

// refusedWith runs the program, which must end with the status, and returns what it says.
func refusedWith(t testing.TB, status int, args ...string) string {
	t.Helper()
	said, err := runs(t, args...)
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != status {
		t.Fatalf("%v, want status %d: %s", err, status, said)
	}
	return said
}
