package standalone

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/crawl/files"
)

// found runs find over the demonstration and gives its rows.
func found(t *testing.T, change func(*Find)) []Found {
	t.Helper()
	f := NewFind()
	f.What, f.Books = "../testdata/demo/quotes.jsonl", []string{"../testdata/demo/books"}
	f.Format, f.Out = "jsonl", filepath.Join(t.TempDir(), "found.jsonl")
	f.Refuse = func(r commonplace.Reject) { t.Errorf("%s: %s", r.Location, r.Reason) }
	f.Report = func(string) {}
	change(&f)
	if err := f.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(f.Out)
	if err != nil {
		t.Fatal(err)
	}
	var rows []Found
	for line := range strings.Lines(string(raw)) {
		var r Found
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, r)
	}
	return rows
}

// textsOf are the texts of the demonstration as a run decodes them, in runes.
func textsOf(t *testing.T, folder string) map[string][]rune {
	list, err := files.ListAll(t.Context(), []string{folder})
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string][]rune{}
	for _, f := range list.Files {
		doc, err := files.Read(t.Context(), f, files.Options{})
		if err != nil {
			t.Fatal(err)
		}
		texts[doc.ID] = []rune(doc.Text)
	}
	return texts
}

// Every span is what the row says, on both sides, with any number of workers.
func TestFoundWordsAreThere(t *testing.T) {
	t.Parallel()
	books, essays := textsOf(t, "../testdata/demo/books"), textsOf(t, "../testdata/demo/essays")
	for name, change := range map[string]func(*Find){
		"a list":    func(f *Find) { f.Parallelism = 1 },
		"documents": func(f *Find) { f.What = "../testdata/demo/essays" },
	} {
		rows := found(t, change)
		if len(rows) < 40 {
			t.Errorf("%s: %d rows", name, len(rows))
		}
		for _, r := range rows {
			if got := string(books[r.SourceID][r.SourceBegin:r.SourceEnd]); got != r.SourceText {
				t.Errorf("%s: [%d:%d] of %s is %q, not %q", name, r.SourceBegin, r.SourceEnd, r.SourceID, got, r.SourceText)
			}
			derived := []rune(r.QuoteText)
			if r.DerivedID != "" {
				derived = essays[r.DerivedID]
			}
			if got := string(derived[r.DerivedBegin:r.DerivedEnd]); got != r.DerivedText {
				t.Errorf("%s: [%d:%d] is %q, not %q", name, r.DerivedBegin, r.DerivedEnd, got, r.DerivedText)
			}
		}
		many := found(t, func(f *Find) { change(f); f.Parallelism = 8 })
		a, _ := json.Marshal(rows)
		b, _ := json.Marshal(many)
		if string(a) != string(b) {
			t.Errorf("%s: eight workers find something else", name)
		}
	}
}

// A document does not quote itself, whatever folder it was listed from.
func TestADocumentDoesNotQuoteItself(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	text := strings.Repeat("The wheel of the old mill turned all through that long night. ", 3)
	for name, content := range map[string]string{"all/in/a.txt": text, "all/b.txt": "Nothing else is here.", "all/list.jsonl": `{"id":"c","text":"` + text + `"}` + "\n" + `{"id":"d","text":"Nor here."}`} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if rows := found(t, func(f *Find) { f.What, f.Books = filepath.Join(dir, "all/in"), []string{filepath.Join(dir, "all")} }); len(rows) != 0 {
		t.Errorf("%+v", rows)
	}
	list := filepath.Join(dir, "all/list.jsonl")
	if rows := found(t, func(f *Find) { f.What, f.As, f.Books = list, AsDocuments, []string{list} }); len(rows) != 0 {
		t.Errorf("%+v", rows)
	}
	rows := found(t, func(f *Find) { f.What, f.As, f.Books = list, AsDocuments, []string{filepath.Join(dir, "all")} })
	if len(rows) == 0 || rows[0].SourceID != "in/a" {
		t.Errorf("%+v", rows)
	}
}

// A quotation's rows do not depend on what else is in the list, nor on its order.
func TestFoundRowsAreOfOneQuotation(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("../testdata/demo/quotes.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var half []string
	for i, line := range slices.Collect(strings.Lines(string(raw))) {
		if i%2 == 0 {
			half = append(half, line)
		}
	}
	slices.Reverse(half)
	path := filepath.Join(t.TempDir(), "half.jsonl")
	if err := os.WriteFile(path, []byte(strings.Join(half, "")), 0o644); err != nil {
		t.Fatal(err)
	}
	of := func(rows []Found) map[string][]Found {
		by := map[string][]Found{}
		for _, r := range rows {
			by[r.QuoteID] = append(by[r.QuoteID], r)
		}
		return by
	}
	all, some := of(found(t, func(*Find) {})), of(found(t, func(f *Find) { f.What = path }))
	if len(some) < 15 {
		t.Errorf("%d quotations of %d were found", len(some), len(half))
	}
	for id, rows := range some {
		if !slices.Equal(rows, all[id]) {
			t.Errorf("%s: %+v among half of the list, %+v among all", id, rows, all[id])
		}
	}
}
