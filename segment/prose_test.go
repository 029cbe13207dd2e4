package segment

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func cutProse(text string, n int) []string {
	var got []string
	for p := range ByProse(n)(text) {
		got = append(got, strings.Join(strings.Fields(text[p.Begin:p.End]), " "))
	}
	return got
}

func TestProse(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"short paragraphs together", "One two three four.\n\nFive six seven eight.\n\nNine ten eleven twelve.",
			[]string{"One two three four. Five six seven eight.", "Nine ten eleven twelve."}},
		{"a long one at its sentences, in even parts", "It was a dark and stormy night. The rain fell down in torrents. There came a sudden gust. It swept the streets.",
			[]string{"It was a dark and stormy night.", "The rain fell down in torrents.", "There came a sudden gust. It swept the streets."}},
		{"a heading begins a passage and stays with its text", "It was a dark night.\n\nCHAPTER II\n\nThen it was day, and nobody minded.\n\nNobody at all did.",
			[]string{"It was a dark night.", "CHAPTER II Then it was day, and nobody minded.", "Nobody at all did."}},
		{"no full stop", strings.Repeat("word ", 25), []string{strings.TrimSpace(strings.Repeat("word ", 8)), strings.TrimSpace(strings.Repeat("word ", 8)), strings.TrimSpace(strings.Repeat("word ", 8)), "word"}},
		{"nothing", " \n\n ", nil},
	} {
		if got := cutProse(c.text, 8); !slices.Equal(got, c.want) {
			t.Errorf("%s:\ngot  %q\nwant %q", c.name, got, c.want)
		}
	}
}

// The passages of the demonstration's books begin and end where sentences do, hold all of
// them, and have about the length that was asked for.
func TestProseOfTheDemo(t *testing.T) {
	paths, err := filepath.Glob("../testdata/demo/books/*.txt")
	if err != nil || len(paths) == 0 {
		t.Fatalf("%v, %v", paths, err)
	}
	for _, path := range paths {
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		text := strings.ToValidUTF8(string(raw), "?")
		begins, ends := map[int]bool{}, map[int]bool{}
		for s := range BySentences(text) {
			begins[s.Begin], ends[s.End] = true, true
		}
		n, at := 0, 0
		for p := range ByProse(100)(text) {
			if !begins[p.Begin] || !ends[p.End] {
				t.Errorf("%s: %q does not begin and end with sentences", path, text[p.Begin:p.End])
			}
			if p.Words > 150 {
				t.Errorf("%s: %d words in %q", path, p.Words, text[p.Begin:p.End])
			}
			if left := strings.TrimSpace(text[at:p.Begin]); left != "" {
				t.Errorf("%s: %q is in no passage", path, left)
			}
			at = p.End
			n++
		}
		if left := strings.TrimSpace(text[at:]); left != "" || n < 5 {
			t.Errorf("%s: %d passages, and then %q", path, n, left)
		}
	}
}
