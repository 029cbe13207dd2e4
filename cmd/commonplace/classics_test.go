package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/commonplace/commonplace/table"
)

// configs/classics.yaml as people run it, but from a mirror on this machine, which has the
// books of the data folder and its two selections, and with the fast model.
func TestClassicsFromAMirror(t *testing.T) {
	if os.Getenv("COMMONPLACE_SLOW") == "" {
		t.Skip("twenty books take a minute; make slow builds them")
	}
	s := mirrorOfBooks(t)
	raw, err := os.ReadFile(filepath.Join(checkout, "configs/classics.yaml"))
	if err != nil {
		t.Fatal(err)
	}
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
