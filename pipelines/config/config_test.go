package config

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// loaded writes a config and loads it.
func loaded(t *testing.T, lines string) (*Config, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "run.yaml")
	if err := os.WriteFile(path, []byte(lines), 0o644); err != nil {
		t.Fatal(err)
	}
	return Load(t.Context(), path)
}

const smallest = "out: tables\nsources:\n  - name: books\n    files: [books]\n"

// A mistake is refused with file, line, key, value, and what would be right.
func TestConfigMistakes(t *testing.T) {
	at := func(line string) string { return smallest + line + "\n" }
	for _, c := range []struct{ config, says string }{
		// keys that there are not: the nearest of those that may stand there
		{at("max_reject_fractoin: 0.1"), `:5: unknown key "max_reject_fractoin"; the nearest right one is "max_reject_fraction"`},
		{at("segment: {bye: words:200}"), `:5: unknown key "bye"; the nearest right one is "by"`},
		{at("label:\n  split:\n    trian: 0.8"), `:7: unknown key "trian"; the nearest right one is "train"`},
		{at("by: words:200"), `:5: unknown key "by"; the nearest right one is "out"`},
		{"by: words:200", `:1: unknown key "by"; the nearest right one is "out"`},
		{"out: tables\nsources:\n  - name: books\n    file: [books]", `:4: unknown key "file"; the nearest right one is "files"`},
		{at("quotes:\n  - name: a\n    pat: x"), `:7: unknown key "pat"; the nearest right one is "path"`},
		// values of another type
		{at("shards: many"), `:5: shards is many, must be a whole number`},
		{at("shards: 2.5"), `:5: shards is 2.5, must be a whole number`},
		{at("max_reject_fraction: 0,5"), `:5: max_reject_fraction is 0,5, must be a number`},
		{"out: tables\nsources: books", `:2: sources is books, must be a list, such as [a, b]`},
		{"out: tables\nsources:\n  - books", `:3: sources[0] is books, must be keys with values`},
		{"out: tables\nsources:\n  - name: books\n    files: books", `:4: sources[0].files is books, must be a list, such as [a, b]`},
		{"out: tables\nsources:\n  - name: books\n    files: [[a]]", `:4: sources[0].files[0] is [a], must be a text`},
		{"out: tables\nsources:\n  - name: books\n    files: [a]\n    max_bytes: lots", `:5: sources[0].max_bytes is lots, must be a whole number`},
		{"out: [a]\nsources:\n  - name: books\n    files: [a]", `:1: out is [a], must be a text`},
		{at("quotes: list.jsonl"), `:5: quotes is list.jsonl, must be a list, such as [a, b]`},
		{at("quotes:\n  - name: a\n    path: b\n    columns: [a]"), `:8: quotes[0].columns is [a], must be keys with values`},
		{at("segment: words:200"), `:5: segment is words:200, must be keys with values`},
		{at("segment: {by: [a]}"), `:5: segment.by is [a], must be a text`},
		{at("align:\n  min_similarity: high"), `:6: align.min_similarity is high, must be a number`},
		{at("label:\n  context_words: 1.5"), `:6: label.context_words is 1.5, must be a whole number`},
		{at("label:\n  split:\n    seed: 99999999999999999999"), `:7: label.split.seed is 99999999999999999999, must be a whole number`},
		{at("score: {batch: big}"), `:5: score.batch is big, must be a whole number`},
		{at("runner: {flags: -v}"), `:5: runner.flags is -v, must be a list, such as [a, b]`},
		// values that cannot be
		{at("label:\n  replies:\n    dictionary: words.txt"), `:7: label.replies.dictionary is `},
		{"out: \"\"\nsources:\n  - name: books\n    files: [a]", `:1: out is "", must be a folder for the tables`},
		{"", `: out is "", must be a folder for the tables`},
		{"out: tables", `: sources is nothing, must be at least one source`},
		{at("shards: -1"), `:5: shards is -1, must be 1 to 4096, or 0`},
		{at("shards: 100000"), `:5: shards is 100000, must be 1 to 4096`},
		{at("max_reject_fraction: 1.5"), `:5: max_reject_fraction is 1.5, must be 0 to 1`},
		{at("max_reject_fraction: .nan"), `:5: max_reject_fraction is NaN, must be 0 to 1`},
		{"out: tables\nsources:\n  - files: [a]", `sources[0].name is "", must be a name that no other source has`},
		{"out: tables\nsources:\n  - name: a\n    files: [a]\n  - name: a\n    files: [b]", `:5: sources[1].name is "a", must be a name that no other source has`},
		{"out: tables\nsources:\n  - name: a\n    files: []", `:4: sources[0].files is nothing, must be at least one folder, file or glob`},
		{"out: tables\nsources:\n  - name: a\n    files: [tables/documents]", `sources[0].files is `},
		{"out: tables\nsources:\n  - name: a\n    files: [a]\n    max_bytes: 0", `:5: sources[0].max_bytes is 0, must be 1 or more`},
		{"out: tables\nsources:\n  - name: a\n    files: [a]\n    frame: on", `:5: sources[0].frame is "on", must be one of auto, none (the nearest is "none")`},
		{"out: tables\nsources:\n  - name: a\n    files: [a]\n    role: sorce", `:5: sources[0].role is "sorce", must be one of source, derived, both (the nearest is "source")`},
		{at("quotes:\n  - path: b"), `quotes[0].name is "", must be a name that no other list has`},
		{at("quotes:\n  - name: a"), `quotes[0].path is nothing, must be a JSONL or CSV file`},
		{at("crawl: {archive: c}\nquotes:\n  - name: a\n    gutenberg: 7\n    path: b"), `:9: quotes[0].path is "`},
		{"out: tables\nsources:\n  - {name: a, gutenberg: [5, 1.5]}", `sources[0].gutenberg.ids[1] is 0, must be the number of an eBook`},
		{"out: tables\nsources:\n  - {name: a, gutenberg: [five]}", `sources[0].gutenberg.ids[0] is 0, must be the number of an eBook`},
		{at("quotes:\n  - name: a\n    path: b\n    columns: {txt: t}"), `:8: quotes[0].columns is "txt", must be one of id, text, author, work, ebook, source (the nearest is "text")`},
		{at("segment: {by: word:200}"), `:5: segment.by is "word:200"`},
		{at("segment: {by: words:0}"), `:5: segment.by is "words:0"`},
		{at("align: {min_similarity: 70}"), `:5: align.min_similarity is 70, must be 0 to 1`},
		{at("label: {context_words: -1}"), `:5: label.context_words is -1, must be 0 or more`},
		{at("label:\n  split:\n    train: 0.5"), `:7: label.split: split shares add up to 0.7: make train, validation and test add up to 1`},
		{at("label:\n  split:\n    train: 1.2\n    test: -0.3"), `:7: label.split: split has a share of 1.2: give shares from 0 to 1`},
		{at("label: {split: {by: author}}"), `:5: label.split: split by "author" is not known: use quote, example or document`},
		{at("align: {match: equal}"), `:5: align.match is "equal", must be one of similar, exact`},
		{at("score: {device: cuda:x}"), `:5: score.device is "cuda:x", must be one of cpu, cuda, tensorrt, auto`},
		{at("score: {device: abacus}"), `:5: score.device is "abacus", must be one of cpu, cuda, tensorrt, auto`},
		{at("score: {batch: -1}"), `:5: score.batch is -1, must be 0 (what suits the device) to 1048576`},
		{at("runner: {parallelism: -1}"), `:5: runner.parallelism is -1, must be 0 (all processors) or more`},
		{at("runner: {name: spark}"), `:5: runner.name is "spark", must be one of embedded, direct, flink, dataflow`},
		{at("recommend: {retrieve: bm25, context: {paraphrased: true}}"), `:5: recommend.context.paraphrased is true, must be false where no paraphrases are made`},
		{at("recommend: {retrieve: bm25, context: {none: true}}"), `:5: recommend.context.none is true, must be false without recommend.models`},
		{at("quotes: [{name: q, path: q}]\nlabel: {datasets: [triples], paraphrase: {url: \"http://localhost:1\", model: m}}\nrecommend: {retrieve: bm25, context: {paraphrased: true, words: 5}}"), `:7: recommend.context.words is 5, must be 0 with paraphrased`},
		// lists with a value twice: the work would be done twice and counted twice
		{at("evaluate: {splits: [test, train, test]}"), `:5: evaluate.splits[2] is "test", must be another one: the list has it already`},
		{at("evaluate: {baselines: [bm25, bm25]}"), `:5: evaluate.baselines[1] is "bm25", must be another one`},
		{at("label: {datasets: [triples, triples]}"), `:5: label.datasets[1] is "triples", must be another one`},
		// no YAML
		{"{{{{", ":1: "},
		{"out: a\nout: b", `:2: mapping key "out" already defined`},
		{"out: a\n\tshards: 1", ":2: "},
	} {
		_, err := loaded(t, c.config)
		if !errors.Is(err, ErrInvalid) {
			t.Errorf("%q: %v", c.config, err)
			continue
		}
		if text := err.Error(); !strings.Contains(text, "run.yaml"+c.says) && !strings.Contains(text, c.says) || strings.Contains(text, "Go ") || strings.Contains(text, "\n") {
			t.Errorf("%q\nsays %s\nwant %s", c.config, text, c.says)
		}
	}
}

// Configs of version 0.1.0 name the embedded runner after what it was.
func TestPrismIsTheEmbeddedRunner(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.yaml")
	if err := os.WriteFile(path, []byte(smallest+"runner: {name: prism}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	c, err := Load(t.Context(), path)
	if err != nil || c.Runner.Name != EmbeddedRunner {
		t.Fatalf("%v, %v", c, err)
	}
	if err := c.SetRunner("prism"); err != nil || c.Runner.Name != EmbeddedRunner {
		t.Errorf("%s, %v", c.Runner.Name, err)
	}
}

func TestConfigFileIsMissing(t *testing.T) {
	for _, path := range []string{filepath.Join(t.TempDir(), "nowhere.yaml"), t.TempDir()} {
		if _, err := Load(t.Context(), path); !errors.Is(err, ErrInvalid) || !strings.Contains(err.Error(), path+" cannot be read") {
			t.Errorf("%v", err)
		}
	}
}

// Paths are relative to the config file, not to the working folder.
func TestConfigPaths(t *testing.T) {
	c, err := loaded(t, smallest+"quotes:\n  - name: q\n    path: ../q.jsonl\nscore:\n  model: /models/m\n")
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Dir(c.File())
	got := []string{c.Out, c.Sources[0].Files[0], c.Quotes[0].Path, c.Score.Model}
	want := []string{dir + "/tables", dir + "/books", filepath.Dir(dir) + "/q.jsonl", "/models/m"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("paths are %q, want %q", got, want)
	}
}

// Every config of the checkout loads: a renamed key must not leave one behind.
func TestConfigsOfTheCheckout(t *testing.T) {
	found, err := filepath.Glob("../../configs/*.yaml")
	if err != nil || len(found) < 3 {
		t.Fatal(found, err)
	}
	for _, path := range found {
		if _, err := Load(t.Context(), path); err != nil {
			t.Error(err)
		}
	}
}

// A source is fetched where servers are named, and read from files where the rest of
// fetch is left behind.
func TestWhatIsFetched(t *testing.T) {
	for text, want := range map[string]bool{
		"kind: files, files: [a]":                                                              false,
		"kind: files, files: [a], fetch: {mirrors: []}":                                        false,
		"kind: gutenberg, files: [a], fetch: {mirrors: []}":                                    false,
		"kind: gutenberg, fetch: {mirrors: ['https://a.org/']}":                                true,
		"kind: hathitrust, files: [a], fetch: {key: K, secret: S}":                             false,
		"kind: hathitrust, files: [a], fetch: {endpoint: 'https://a.org/', key: K, secret: S}": true,
	} {
		c, err := loaded(t, "out: tables\nsources: [{name: a, "+text+"}]\n")
		if err != nil {
			t.Errorf("%s: %v", text, err)
		} else if c.Sources[0].Fetched() != want {
			t.Errorf("%s: fetched is %t", text, !want)
		}
	}
}

// No error shows the password of an address, whichever key it is the value of.
func TestErrorsShowNoPassword(t *testing.T) {
	const with = "https://reader:canary@books.example/"
	for _, source := range []string{
		"kind: articles, files: [a], fetch: {archive: '" + with + "{url}'}", "kind: articles, files: [a], fetch: {archive: 'reader:canary@books'}",
		"kind: gutenberg, fetch: {mirrors: ['" + with + "']}", "kind: gutenberg, fetch: {mirrors: ['https://a.org'], catalog: '" + with + "'}",
		"kind: hathitrust, fetch: {endpoint: '" + with + "'}", "files: ['" + with + "a']", "files: [a], frame: '" + with + "'",
	} {
		_, err := loaded(t, "out: tables\nsources:\n  - {name: a, "+source+"}\n")
		if err == nil || strings.Contains(err.Error(), "canary") {
			t.Errorf("%s: %v", source, err)
		}
	}
	for _, text := range []string{"label: {paraphrase: {url: '" + strings.Replace(with, "https", "ftp", 1) + "', model: m}}", "runner: {name: '" + with + "'}"} {
		if _, err := loaded(t, smallest+text+"\n"); err == nil || strings.Contains(err.Error(), "canary") {
			t.Errorf("%s: %v", text, err)
		}
	}
	if _, err := loaded(t, strings.Replace(smallest, "out: ", "out: "+with+" #", 1)); err == nil || strings.Contains(err.Error(), "canary") {
		t.Errorf("out: %v", err)
	}
}
