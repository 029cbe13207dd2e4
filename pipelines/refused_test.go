package pipelines

import (
	"cmp"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/label"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/pipelinetest"
	"github.com/commonplace/commonplace/table"
)

// hostileWord is one that the tokenizer of withRefusedPassages does not read.
var hostileWord = strings.Repeat("a", 12_000)

// withRefusedPassages is the demonstration, with such words in the midst of a book.
func withRefusedPassages(t *testing.T, dataset string) *config.Config {
	t.Helper()
	c := pipelinetest.Demo(t)
	c.Label.Datasets, c.MaxRejectFraction, c.Segment.By = []string{dataset}, .5, "words:50"
	path := filepath.Join(pipelinetest.Copied(t, c), "weathers.txt")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, before := range []string{"With someone standing up", "A grey horse", "There is no bad weather"} {
		if !strings.Contains(string(text), before) {
			t.Fatalf("%s has no %q", path, before)
		}
		text = []byte(strings.Replace(string(text), before, hostileWord+"\n"+before, 1))
	}
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return c
}

// refusing is the config with a tokenizer that refuses these words, and so many shards.
func refusing(t *testing.T, c *config.Config, shards int) *config.Config {
	t.Helper()
	c = pipelinetest.Into(c, filepath.Join(t.TempDir(), "tables"))
	c.Label.Tokenizer, c.Shards = filepath.Join(pipelinetest.ModelThatReadsTooOften(t, "quotability"), "tokenizer.json"), shards
	return c
}

// An alignment whose positive passage label.tokenizer refuses is a reject. All others have
// the examples that they have without a tokenizer.
func TestRefusedPassagesOfTriples(t *testing.T) {
	c := withRefusedPassages(t, config.DataTriples)
	pipelinetest.Build(t, c)
	var want []commonplace.Example
	refused := map[string]bool{}
	for _, e := range pipelinetest.Rows(t, c, table.Examples) {
		if strings.Contains(e.PassageText, hostileWord) {
			refused[e.ID] = true
		} else {
			want = append(want, e)
		}
	}
	slices.SortFunc(want, func(a, b commonplace.Example) int { return cmp.Compare(a.ID, b.ID) })
	for _, shards := range []int{1, 3} {
		c := refusing(t, c, shards)
		report := pipelinetest.Build(t, c)["label"]
		rows := pipelinetest.Rows(t, c, table.Examples)
		for i := range rows {
			if len(rows[i].Pieces) == 0 {
				t.Errorf("%s has no pieces", rows[i].ID)
			}
			rows[i].Pieces, rows[i].PieceTags = nil, nil
		}
		slices.SortFunc(rows, func(a, b commonplace.Example) int { return cmp.Compare(a.ID, b.ID) })
		if !reflect.DeepEqual(rows, want) || report.In != report.Rows+report.Rejected {
			t.Errorf("%d shards: %d examples, want %d: %+v", shards, len(rows), len(want), report)
		}
		rejects := pipelinetest.Rejects(t, c, "examples")
		for _, r := range rejects {
			if !refused[r.ID] || r.Location != "weathers" || r.Reason != label.ReasonUnreadable || !strings.Contains(r.Detail, "more than 16 times") {
				t.Errorf("%+v", r)
			}
		}
		if len(rejects) != len(refused) || len(refused) < 2 {
			t.Errorf("%d shards: %d rejects, want %d", shards, len(rejects), len(refused))
		}
	}
}

// A passage that label.tokenizer refuses is a reject, and in no sequence. Every other passage
// is in one, whatever the shards, and other books have the sequences that they have without
// such passages.
func TestRefusedPassagesOfCounts(t *testing.T) {
	c := withRefusedPassages(t, config.DataCounts)
	few, many := refusing(t, c, 1), refusing(t, c, 3)
	report := pipelinetest.Build(t, few)["sequence"]
	pipelinetest.Build(t, many)
	plain := refusing(t, c, 3)
	plain.Sources = slices.Clone(c.Sources)
	pipelinetest.Copied(t, plain)
	pipelinetest.Build(t, plain)
	sequences := func(c *config.Config, but string) []commonplace.Sequence {
		rows := slices.DeleteFunc(pipelinetest.Rows(t, c, table.Sequences), func(s commonplace.Sequence) bool { return s.DocID == but })
		slices.SortFunc(rows, func(a, b commonplace.Sequence) int { return cmp.Compare(a.ID, b.ID) })
		return rows
	}
	rows := sequences(few, "")
	if !reflect.DeepEqual(rows, sequences(many, "")) {
		t.Error("other shards have other sequences")
	}
	if !reflect.DeepEqual(sequences(few, "weathers"), sequences(plain, "weathers")) {
		t.Error("other books have other sequences")
	}
	in := map[string]bool{}
	for _, s := range rows {
		for _, id := range s.PassageIDs {
			in[id] = true
		}
	}
	rejects := map[string]commonplace.Reject{}
	for _, r := range pipelinetest.Rejects(t, few, "sequences") {
		rejects[r.ID] = r
	}
	passages := pipelinetest.Rows(t, few, table.Counted)
	for _, p := range passages {
		r, rejected := rejects[p.PassageID]
		if refused := strings.Contains(p.Marked, hostileWord); refused != rejected || refused == in[p.PassageID] {
			t.Errorf("%s is refused: %v, rejected: %v, in a sequence: %v", p.PassageID, refused, rejected, in[p.PassageID])
		}
		if rejected && (r.Location != p.DocID || r.Reason != label.ReasonUnreadable || !strings.Contains(r.Detail, "more than 16 times")) {
			t.Errorf("%+v", r)
		}
	}
	if len(rejects) < 2 || report.Rejected != int64(len(rejects)) || report.In != int64(len(passages)) {
		t.Errorf("%d rejects of %d passages: %+v", len(rejects), len(passages), report)
	}
}
