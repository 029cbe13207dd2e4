package export

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// Documents that stand in another order than their paraphrases are an error: their questions
// would be left out as if nobody had paraphrased them.
func TestParaphrasesAreAskedForInOrder(t *testing.T) {
	rows := []commonplace.Paraphrase{{DocID: "a", ContextID: "1", Target: "one"}, {DocID: "b", ContextID: "2", Target: "two"}}
	w := &inOtherWords{}
	next := func() (row commonplace.Paraphrase, err error, more bool) {
		if len(rows) == 0 {
			return row, nil, false
		}
		row, rows = rows[0], rows[1:]
		return row, nil, true
	}
	w.next = next
	w.row, w.err, w.more = next()
	for _, c := range []struct{ doc, context, want string }{{"a", "1", "one"}, {"a", "9", ""}, {"b", "2", "two"}, {"c", "3", ""}} {
		if said, err := w.context(c.doc, c.context); said != c.want || err != nil {
			t.Errorf("%s %s: %q, %v", c.doc, c.context, said, err)
		}
	}
	if _, err := w.context("b", "2"); !errors.Is(err, errChanged) {
		t.Errorf("a document again: %v", err)
	}
}

// SQuAD's questions of examples are paraphrases where they are asked for, and an example without
// one is left out; other tables' questions stay.
func TestSQuADInOtherWords(t *testing.T) {
	t.Parallel()
	run := testRun(t)
	var kept []commonplace.Paraphrase
	n := 0
	all, err := table.ReadCommit(t.Context(), storage.Default, run, table.Paraphrases.Name)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range all.ShardPaths(run) {
		for p, err := range table.Paraphrases.Rows(t.Context(), path) {
			if err != nil {
				t.Fatal(err)
			}
			if n++; n%2 == 0 {
				p.Target = "in other words, " + p.ContextID + "."
				kept = append(kept, p)
			}
		}
	}
	os.RemoveAll(filepath.Join(run, table.Paraphrases.Name))
	commit(t, run, table.Paraphrases, "{}", func(p commonplace.Paraphrase) string { return p.DocID }, len(all.Shards), kept...)
	verbatim, to := t.TempDir()+"/verbatim", t.TempDir()+"/paraphrased"
	write(t, run, verbatim, Options{Formats: []string{SQuAD}})
	write(t, run, to, Options{Formats: []string{SQuAD}, Paraphrased: true})
	before, after := read(t, verbatim), read(t, to)
	asked := 0
	for _, split := range []string{"train", "validation", "test"} {
		asked += strings.Count(after["squad/examples/"+split+".json"], `"question":"in other words, `)
		if strings.Count(after["squad/examples/"+split+".json"], `"question":`) != strings.Count(after["squad/examples/"+split+".json"], `"question":"in other words, `) {
			t.Errorf("%s asks a context as it is", split)
		}
		if name := "squad/quoted_spans/" + split + ".json"; before[name] != after[name] {
			t.Errorf("%s has changed", name)
		}
	}
	for _, p := range kept {
		if strings.Count(after["squad/examples/"+p.Split+".json"], `"question":"`+p.Target+`"`) != 1 {
			t.Errorf("%s is not asked", p.ContextID)
		}
	}
	if asked != len(kept) || asked == 0 {
		t.Errorf("%d questions of %d paraphrases", asked, len(kept))
	}
	if !strings.Contains(after["README.md"], "those of `examples` are paraphrases") || strings.Contains(before["README.md"], "those of `examples` are paraphrases") {
		t.Error("the card does not say what the questions are")
	}
	os.RemoveAll(filepath.Join(run, table.Paraphrases.Name))
	os.RemoveAll(filepath.Join(run, "records", table.Paraphrases.Name))
	if _, err := Write(t.Context(), run, t.TempDir()+"/x", Options{Formats: []string{SQuAD}, Paraphrased: true}); !errors.Is(err, ErrOptions) {
		t.Errorf("without the table: %v", err)
	}
}
