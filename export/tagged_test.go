package export

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/table"
)

// One row a passage: two quotes of one passage are in one row, a quote over two passages in
// both, a passage of two splits in none, a copy not at all, and negatives are as asked.
func TestTokenClassification(t *testing.T) {
	t.Parallel()
	run := t.TempDir()
	var documents []commonplace.Document
	var passages []commonplace.Passage
	var works []commonplace.Work
	const text = "The first line is here. The second line is there. "
	for _, id := range []string{"a", "copy"} {
		documents = append(documents, commonplace.Document{ID: id, Text: strings.Repeat(text, 6), Characters: 300, Rights: "CC0", Source: "books"})
		works = append(works, commonplace.Work{DocID: id, Work: "a", Editions: 2})
		for i := range int64(6) {
			passages = append(passages, commonplace.Passage{ID: commonplace.PassageID(id, i), DocID: id, Index: i, Begin: 50 * i, End: 50*i + 49, Text: strings.TrimSpace(text)})
		}
	}
	quote := func(id, doc string, begin, end int64, in string) commonplace.Example {
		return commonplace.Example{ID: id, QuoteID: id, DocID: doc, QuoteBegin: begin, QuoteEnd: end, Split: in}
	}
	byDoc := func(id string) string { return id }
	commit(t, run, table.Documents, "{}", func(d commonplace.Document) string { return byDoc(d.ID) }, 2, documents...)
	commit(t, run, table.Passages, "{}", func(p commonplace.Passage) string { return p.DocID }, 2, passages...)
	commit(t, run, table.Works, "{}", func(w commonplace.Work) string { return w.DocID }, 2, works...)
	commit(t, run, table.Examples, `{"split":{"by":"quote"}}`, func(e commonplace.Example) string { return e.DocID }, 2,
		quote("one", "a", 4, 14, "train"), quote("two", "a", 28, 39, "train"), // in passage 0
		quote("over", "a", 80, 110, "test"),                                          // passages 1 and 2
		quote("here", "a", 154, 164, "train"), quote("there", "a", 178, 189, "test"), // passage 3
		quote("one", "copy", 4, 14, "train"))
	to := filepath.Join(t.TempDir(), "folder")
	if _, err := Write(t.Context(), run, to, Options{Formats: []string{HF, TokenClassification}, Negatives: .5}); err != nil {
		t.Fatal(err)
	}
	rows := map[string][]taggedRow{}
	for _, split := range []string{"train", "validation", "test"} {
		b, err := os.ReadFile(filepath.Join(to, TokenClassification, split+".jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(b)) {
			var r taggedRow
			if err := json.Unmarshal([]byte(line), &r); err != nil {
				t.Fatal(err)
			}
			rows[split] = append(rows[split], r)
		}
	}
	short := func(r taggedRow) string { return strings.ReplaceAll(strings.Join(r.Tags, ""), "-QUOTE", "") }
	first := rows["train"][0]
	if first.PassageID != commonplace.PassageID("a", 0) || short(first) != "OBIOOOOBIOOO" || !slices.Equal(first.QuoteIDs, []string{"one", "two"}) || len(first.Spans) != 2 {
		t.Errorf("%+v", first)
	}
	if len(rows["test"]) != 3 || short(rows["test"][0]) != "OOOOOOOBIIII" || !rows["test"][0].CutEnd || rows["test"][0].CutBegin ||
		short(rows["test"][1]) != "BIIOOOOOOOOO" && short(rows["test"][1]) != "BIOOOOOOOOOO" || !rows["test"][1].CutBegin {
		t.Errorf("%+v", rows["test"])
	}
	var m struct {
		Tagged taggedCounts `json:"token_classification"`
	}
	b, err := os.ReadFile(filepath.Join(to, "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &m); err != nil || m.Tagged != (taggedCounts{Quoted: 3, Negatives: 2, Several: 1, Copies: 1}) {
		t.Errorf("%+v, %v", m.Tagged, err)
	}
	card, err := os.ReadFile(filepath.Join(to, TokenClassification, "README.md"))
	for _, want := range []string{"| `test.jsonl` | 3 |\n| `train.jsonl` | 2 |\n| `validation.jsonl` | 0 |", "3 passages with a quote and 2 without; 1 whose quotes are in several splits are left out. ", "; 1 rows of the others are left out."} {
		if err != nil || !strings.Contains(string(card), want) {
			t.Errorf("the card does not say %q: %s, %v", want, card, err)
		}
	}
	for split, all := range rows {
		for _, r := range all {
			if r.DocID == "copy" || r.PassageID == commonplace.PassageID("a", 3) || len(r.Tokens) != len(r.Tags) {
				t.Errorf("%s: %+v", split, r)
			}
		}
	}

	script := filepath.Join(to, TokenClassification, "train.py")
	if err := exec.Command("python3", "-c", "import sklearn, seqeval").Run(); err != nil {
		t.Skip("train.py is not run: python3 has no scikit-learn and seqeval; .ci/export runs it")
	}
	out, err := exec.Command("python3", script).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "train (in sample) 2") {
		t.Errorf("%s, %v", out, err)
	}
}
