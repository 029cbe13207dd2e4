package features

import (
	"fmt"
	"io"
	"strings"
)

// Forms are words of a language, in lower case as a [Bag] has them, by what a model takes each for: its lemma.
// A word that is not there stands as it is. English needs none: see [Vocabulary.Lemmas].
type Forms map[string]string

// ParseForms reads lines of a form, a space and its lemma. A line of anything else, a form that stands there
// twice, or one with a capital of A to Z, which no word of a [Bag] has, is an error that names the line.
func ParseForms(text string) (Forms, error) {
	forms, n := Forms{}, 0
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		n++
		line = strings.TrimSuffix(line, "\n")
		form, lemma, ok := strings.Cut(line, " ")
		if !ok || form == "" || len(strings.Fields(lemma)) != 1 || strings.TrimSpace(lemma) != lemma {
			return nil, fmt.Errorf("line %d: %q is no form and its lemma with a space between them", n, line)
		}
		if strings.ContainsFunc(line, func(r rune) bool { return r >= 'A' && r <= 'Z' }) {
			return nil, fmt.Errorf("line %d: %q has a capital letter: words are compared in lower case", n, line)
		}
		if _, twice := forms[form]; twice {
			return nil, fmt.Errorf("line %d: the form %q stands there twice", n, form)
		}
		forms[form] = lemma
	}
	if n == 0 {
		return nil, fmt.Errorf("there is no form in it: %w", io.ErrUnexpectedEOF)
	}
	return forms, nil
}
