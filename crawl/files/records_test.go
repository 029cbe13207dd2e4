package files

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	commonplace "github.com/commonplace/commonplace"
)

// A file whose first line is a record is a list under another name; a text that only
// begins with a brace is a text.
func TestIsRecord(t *testing.T) {
	for content, want := range map[string]bool{
		`{"id": "a", "text": "All of it."}`:             true,
		"\ufeff{\"text\": \"\"}\r\n{\"text\": \"b\"}\n": true,
		`{"id": "a"}`:              false,
		`{"text": 7}`:              false,
		"{\n\"text\": \"a\"}":      true,
		"\n\n {\"text\": \"a\"}":   true,
		"[\n{\"text\": \"a\"},":    true,
		`{"id": "a", "body": "b"}`: true,
		"[{}] and more":            false,
		`{"text": "a"} said he`:    false,
		"":                         false,
	} {
		if isRecord([]byte(content)) != want {
			t.Errorf("%s: %v", content, !want)
		}
	}
}

// Lines of JSON under the name of a text are a list of quotations, and none of prose. A text
// that begins with a brace is a text.
func TestJSONUnderATextsName(t *testing.T) {
	for content, want := range map[string]string{
		`{"text": "one"}` + "\n" + `{"text": "two"}` + "\n": "[one two]",
		"{Laughter} one\n{Applause} two\n":                  "[{Laughter} one {Applause} two]",
	} {
		var got []string
		for q, err := range ReadQuotes(t.Context(), filepath.Join(folder(t, map[string]string{"ql.txt": content}), "ql.txt"), QuoteOptions{}) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, q.Text)
		}
		if fmt.Sprint(got) != want {
			t.Errorf("%s: %s", content, got)
		}
	}
}

// A list in an archive is refused by name, and the ids of the texts beside it stay.
func TestListsInArchives(t *testing.T) {
	for _, archive := range []string{zipped(t, "a.jsonl", `{"id":"a","text":"one"}`, "b.txt", "two"), tarred(t, "a.jsonl", `{"id":"a","text":"one"}`, "b.txt", "two")} {
		dir := folder(t, map[string]string{"z.zip": archive})
		path := filepath.Join(dir, "z.zip")
		if !strings.HasPrefix(archive, "PK") {
			path = filepath.Join(dir, "z.tar")
			if err := os.Rename(filepath.Join(dir, "z.zip"), path); err != nil {
				t.Fatal(err)
			}
		}
		var got []string
		for d, err := range Documents(t.Context(), newFile(path, filepath.Base(path), 0), Options{}) {
			if r := commonplace.RejectOf(err); r != nil {
				got = append(got, r.ID+": "+r.Detail)
			} else {
				got = append(got, d.ID)
			}
		}
		id := map[string]string{"z.zip": "z", "z.tar": "z/b"}[filepath.Base(path)]
		if want := "[z/a.jsonl: " + listInArchive + " " + id + "]"; fmt.Sprint(got) != want {
			t.Errorf("%s: %q, want %s", path, got, want)
		}
	}
}
