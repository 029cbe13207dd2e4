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
		{"words", "words:200", parseWords},
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
	return Segmenter{}, fmt.Errorf("segment: no way to cut called %q; did you mean %s? There are %s",
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

func parseWords(arg string) (Segmenter, error) {
	n, err := positive("words", "words:200", arg)
	if err != nil {
		return Segmenter{}, err
	}
	return Segmenter{By: fmt.Sprintf("words:%d", n), Cut: ByWords(n)}, nil
}

// positive reads the number of a segmenter's name.
func positive(name, form, arg string) (int, error) {
	n, err := strconv.Atoi(arg)
	if err != nil || n < 1 {
		return 0, fmt.Errorf("segment: %s needs a number of 1 or more after the colon, such as %s, not %q", name, form, arg)
	}
	return n, nil
}
