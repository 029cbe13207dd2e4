package features

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed forms.txt
var formsText string

//go:embed lemmas.txt
var lemmasText string

// wordForms are words by their class, such as verb, and irregular forms with their lemmas, such as verb-form.
type wordForms map[string]map[string]string

// lemmas are read where the first model asks for them.
var lemmas = sync.OnceValue(func() wordForms {
	forms := wordForms{}
	for line := range strings.Lines(formsText + lemmasText) {
		class, words, ok := strings.Cut(strings.TrimSpace(line), ":")
		if !ok || strings.HasPrefix(class, "#") {
			continue
		}
		if forms[class] == nil {
			forms[class] = map[string]string{}
		}
		for _, word := range strings.Fields(words) {
			form, lemma, irregular := strings.Cut(word, "=")
			if !irregular {
				lemma = form
			}
			if forms[class][form] == "" { // our own list comes first
				forms[class][form] = lemma
			}
		}
	}
	return forms
})

// Lemmas is the number of these rules and lists. A model is fitted on the terms of one and refuses to be loaded
// with another: a change that gives a word another lemma is a new number.
const Lemmas = 1

// lemmaOf is the dictionary form of an English word, in lower case, that has a tag of the Penn Treebank. It takes
// endings off as WordNet's morphy does, if a known word stays; the tag says which. -eth and -est are
// older English, of verbs with any tag. A word that no rule knows is its own lemma.
func lemmaOf(word, tag string) string {
	forms, base := lemmas(), tag == "VB" || tag == "VBP"
	for _, class := range classesOf(tag) {
		if lemma := forms[class][word]; lemma != "" && (class != "verb-form" || !base || forms["verb"][word] == "") {
			return lemma
		}
	}
	lemma := ""
	switch tag {
	case "VBZ":
		lemma = forms.third(word)
	case "VBG":
		lemma = forms.verb(word, "ing")
	case "VBD", "VBN":
		lemma = forms.verb(word, "ed")
	case "NNS", "NNPS":
		lemma = singular(forms["noun"], word)
	case "JJR", "RBR":
		return forms.positive(word, "er", true)
	case "JJS", "RBS":
		lemma = forms.positive(word, "est", false)
	}
	for _, ending := range []string{"eth", "edst", "est"} {
		if lemma == "" && forms["verb"][word] == "" {
			lemma = forms.verb(word, ending)
		}
	}
	if lemma == "" && (tag == "JJS" || tag == "RBS") && forms["verb"][word] == "" {
		lemma = forms.positive(word, "est", true)
	}
	if lemma == "" {
		return word
	}
	return lemma
}

// classesOf are the classes of irregular forms that words of a tag may be in.
func classesOf(tag string) []string {
	switch tag {
	case "MD":
		return []string{"word-form", "tagged-verb-form"}
	case "VB", "VBP", "VBZ", "VBD", "VBN", "VBG":
		return []string{"word-form", "tagged-verb-form", "verb-form"}
	case "NNS", "NNPS":
		return []string{"word-form", "noun-form"}
	case "JJR", "JJS", "RBR", "RBS":
		return []string{"word-form", "adjective-form"}
	case "PRP", "WP":
		return []string{"word-form", "pronoun-form"}
	}
	return []string{"word-form"}
}

// third is the verb of a third person in -s.
func (f wordForms) third(word string) string {
	if stem, ok := strings.CutSuffix(word, "s"); ok {
		if f["verb"][stem] != "" {
			return stem
		}
		if stem, ok = strings.CutSuffix(stem, "e"); ok {
			return f.stem(stem)
		}
	}
	return ""
}

// verb is the verb of a form with an ending. -est is of irregular past tenses, too: gavest, broughtest.
func (f wordForms) verb(word, ending string) string {
	stem, ok := strings.CutSuffix(word, ending)
	if !ok || len(stem) < 2 {
		return ""
	}
	if ending == "est" {
		for _, past := range []string{stem, stem + "e"} {
			if lemma := f["verb-form"][past]; lemma != "" {
				return lemma
			}
		}
	}
	return f.stem(stem)
}

// stem is the verb that a stem is of: walk- of walk, lov- of love, sitt- of sit, carri- of carry. Of hop- it is
// hope, because hop would be hopp-; of sing- it is sing.
func (f wordForms) stem(stem string) string {
	verbs, n := f["verb"], len(stem)
	if n == 0 {
		return ""
	}
	if verbs[stem] != "" && (verbs[stem+"e"] == "" || !doubles(stem)) {
		return stem
	}
	if verbs[stem+"e"] != "" {
		return stem + "e"
	}
	if n > 2 && stem[n-1] == stem[n-2] && verbs[stem[:n-1]] != "" {
		return stem[:n-1]
	}
	if stem[n-1] == 'i' && verbs[stem[:n-1]+"y"] != "" {
		return stem[:n-1] + "y"
	}
	return ""
}

// doubles says whether a verb of one syllable doubles its last consonant before an ending: one after one vowel.
func doubles(stem string) bool {
	vowel := func(back int) bool {
		return len(stem) >= back && strings.IndexByte("aeiou", stem[len(stem)-back]) >= 0
	}
	return !vowel(1) && strings.IndexByte("wxy", stem[len(stem)-1]) < 0 && vowel(2) && !vowel(3)
}

// singular is the noun of a plural; nouns are those in -e that a plural in -es may be of.
func singular(nouns map[string]string, word string) string {
	if stem, ok := strings.CutSuffix(word, "men"); ok && len(stem) > 1 {
		return stem + "man"
	}
	one, ok := strings.CutSuffix(word, "s")
	if !ok || len(one) < 2 || strings.IndexByte("sui", one[len(one)-1]) >= 0 {
		return ""
	}
	if nouns[one] != "" {
		return one
	}
	if stem, ok := strings.CutSuffix(one, "ie"); ok && len(stem) > 1 {
		return stem + "y"
	}
	for _, ending := range []string{"s", "x", "z", "ch", "sh", "o"} {
		if strings.HasSuffix(one, ending+"e") {
			return one[:len(one)-1]
		}
	}
	return one
}

// positive is the adjective of a comparative or superlative. Unless it may guess, it is a known one.
func (f wordForms) positive(word, ending string, guess bool) string {
	stem, ok := strings.CutSuffix(word, ending)
	if !ok || len(stem) < 3 {
		if guess {
			return word
		}
		return ""
	}
	switch adjectives := f["adjective"]; {
	case adjectives[stem+"e"] != "":
		return stem + "e"
	case adjectives[stem] != "":
		return stem
	case stem[len(stem)-1] == 'i':
		return stem[:len(stem)-1] + "y"
	case guess:
		return stem
	}
	return ""
}
