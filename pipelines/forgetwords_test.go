package pipelines

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/pipelinetest"
)

// Books whose ids are words of the run's own files, such as a table's, a field's or a
// folder's name, are forgotten like any other.
func TestForgetOfOwnWords(t *testing.T) {
	c, folder := small(t)
	c.Guard = config.Guard{}
	pipelinetest.Build(t, c)
	words := slices.DeleteFunc(ownWords(t, c.Out), func(word string) bool { // but what the config itself says
		return slices.ContainsFunc(c.Sources, func(s config.Source) bool { return s.Name == word }) || word == c.Quotes[0].Name
	})
	if len(words) < 60 || !slices.Contains(words, "fingerprint") || !slices.Contains(words, "segment") || !slices.Contains(words, "nights") {
		t.Fatalf("the run's words are %v", words)
	}
	withSecret(t, folder)
	books := filepath.Join(folder, "books")
	if err := os.Rename(filepath.Join(books, secretID+".txt"), filepath.Join(books, "passages.txt")); err != nil {
		t.Fatal(err)
	}
	for i, word := range words {
		if word != "passages" {
			text := fmt.Sprintf("Nobody else has line %d, and its %d lanterns stay in Quillon.", i, i*i+7)
			if err := os.WriteFile(filepath.Join(books, word+".txt"), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	pipelinetest.Build(t, c)
	report, err := engine.Forget(t.Context(), engine.Request{Config: c}, words)
	if err != nil {
		t.Errorf("%v: %+v", err, report.Left)
	}
	if left := holding(t, c.Out); len(left) > 0 {
		t.Errorf("%v are left", left)
	}
}

// An id is found in any file of others, however short it is and wherever it stands.
func TestForgetInFilesOfOthers(t *testing.T) {
	c, folder := small(t)
	c.Guard = config.Guard{}
	ids := []string{"sand", "1984", "harbour-book", "longer-name"}
	for _, id := range ids {
		text := "Under " + id + " of the western bay lies a bell, and fishermen of Quillon hear it " + id + " times."
		if err := os.WriteFile(filepath.Join(folder, "books", id+".txt"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	pipelinetest.Build(t, c)
	var want []string
	for i, content := range []string{`["sand"]`, `{"doc_id": "1984"}`, `{"harbour-book": "a summary"}`, `{"a": "harbour-book", "a": 1}`, `{"b": "longer-name"}`} {
		want = append(want, fmt.Sprintf("n%d.json", i))
		if err := os.WriteFile(filepath.Join(c.Out, want[i]), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	report, err := engine.Forget(t.Context(), engine.Request{Config: c}, ids)
	var left []string
	for _, l := range report.Left {
		left = append(left, l.Path)
	}
	if slices.Sort(left); !errors.Is(err, engine.ErrLeft) || !slices.Equal(left, want) {
		t.Errorf("%v: left are %v, want %v", err, left, want)
	}
}

// ownWords are the keys of a run's records, and the parts of its paths, that are words.
func ownWords(t *testing.T, run string) (words []string) {
	t.Helper()
	word := regexp.MustCompile(`^[a-z_]{6,}$`)
	var keys func(v any)
	keys = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, e := range v {
				keys(e)
			}
		case map[string]any:
			for key, e := range v {
				words = append(words, key)
				keys(e)
			}
		}
	}
	err := filepath.WalkDir(run, func(path string, d fs.DirEntry, err error) error {
		for _, part := range strings.FieldsFunc(d.Name(), func(r rune) bool { return r == '.' || r == '-' }) {
			words = append(words, part)
		}
		if err != nil || filepath.Ext(path) != ".json" || !d.Type().IsRegular() {
			return err
		}
		var v any
		err = json.Unmarshal(fileOf(t, path), &v)
		keys(v)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	words = slices.DeleteFunc(words, func(w string) bool { return !word.MatchString(w) })
	slices.Sort(words)
	return slices.Compact(words)
}
