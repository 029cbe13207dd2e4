package label

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
)

func TestAgreements(t *testing.T) {
	doc := commonplace.Document{ID: "speech", Text: "My fellow citizens: we begin.\n\nWe will build the roads and bridges.\n\nThe ünion is strong, and we will go on."}
	var passages []commonplace.Passage
	at := int64(0)
	for i, p := range strings.Split(doc.Text, "\n\n") {
		n := int64(len([]rune(p)))
		passages = append(passages, commonplace.Passage{ID: commonplace.PassageID("speech", int64(i)), DocID: "speech", Index: int64(i), Begin: at, End: at + n, Text: p})
		at += n + 2
	}
	ours := []commonplace.Alignment{
		foundIn(t, doc, "roads", "", "We will build the roads"),
		foundIn(t, doc, "over", "", "bridges.\n\nThe ünion is strong"),
		foundIn(t, doc, "apart", "", "we begin"),
		foundIn(t, doc, "", "article", "we begin"),
	}
	quotes := []GivenQuote{
		{ID: "roads", Text: "we will build the roads", Paragraphs: []int{1}, Align: json.RawMessage("[\n [\n 0,\n 4 ] ]")},
		{ID: "over", Text: "and bridges ... the ünion is strong", Paragraphs: []int{2, 3}, Align: json.RawMessage(`{"0": "6 7", "1": [1, 2, 3, 4]}`)}, // all from 1
		{ID: "apart", Text: "and we will go on", Paragraphs: []int{2}, Align: json.RawMessage(`[[4, 8]]`)},
		{ID: "missing", Text: "my fellow citizens", Paragraphs: []int{0}, Align: json.RawMessage(`[[0, 2]]`)},
		{ID: "outside", Text: "x", Paragraphs: []int{9}, Align: json.RawMessage(`[[0, 2]]`)},
		{ID: "odd", Text: "x", Paragraphs: []int{1}, Align: json.RawMessage(`7`)},
		{ID: "uneven", Text: "x", Paragraphs: []int{1, 2}, Align: json.RawMessage(`[[1]]`)},
	}
	rows, rejects := Agreements(doc, passages, ours, quotes)
	var got []string
	for _, r := range rows {
		got = append(got, fmt.Sprintf("%s: %s, %q, %.2f, %v", r.QuoteID, r.Verdict, r.GivenText, r.Shared, r.Paragraph))
		if commonplace.Slice(doc.Text, commonplace.Span{Begin: int(r.GivenBegin), End: int(r.GivenEnd)}) != r.GivenText {
			t.Errorf("%+v", r)
		}
	}
	want := []string{
		`roads: same, "We will build the roads", 1.00, true`,
		`over: overlapping, "and bridges.\n\nThe ünion is strong,", 0.85, true`,
		`apart: apart, "and we will go on.", 0.00, false`,
		`missing: not found, "My fellow citizens:", 0.00, false`,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
	if len(rejects) != 3 || rejects[0].ID != "outside" || rejects[0].Reason != ReasonGiven {
		t.Errorf("%+v", rejects)
	}
}

func TestWordUnits(t *testing.T) {
	for text, want := range map[string]string{
		"我们走吧，朋友。":      "我|们|走|吧，|朋|友。",
		"我们 走 吧 ， 朋友 。": "我们|走|吧 ，|朋友 。",
		"Go home, now.": "Go|home,|now.",
		"——我们走。":        "——我|们|走。",
		"…… “我” 走":      "…… “我”|走",
		"——":            "——",
		" ":             "",
	} {
		var got []string
		for _, s := range WordUnits(text) {
			got = append(got, commonplace.Slice(text, s))
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}

// foundIn is an alignment of words that stand in a text.
func foundIn(t *testing.T, doc commonplace.Document, quote, derived, words string) commonplace.Alignment {
	t.Helper()
	at := strings.Index(doc.Text, words)
	if at < 0 {
		t.Fatalf("%s has no %q", doc.ID, words)
	}
	begin := int64(len([]rune(doc.Text[:at])))
	a := commonplace.Alignment{QuoteID: quote, DerivedID: derived, SourceID: doc.ID, SourceBegin: begin, SourceEnd: begin + int64(len([]rune(words))), SourceText: words, Similarity: 1}
	a.ID = fmt.Sprint(a.SourceID, a.SourceBegin, a.SourceEnd, quote, derived)
	return a
}
