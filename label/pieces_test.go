package label

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
)

// The pieces of a passage as a model cuts it: one of white space alone belongs to
// no word, one that begins with the space before a word to that word.
func TestPieces(t *testing.T) {
	doc := commonplace.Document{ID: "b", Text: "Ünder the unaffable sky we go."}
	o := Defaults()
	o.Pieces = func(passage string) ([]commonplace.Span, error) {
		if passage != doc.Text {
			t.Errorf("the passage is %q", passage)
		}
		return []commonplace.Span{{Begin: 0, End: 2}, {Begin: 2, End: 5}, {Begin: 5, End: 6}, {Begin: 6, End: 9}, {Begin: 9, End: 12}, {Begin: 12, End: 15}, {Begin: 15, End: 19}, {Begin: 20, End: 23}, {Begin: 23, End: 26}, {Begin: 26, End: 29}, {Begin: 29, End: 30}}, nil
	}
	rows := []commonplace.Alignment{found(doc, "q", "unaffable sky"), found(doc, "r", "sky we")}
	examples, rejects := Triples(doc, cut(doc, 200), rows, o)
	if len(examples) != 2 || len(rejects) != 0 {
		t.Fatalf("%+v %+v", examples, rejects)
	}
	for i, want := range []string{"OOOBIIIOOO", "OOOOOOBIOO"} {
		e := examples[i]
		if got := strings.Join(e.Pieces, "|"); got != "Ün|der|the|un|aff|able|sky|we|go|." {
			t.Errorf("pieces %s", got)
		}
		if got := strings.Join(e.PieceTags, ""); got != want {
			t.Errorf("tags %s, want %s", got, want)
		}
	}
}

// Alignments whose positive passage the tokenizer refuses are rejects; the examples of other
// passages are those of a tokenizer that reads all, and the passage is read once.
func TestRefusedPassages(t *testing.T) {
	doc := commonplace.Document{ID: "b", Text: "We go under the unaffable sky. We come back from under it."}
	rows := []commonplace.Alignment{found(doc, "q", "unaffable"), found(doc, "r", "come back"), found(doc, "s", "the unaffable sky")}
	read := 0
	o := Defaults()
	all, _ := Triples(doc, cut(doc, 6), rows, o)
	o.Pieces = func(passage string) ([]commonplace.Span, error) {
		if strings.Contains(passage, "unaffable") {
			read++
			return []commonplace.Span{{Begin: 0, End: 2}}, errors.New("too much")
		}
		return nil, nil
	}
	examples, rejects := Triples(doc, cut(doc, 6), rows, o)
	want := []commonplace.Reject{
		{Stage: "label", ID: rows[2].ID, Location: "b", Reason: ReasonUnreadable, Detail: "too much"},
		{Stage: "label", ID: rows[0].ID, Location: "b", Reason: ReasonUnreadable, Detail: "too much"},
	}
	if len(all) != 3 || !reflect.DeepEqual(examples, all[2:]) || !reflect.DeepEqual(rejects, want) || read != 1 {
		t.Errorf("%+v, %+v, read %d times", examples, rejects, read)
	}
}
