package label

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
)

func TestPieceTags(t *testing.T) {
	for _, c := range []struct {
		tags   string
		pieces []int
		want   string
	}{
		{"O B I O", []int{2, 3, 2, 1}, "O O B I I I I O"},
		{"B", []int{1}, "B"},
		{"O B I I", []int{1, 0, 0, 2}, "O B I"}, // the B is handed on; its word has I after it
		{"B O I", []int{0, 1, 1}, "O I"},        // but not past the quote's end
		{"", nil, ""},
	} {
		got := strings.Join(PieceTags(strings.Fields(c.tags), c.pieces), " ")
		if got != c.want {
			t.Errorf("%s with %v: %s, want %s", c.tags, c.pieces, got, c.want)
		}
	}
}

func someExamples(t *testing.T) []commonplace.Example {
	t.Helper()
	var out []commonplace.Example
	for _, id := range []string{"a", "b"} {
		doc := commonplace.Document{ID: id, Text: "“Naïve” is he & <she>, says the café. And so on."}
		examples, rejects := Triples(doc, cut(doc, 7), []commonplace.Alignment{found(doc, "q", "he & <she>"), found(doc, "r", "Naïve"), found(doc, "s", "so on")}, Defaults())
		if len(rejects) > 0 {
			t.Fatal(rejects)
		}
		out = append(out, examples...)
	}
	return out
}

func TestWriteCoNLL(t *testing.T) {
	var b strings.Builder
	examples := someExamples(t)
	if err := WriteCoNLL(&b, slices.Values(examples[1:2])); err != nil {
		t.Fatal(err)
	}
	want := "# context_id = a:11-21:q\n“Naïve”\tO\nis\tO\nhe\tB-QUOTE\n&\tI-QUOTE\n<she>,\tI-QUOTE\nsays\tO\nthe\tO\n\n"
	if b.String() != want {
		t.Errorf("got  %q\nwant %q", b.String(), want)
	}
	examples[0].Tags = nil
	if err := WriteCoNLL(&b, slices.Values(examples)); err == nil {
		t.Error("tokens without tags were taken")
	}
}

func TestWriteSQuAD(t *testing.T) {
	var b strings.Builder
	examples := someExamples(t)
	if err := WriteSQuAD(&b, slices.Values(examples)); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "<she>") {
		t.Error("< is escaped: readers would still see it, people would not")
	}
	var read struct {
		Version string
		Data    []squadArticle
	}
	if err := json.Unmarshal([]byte(b.String()), &read); err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, article := range read.Data {
		if len(article.Paragraphs) != 2 {
			t.Errorf("%s has %d paragraphs, want 2", article.Title, len(article.Paragraphs))
		}
		for _, p := range article.Paragraphs {
			for _, q := range p.Questions {
				a := q.Answers[0]
				end := int(a.AnswerStart) + len([]rune(a.Text))
				if got := string([]rune(p.Context)[a.AnswerStart:end]); got != a.Text || q.Question == "" {
					t.Errorf("%s: context[%d:%d] is %q, want %q", q.ID, a.AnswerStart, end, got, a.Text)
				}
				ids = append(ids, q.ID)
			}
		}
	}
	if len(read.Data) != 2 || len(ids) != len(examples) || ids[5] != examples[5].ID {
		t.Errorf("%d articles, questions %v", len(read.Data), ids)
	}
	b.Reset()
	if err := WriteSQuAD(&b, slices.Values([]commonplace.Example(nil))); err != nil || !json.Valid([]byte(b.String())) {
		t.Errorf("of nothing: %q, %v", b.String(), err)
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestWritersReportAFullDisk(t *testing.T) {
	examples := slices.Values(someExamples(t))
	if WriteCoNLL(full{}, examples) == nil || WriteSQuAD(full{}, examples) == nil {
		t.Error("a write that failed was not reported")
	}
}
