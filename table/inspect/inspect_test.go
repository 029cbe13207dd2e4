package inspect

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/storage/storagetest"
	"github.com/commonplace/commonplace/table"
	"github.com/commonplace/commonplace/table/tabletest"
)

func inspect(t *testing.T, m *storagetest.Memory, name string, s Selection) []string {
	t.Helper()
	var lines []string
	for row, err := range Rows(t.Context(), m, "run", name, s) {
		if err != nil {
			return append(lines, "error: "+err.Error())
		}
		b, err := json.Marshal(row)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, string(b))
	}
	return lines
}

func TestInspect(t *testing.T) {
	s := tabletest.NewRun()
	m := s.Write(t)
	where := func(name, w string) func(table.Row) bool {
		f, err := ParseWhere(name, w)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	for _, c := range []struct {
		name string
		s    Selection
		want string
	}{
		{"passages", Selection{DocID: "doc3", Columns: []string{"index"}, Offset: 1, Limit: 2}, `{"index":1} {"index":2}`},
		{"passages", Selection{DocID: "doc3", Columns: []string{"end", "index"}, Where: where("passages", `begin >= 200 and text ~ "o"`), Limit: 1}, `{"index":5,"end":239}`},
		{"quotes", Selection{DocID: "qdoc8", Columns: []string{"quote_id", "ebook"}}, `{"quote_id":"qdoc8","ebook":0}`},
		{"examples", Selection{DocID: "doc0", Columns: []string{"tokens", "tags", "crosses_boundary"}}, `{"crosses_boundary":true,"tokens":["a","b"],"tags":["O","B"]}`},
		{"alignments", Selection{DocID: "doc0", Columns: []string{"parts"}}, `{"parts":[{"derived_begin":2,"derived_end":5,"source_begin":30,"source_end":33}]} {"parts":[]}`},
		{"rejects", Selection{Where: where("rejects", `stage = score and id != 1`), Columns: []string{"id"}}, `{"id":"0"} {"id":"2"}`},
		{"passages", Selection{DocID: "nobody"}, ``},
		{"nonsense", Selection{}, `error: there is no table "nonsense"; there are documents, quotes,`},
		{"rejects", Selection{DocID: "x"}, `error: table rejects has no documents to choose by`},
		{"passages", Selection{Columns: []string{"x"}}, `error: table passages has no column x`},
	} {
		got := strings.Join(inspect(t, m, c.name, c.s), " ")
		if got != c.want && !(strings.HasPrefix(c.want, "error") && strings.HasPrefix(got, c.want)) {
			t.Errorf("%s %+v:\n got %s\nwant %s", c.name, c.s, got, c.want)
		}
	}
	if n := len(inspect(t, m, "passages", Selection{})); n != len(s.Passages) {
		t.Errorf("%d passages of %d", n, len(s.Passages))
	}
	delete(m.Files, "run/records/passages/_commit.json")
	if got := inspect(t, m, "passages", Selection{}); len(got) != 1 || !strings.Contains(got[0], table.ErrNoRecord.Error()) {
		t.Errorf("without a commit record: %v", got)
	}
}

func TestParseWhere(t *testing.T) {
	row := table.Row{{Column: "passage_id", Value: "a b and c"}, {Column: "index", Value: int64(7)}, {Column: "score", Value: 2.5}, {Column: "truncated", Value: true}, {Column: "doc_id", Value: `say "x"`}}
	for where, want := range map[string]bool{
		`score > 2`:                         true,
		`score>2.5`:                         false,
		`score >= 2.5 and index < 8`:        true,
		`index <= 6`:                        false,
		`index = 7`:                         true,
		`index == 7 and truncated = true`:   true,
		`truncated != true`:                 false,
		`passage_id ~ "b and c"`:            true,
		`passage_id = "a b and c"`:          true,
		`passage_id ~ x`:                    false,
		`doc_id = "say \"x\""`:              true,
		`doc_id != z and passage_id < "b" `: true,
	} {
		f, err := ParseWhere("scores", where)
		if err != nil {
			t.Errorf("%s: %v", where, err)
			continue
		}
		if got := f(row); got != want {
			t.Errorf("%s: %v", where, got)
		}
	}
	for where, want := range map[string]string{
		``:                "is no condition",
		`score`:           "is no condition",
		`scor > 3`:        `no column "scor"`,
		`score > x`:       `"x" is not a value`,
		`index = 2.5`:     `"2.5" is not a value`,
		`truncated > no`:  `"no" is not a value`,
		`truncated > 1`:   "does not compare",
		`index ~ 3`:       "~ is for strings",
		`doc_id = "x`:     "do not match",
		`score > 3 and x`: "is no condition",
	} {
		if _, err := ParseWhere("scores", where); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", where, err, want)
		}
	}
	if _, err := ParseWhere("examples", `tags = B`); err == nil || !strings.Contains(err.Error(), "list of string") {
		t.Errorf("a list: %v", err)
	}
	if _, err := ParseWhere("x", `a = b`); err == nil {
		t.Error("no such table")
	}
}

// A field of metadata is asked for behind a point.
func TestWhereOfFields(t *testing.T) {
	row := table.Row{{Column: "doc_id", Value: "a"}, {Column: "metadata", Value: []commonplace.Field{{Name: "series", Value: "penny"}, {Name: "series", Value: "daily post"}, {Name: "volume", Value: "10"}}}}
	for where, want := range map[string]bool{
		`metadata.series = penny`:                        true,
		`metadata.series = "daily post"`:                 true,
		`metadata.series ~ post and metadata.volume > 9`: true,
		`metadata.volume < 9`:                            false,
		`metadata.volume = 10.0`:                         true,
		`metadata.editor != x`:                           false,
		`doc_id = a and metadata.series = "daily"`:       false,
	} {
		f, err := ParseWhere("documents", where)
		if err != nil {
			t.Errorf("%s: %v", where, err)
			continue
		}
		if got := f(row); got != want {
			t.Errorf("%s: %v", where, got)
		}
	}
	for where, want := range map[string]string{`metadata = x`: "write metadata.NAME", `doc_id.x = 1`: "no column \"doc_id\" with fields", `metadata.x = "y`: "do not match"} {
		if _, err := ParseWhere("documents", where); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", where, err, want)
		}
	}
}

// Null is no number: it is printed as null, and no condition holds of it.
func TestNull(t *testing.T) {
	zero, half := int64(0), 0.5
	m := storagetest.NewMemory()
	tabletest.Write(t, m, table.Scores, "score", []commonplace.Score{
		{PassageID: "d:000000", DocID: "d"},
		{PassageID: "d:000001", DocID: "d", Index: 1, BestBegin: &zero, BestEnd: &zero, BestScore: &half, BestText: "x"},
	}, func(r commonplace.Score) string { return r.DocID })
	columns := []string{"index", "best_begin", "best_score"}
	got := inspect(t, m, "scores", Selection{Columns: columns})
	want := []string{`{"index":0,"best_begin":null,"best_score":null}`, `{"index":1,"best_begin":0,"best_score":0.5}`}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	at, err := ParseWhere("scores", "best_score >= 0 and best_begin = 0")
	if err != nil {
		t.Fatal(err)
	}
	if got := inspect(t, m, "scores", Selection{Columns: columns, Where: at}); !slices.Equal(got, want[1:]) {
		t.Errorf("where it is zero: %q", got)
	}
}
