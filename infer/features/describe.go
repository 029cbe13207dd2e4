package features

import (
	"slices"
	"strings"
	"unicode"

	"github.com/commonplace/commonplace"
)

// Bounds of what [Reader.Describe] says.
const (
	shortWords   = 12 // a line of so many words at most is short
	longWords    = 40 // and one of more than so many is long
	mostSubjects = 3  // words that a line is said to be about
)

// Describe says in a few words what kind of sentence a line is, by the features
// that the models read: "a general statement in the present", "about love, heart",
// "short", "no names". The reader must have all features.
func (r *Reader) Describe(line string) ([]string, error) {
	x := make([]float32, Count)
	if err := r.Read(&commonplace.Passage{Text: line}, x); err != nil {
		return nil, err
	}
	has := func(name string) bool { return x[slices.Index(Names, name)] > 0 }
	var said []string
	say := func(is bool, what string) {
		if is {
			said = append(said, what)
		}
	}
	names := has("proper") && has("capitals")
	past, now := has("tagged_past"), has("tagged_present")
	switch {
	case has("question"):
		say(true, "a question")
	case has("second"):
		say(true, "speaks to a “you”")
	case has("first"):
		say(true, "in the first person")
	case now && !past && !names && !ofSomebody(line):
		say(true, "a general statement in the present")
	case now && !past:
		say(true, "in the present")
	case past && !now:
		say(true, "told in the past")
	case has("tagged_future"):
		say(true, "says what will be")
	}
	if about := subjects(line); len(about) > 0 {
		say(true, "about "+strings.Join(about, ", "))
	}
	say(has("negation"), "denies something")
	say(has("has_tagged_comparative") || has("has_tagged_superlative"), "compares")
	say(has("has_quantifier") && !has("negation"), "speaks of all or of none")
	words := len(strings.Fields(line))
	say(words <= shortWords, "short")
	say(words > longWords, "long")
	say(names, "with names")
	say(!names, "no names")
	return said, nil
}

// wordsOf are the words of a text in lower case.
func wordsOf(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) })
}

// ofSomebody says that a line speaks of a man or a woman, and not of men or things.
func ofSomebody(line string) bool {
	return slices.ContainsFunc(wordsOf(line), func(w string) bool {
		return slices.Contains([]string{"he", "him", "his", "she", "her", "hers"}, w)
	})
}

// subjects are the first words of a line that maxims are about, or that the lexicon
// lists as abstract nouns.
func subjects(line string) []string {
	theme := uint32(1) << (slices.Index(Names, "theme") - iClasses)
	modal := uint32(1) << (slices.Index(Names, "modal") - iClasses)
	var about []string
	for _, w := range wordsOf(line) {
		if f := lexicon.flags[w]; f&(theme|lexicon.abstract) != 0 && f&modal == 0 && !slices.Contains(about, w) {
			if about = append(about, w); len(about) == mostSubjects {
				break
			}
		}
	}
	return about
}
