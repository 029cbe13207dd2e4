package features

import (
	"slices"
	"strings"
)

// english are the features, beside those of the tagger, that look for English words. In
// another language they count what happens to be spelled alike: Latin a is no article.
var english = strings.Fields(`stop unknown begins_stop begins_connect connective dialogue quantifier indefinite definite
	demonstrative first second third negation present past modal condition preposition comparative superlative abstract
	theme participle ed number paratext has_dialogue has_quantifier has_abstract has_comparative has_superlative`)

// English says that a feature is one of English texts alone.
func English(name string) bool {
	return slices.Contains(english, name) || slices.ContainsFunc(spoken, func(f Feature) bool { return f.Name == name })
}

// AnyLanguage are the names of the other features, in their order.
func AnyLanguage() []string { return slices.DeleteFunc(slices.Clone(Names), English) }
