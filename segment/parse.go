package segment

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/agnivade/levenshtein"
)

// way is one kind of segmenter that Parse knows.
type way struct {
	name  string
	form  string // how to write it
	parse func(arg string) (Segmenter, error)
}

func ways() []way {
	return []way{
		{"words", "words:200", numbered("words", "words:200", ByWords)},
		{"prose", "prose:200", numbered("prose", "prose:200", ByProse)},
		{"paragraphs", "paragraphs", plain("paragraphs", ByParagraphs)},
		{"sentences", "sentences", parseSentences},
		{"sentences", "sentences:relic", parseSentences},
		{"lines", "lines", plain("lines", ByLines)},
		{"verses", "verses", plain("verses", ByVerses)},
		{"verse-lines", "verse-lines", plain("verse-lines", ByVerseLines)},
		{"chunks", "chunks:1200/100", parseChunks},
	}
}

// Parse reads a segmenter's name: words:200 and the others that [Names] lists.
// The error for an unknown one says which name is nearest.
func Parse(spec string) (Segmenter, error) {
	name, arg, _ := strings.Cut(strings.TrimSpace(spec), ":")
	for _, w := range ways() {
		if w.name == name {
			return w.parse(arg)
		}
	}
	nearest, least := "", 1<<30
	for _, w := range ways() {
		if d := levenshtein.ComputeDistance(name, w.name); d < least {
			nearest, least = w.form, d
		}
	}
	return Segmenter{}, fmt.Errorf("segment: there is no segmenter %q; did you mean %s? There are %s",
		spec, nearest, strings.Join(Names(), ", "))
}

// Names lists the ways to cut, each as an example that Parse takes.
func Names() []string {
	var names []string
	for _, w := range ways() {
		names = append(names, w.form)
	}
	return names
}

// numbered is a way to cut that takes a number of words.
func numbered(name, form string, cut func(n int) Cut) func(string) (Segmenter, error) {
	return func(arg string) (Segmenter, error) {
		n, err := positive(name, form, arg)
		if err != nil {
			return Segmenter{}, err
		}
		return Segmenter{By: fmt.Sprintf("%s:%d", name, n), Cut: cut(n)}, nil
	}
}

// plain is a way to cut that takes no numbers.
func plain(name string, cut Cut) func(string) (Segmenter, error) {
	return func(arg string) (Segmenter, error) {
		if arg != "" {
			return Segmenter{}, fmt.Errorf("segment: %s takes nothing after a colon, not %q", name, arg)
		}
		return Segmenter{By: name, Cut: cut}, nil
	}
}

func parseSentences(arg string) (Segmenter, error) {
	switch arg {
	case "":
		return Segmenter{By: "sentences", Cut: BySentences}, nil
	case "relic":
		return Segmenter{By: "sentences:relic", Cut: ByClauses}, nil
	}
	return Segmenter{}, fmt.Errorf("segment: sentences stands alone or as sentences:relic, which ends also at ellipses, colons and semicolons, not with %q", arg)
}

func parseChunks(arg string) (Segmenter, error) {
	const form = "chunks:1200/100"
	a, b, found := strings.Cut(arg, "/")
	size, err := positive("chunks", form, a)
	if err != nil {
		return Segmenter{}, err
	}
	overlap := 0
	if found {
		if overlap, err = strconv.Atoi(b); err != nil || overlap < 0 || overlap >= size {
			return Segmenter{}, fmt.Errorf("segment: the overlap of chunks is a number from 0 to less than their size, such as 100 in %s, not %q", form, b)
		}
	}
	return Segmenter{By: fmt.Sprintf("chunks:%d/%d", size, overlap), Cut: ByChunks(size, overlap)}, nil
}

// positive reads the number of a segmenter's name.
func positive(name, form, arg string) (int, error) {
	n, err := strconv.Atoi(arg)
	if err != nil || n < 1 {
		return 0, fmt.Errorf("segment: %s needs a number of 1 or more after the colon, such as %s, not %q", name, form, arg)
	}
	return n, nil
}
