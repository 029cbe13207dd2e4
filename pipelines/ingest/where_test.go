package ingest_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/pipelinetest"
	"github.com/commonplace/commonplace/table"
)

const letters = `{"id": "a", "text": "One.", "author": "Austen, Jane, 1775-1817", "date": "1813-01-28", "series": ["I", "II"], "language": "English"}
{"id": "b", "text": "Two.", "author": "Jane Austen", "date": "1815", "series": "II", "language": "en; fr"}
{"id": "c", "text": "Three.", "author": "Anonymous", "date": "181X", "series": "[III]"}
{"id": "d", "text": "Four.", "date": "c. 1817", "language": "French"}
{"id": "e", "text": "Five.", "authors": "Jane Austen", "date": "undated", "series": ""}
`

// lettersWhere reads the letters in three shards.
func lettersWhere(t *testing.T, where config.Conditions) (*config.Config, map[string]engine.StageReport, error) {
	dir := t.TempDir()
	list := filepath.Join(dir, "letters.jsonl")
	if err := os.WriteFile(list, []byte(letters), 0o644); err != nil {
		t.Fatal(err)
	}
	s := config.NewSource(config.KindFiles)
	s.Name, s.Files, s.Where = "letters", []string{list}, where
	c, err := config.ForSource(t.Context(), s, filepath.Join(dir, "out"), 3)
	if err != nil {
		t.Fatal(err)
	}
	reports := map[string]engine.StageReport{}
	err = engine.Build(t.Context(), engine.Request{Config: c, Stages: []string{"crawl"}, Done: func(r engine.StageReport) { reports[r.Stage] = r }})
	return c, reports, err
}

// A document is taken if it has one of the values of every field. What is left out is no
// reject: it is counted and said.
func TestWhere(t *testing.T) {
	for _, test := range []struct {
		where config.Conditions
		want  string
	}{
		{nil, "abcde"},
		{config.Conditions{"series": {"II"}}, "ab"},
		{config.Conditions{"series": {"I", "[III]"}}, "ac"},
		{config.Conditions{"author": {"Jane Austen"}}, "ab"},
		{config.Conditions{"author": {"Anonymous"}}, "c"},
		{config.Conditions{"language": {"French", "de"}}, "bd"},
		{config.Conditions{"date": {"1813/1816"}}, "ab"},
		{config.Conditions{"date": {"1813", "1817/.."}}, "ad"},
		{config.Conditions{"date": {"1810/1819"}}, "abcd"},
		{config.Conditions{"date": {"../1815-06"}}, "a"}, // 1815 may be December
		{config.Conditions{"date": {"1810/1819"}, "series": {"II"}, "author": {"Austen"}}, "ab"},
	} {
		c, reports, err := lettersWhere(t, test.where)
		if err != nil {
			t.Errorf("%v: %v", test.where, err)
			continue
		}
		got := ""
		for _, d := range pipelinetest.Rows(t, c, table.Documents) {
			got += d.ID
		}
		letters := strings.Split(got, "")
		slices.Sort(letters)
		if got = strings.Join(letters, ""); got != test.want {
			t.Errorf("%v: %s, want %s", test.where, got, test.want)
		}
		r := reports["crawl"]
		left := int64(5 - len(test.want))
		if r.Rejected != 0 || r.Counts[engine.LeftOut] != left || r.In != 5 {
			t.Errorf("%v: %+v", test.where, r)
		}
		status, err := engine.Look(t.Context(), c.Out, nil)
		if err != nil {
			t.Fatal(err)
		}
		if i := slices.IndexFunc(status.Tables, func(s engine.TableStatus) bool { return s.Table == "documents" }); status.Tables[i].LeftOut != left {
			t.Errorf("%v: status: %+v", test.where, status.Tables[i])
		}
		said := "letters: " + commonplace.CountOf(left, "document") + " left out by where, "
		if notes := strings.Join(r.Notes, "\n"); strings.Contains(notes, said) != (left > 0) {
			t.Errorf("%v: %s", test.where, notes)
		}
	}
}

// A field that no document has is a wrong name. A value that none has may be there tomorrow:
// the build says that nothing is left.
func TestWhereNothingIsLeft(t *testing.T) {
	_, _, err := lettersWhere(t, config.Conditions{"seires": {"II"}, "date": {"1813/1817"}})
	want := `where of the source letters: none of its 5 documents has a field "seires" (the nearest is "series"); the fields are doc_id, source, title, author, genre, date, language, rights, url, authors, series`
	if !errors.Is(err, config.ErrInvalid) || !strings.Contains(err.Error(), want) {
		t.Errorf("%v", err)
	}
	_, reports, err := lettersWhere(t, config.Conditions{"series": {"IV"}})
	if notes := strings.Join(reports["crawl"].Notes, "\n"); err != nil || !strings.Contains(notes, "letters: where leaves out every document, 5 of 5") {
		t.Errorf("%s, %v", notes, err)
	}
}
