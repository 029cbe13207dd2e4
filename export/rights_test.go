package export

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// Rights are read from documents and quotes: a run in which one of these, or any
// other table, was begun and not finished is refused, and nothing is written.
func TestAnUnfinishedRunIsRefused(t *testing.T) {
	t.Parallel()
	for _, d := range table.All() {
		name := d.Describe().Name
		if name == table.Rankings.Name { // in versions: pipelines has its test
			continue
		}
		run, to := testRun(t), t.TempDir()+"/export"
		if _, err := os.Stat(table.CommitPath(run, name)); err != nil {
			continue // not a table of this run
		}
		if err := table.RemoveCommit(t.Context(), storage.Default, run, name); err != nil {
			t.Fatal(err)
		}
		for _, o := range []Options{{WithoutText: true}, {}, {WithoutText: true, Tables: []string{"passages"}}} {
			_, err := Write(t.Context(), run, to, o)
			if !errors.Is(err, table.ErrNotWhole) || !strings.Contains(err.Error(), "table "+name+" was begun and is not finished; run `commonplace build` first") {
				t.Errorf("without a record of %s: %v", name, err)
			}
		}
		alone(t, to, 0)
	}
}

// The same where the table that rights are read from is gone with its folder, or
// was made anew since.
func TestARunOfTwoBuildsIsRefused(t *testing.T) {
	t.Parallel()
	run, to := testRun(t), t.TempDir()+"/export"
	passages, err := table.ReadCommit(t.Context(), storage.Default, run, "passages")
	if err != nil {
		t.Fatal(err)
	}
	documents, err := table.ReadCommit(t.Context(), storage.Default, run, "documents")
	if err != nil {
		t.Fatal(err)
	}
	passages.Inputs = map[string]string{"documents": documents.Fingerprint()}
	if err := table.WriteCommit(t.Context(), storage.Default, run, passages); err != nil {
		t.Fatal(err)
	}
	write(t, run, to, Options{WithoutText: true})
	documents.Shards[0].SHA256 = strings.Repeat("0", 64)
	if err := table.WriteCommit(t.Context(), storage.Default, run, documents); err != nil {
		t.Fatal(err)
	}
	if _, err := Write(t.Context(), run, to, Options{WithoutText: true}); !errors.Is(err, table.ErrNotWhole) {
		t.Errorf("documents of another build: %v", err)
	}
	if err := os.RemoveAll(run + "/documents"); err != nil {
		t.Fatal(err)
	}
	if _, err := Write(t.Context(), run, to, Options{WithoutText: true}); !errors.Is(err, table.ErrNotWhole) {
		t.Errorf("no documents: %v", err)
	}
}

// What is not known is not allowed: no table has a text of a document or a quote
// that documents or quotes do not have, or have with rights that say nothing.
func TestRightsAreAnAllowList(t *testing.T) {
	t.Parallel()
	words := func(run string) map[string]string {
		to := t.TempDir() + "/export"
		write(t, run, to, Options{Formats: []string{JSONL, SQuAD, CoNLL, RELiC}, WithoutText: true, Rights: map[string]string{"conversations": "CC0"}})
		files := read(t, to)
		delete(files, "README.md")
		return files
	}
	document := func(id, statement string) commonplace.Document {
		return commonplace.Document{ID: id, Source: "books", Text: sentence(id, 0), Rights: statement}
	}
	whole := func(commonplace.Document) string { return "" }
	for what, rows := range map[string][]commonplace.Document{
		"no document is known":             {},
		"another document is known":        {document("delta", "CC0")},
		"rights are spaces":                {document("alpha", "  ")},
		"rights are a word":                {document("alpha", "unknown")},
		"rights are what the program says": {document("alpha", "true")},
	} {
		run := testRun(t)
		commit(t, run, table.Documents, "{}", whole, 1, rows...)
		for name, content := range words(run) {
			if name != "jsonl/quotes/train.jsonl" && strings.Contains(content, "“alpha”") {
				t.Errorf("%s: %s has words of alpha", what, name)
			}
		}
	}
	run := testRun(t)
	commit(t, run, table.Documents, "{}", whole, 1, document("alpha", "CC0"), document("beta", "CC0"), document("essay", "CC0"), document("gamma", "CC0"), document("zeitung", "CC0"))
	commit(t, run, table.Quotes, "{}", func(commonplace.Quote) string { return "" }, 1,
		commonplace.Quote{ID: "q04-alpha", Text: "an open quote", Source: "open", Rights: "CC0"}, commonplace.Quote{ID: "q07-alpha", Text: "a closed quote", Source: "closed"})
	files := words(run)
	for _, name := range []string{"jsonl/quotes/train.jsonl", "jsonl/alignments/train.jsonl", "jsonl/agreements/train.jsonl"} {
		for line := range strings.Lines(files[name]) {
			open := strings.Contains(line, `"quote_id":"q04-alpha"`) || strings.Contains(line, `"quote_id":""`)
			if has := strings.Contains(line, `an open quote`) || strings.Contains(line, `a closed quote`) || strings.Contains(line, "naïve"); has && !open {
				t.Errorf("%s: %s", name, line)
			}
		}
	}
	if !strings.Contains(files["jsonl/quotes/train.jsonl"], "an open quote") || !strings.Contains(files["jsonl/alignments/train.jsonl"], "naïve") || !strings.Contains(files["jsonl/examples/train.jsonl"], "“beta”") {
		t.Error("an open text was left out")
	}
}

// A statement opens the texts of one source, or one list, or the conversations: a name
// that stands for several of these is refused.
func TestRightsOfAnAmbiguousName(t *testing.T) {
	t.Parallel()
	all := func(commonplace.Document) string { return "" }
	none := func(commonplace.Quote) string { return "" }
	documents := func(of string) []commonplace.Document {
		return []commonplace.Document{{ID: "alpha", Source: of, Text: sentence("alpha", 0)}}
	}
	quotes := func(of string) []commonplace.Quote {
		return []commonplace.Quote{{ID: "q04-alpha", Source: of, Text: "a quote"}}
	}
	for _, c := range []struct{ source, list, given, refused string }{
		{"books", "list", "books", ""},
		{"books", "list", "list", ""},
		{"books", "list", "conversations", ""},
		{"same", "same", "same", "a source and a quote list"},
		{"conversations", "list", "conversations", "a source and the conversations"},
		{"books", "conversations", "conversations", "a quote list and the conversations"},
		{"same", "same", "conversations", ""},
	} {
		run := testRun(t)
		commit(t, run, table.Documents, "{}", all, 1, documents(c.source)...)
		commit(t, run, table.Quotes, "{}", none, 1, quotes(c.list)...)
		to := t.TempDir() + "/export"
		_, err := Write(t.Context(), run, to, Options{WithoutText: true, Rights: map[string]string{c.given: "CC0"}})
		if c.refused == "" {
			if err != nil {
				t.Errorf("%+v: %v", c, err)
			}
			continue
		}
		if !errors.Is(err, ErrOptions) || !strings.Contains(err.Error(), c.refused) {
			t.Errorf("%+v: %v", c, err)
		}
		alone(t, to, 0)
	}
}

// Pairs of words that follow one another give a text back: where not every document
// may be given on, those that few passages have are left out.
func TestRarePairsOfWordsAreLeftOut(t *testing.T) {
	t.Parallel()
	run, to := testRun(t), t.TempDir()+"/export"
	commit(t, run, table.Language, "{}", func(commonplace.NGram) string { return "" }, 1,
		commonplace.NGram{Term: "captain kept", Fold: -1, Passages: 1}, commonplace.NGram{Term: "kept no", Fold: -1, Passages: 4},
		commonplace.NGram{Term: "of the", Fold: -1, Passages: 5}, commonplace.NGram{Term: "the", Fold: -1, Passages: 90})
	open := map[string]string{"books": "CC0", "papers": "public domain"}
	for _, c := range []struct {
		o    Options
		rare bool
	}{{Options{WithoutText: true}, false}, {Options{WithoutText: true, Rights: open}, true}, {Options{}, true}} {
		c.o.Formats = []string{JSONL}
		write(t, run, to, c.o)
		rows := read(t, to)["jsonl/language/train.jsonl"]
		if strings.Contains(rows, "captain kept") != c.rare || strings.Contains(rows, "kept no") != c.rare || !strings.Contains(rows, `"of the"`) || strings.Count(rows, "\n") != 4 {
			t.Errorf("%+v: %s", c.o, rows)
		}
	}
}

// The card says that texts are left out where some are, and else that none is.
func TestTheCardSaysWhatIsLeftOut(t *testing.T) {
	t.Parallel()
	run, to := testRun(t), t.TempDir()+"/export"
	const some, none = "**Some texts are left out**", "**No text is left out**"
	open := map[string]string{"books": "CC0", "papers": "public domain", "conversations": "CC BY 4.0"}
	for _, c := range []struct {
		o    Options
		says string
	}{{Options{WithoutText: true}, some}, {Options{WithoutText: true, Rights: open}, none}, {Options{}, ""}} {
		write(t, run, to, c.o)
		card := read(t, to)["README.md"]
		for _, sentence := range []string{some, none} {
			if strings.Contains(card, sentence) != (sentence == c.says) {
				t.Errorf("%+v: the card says %q: %v", c.o, sentence, sentence != c.says)
			}
		}
	}
}
