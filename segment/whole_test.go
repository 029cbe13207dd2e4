package segment

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestSentencesOfADocument(t *testing.T) {
	text := "CHAPTER I\n\nThe Storm\n\nIt rained\nall day. Nobody came.\n\nCHAPTER II\n\n“Well?” he said. Then — silence\n\nA long road,\n\nRest."
	var got []string
	for s := range Sentences(text) {
		line := strings.Join(strings.Fields(text[s.Begin:s.End]), " ")
		if s.Heading {
			line = "# " + line
		}
		got = append(got, strings.Repeat(" ", s.Paragraph)+line)
	}
	want := []string{"# CHAPTER I", " # The Storm", "  It rained all day.", "  Nobody came.", "   # CHAPTER II",
		"    “Well?” he said.", "    Then — silence", "     A long road,", "      Rest."}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// The sentences of a document are those of the segmenter, in their paragraphs, and
// what the passages' column calls a heading holds none that is not one.
func TestSentencesOfTheDemo(t *testing.T) {
	paths, err := filepath.Glob("../testdata/demo/books/*.txt")
	if err != nil || len(paths) == 0 {
		t.Fatalf("%v, %v", paths, err)
	}
	for _, path := range paths {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		text := string(b)
		pieces := slices.Collect(BySentences(text))
		heads := 0
		n := 0
		for s := range Sentences(text) {
			if s.Piece != pieces[n] {
				t.Fatalf("%s: sentence %d is %v, want %v", path, n, s.Piece, pieces[n])
			}
			if gap := text[s.Begin:s.End]; strings.Contains(gap, "\n\n") {
				t.Errorf("%s: %q goes over a blank line", path, gap)
			}
			if s.Heading {
				heads++
			}
			n++
		}
		if n != len(pieces) || heads == 0 || heads > n/3 {
			t.Errorf("%s: %d of %d sentences, %d headings", path, n, len(pieces), heads)
		}
	}
}

func TestEndsWithinSentences(t *testing.T) {
	for by, want := range map[string]bool{"words:200": false, "paragraphs": false, "sentences": false, "sentences:relic": true, "lines": true, "verses": true, "verse-lines": true, "chunks:1200/100": false, "of another tool": false} {
		if got := EndsWithinSentences(by); got != want {
			t.Errorf("%s: %v", by, got)
		}
	}
}
