package label

import (
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
)

// A mark of punctuation is a token of its own: the full stop behind a quote has O.
func TestTokensAreWordsAndMarks(t *testing.T) {
	for text, want := range map[string]string{
		"He said, “Don’t go.” _Never_!": "He|said|,|“|Don’t|go|.|”|_|Never|_|!",
		"a well-known 3.14\u202f愛 読":    "a|well|-|known|3.14|愛|読",
		" \n ":                          "",
	} {
		var got []string
		for _, w := range wordsAndMarks(text) {
			got = append(got, w.text)
			if in := string([]rune(text)[w.begin:w.end]); in != w.text {
				t.Errorf("%q at [%d:%d] is %q", w.text, w.begin, w.end, in)
			}
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	doc := commonplace.Document{ID: "b", Text: "We know that hope is the thing with feathers. It sings."}
	e := one(t, doc, 200, found(doc, "q", "hope is the thing with feathers"))
	if got := strings.Join(e.Tags, ""); got != "OOOBIIIIIOOOO" {
		t.Errorf("%q has %s", e.Tokens, got)
	}
}

func TestTagAllQuotesOfAPassage(t *testing.T) {
	text := "To be, or not to be. That is all."
	span := func(part string) commonplace.Span {
		at := strings.Index(text, part)
		return commonplace.Span{Begin: at, End: at + len(part)}
	}
	for _, c := range []struct {
		parts []string
		want  string
		spans int
	}{
		{nil, "OOOOOOOOOOOO", 0},
		{[]string{"or not", "That is all"}, "OOOBIOOOBIIO", 2},
		{[]string{"That is", "To be, or", "or not to be"}, "BIIIIIIOBIOO", 2}, // two editors cut one line
		{[]string{"to be.", "That"}, "OOOOOBIIBOOO", 2},
	} {
		var spans []commonplace.Span
		for _, p := range c.parts {
			spans = append(spans, span(p))
		}
		texts, tags, merged := TagAll(text, spans)
		if got := strings.Join(tags, ""); got != c.want || len(merged) != c.spans || len(texts) != len(tags) {
			t.Errorf("%q: %s, %d spans, want %s, %d", c.parts, got, len(merged), c.want, c.spans)
		}
	}
}

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
