package report

import (
	"math"
	"strings"

	"github.com/commonplace/commonplace/infer/features"
)

// describe says of each passage why it stands where it does, in words. Where a model
// reads sentences, that is what kind of sentence its line is; otherwise, what the
// model found in it that it does not find in most passages.
func (g *gatherer) describe() error {
	reader, err := features.NewReader(features.Names)
	if err != nil {
		return err
	}
	usual := usualReasons(g.page.Passages)
	for i, p := range g.page.Passages {
		if i%1000 == 0 && g.options.Progress != nil {
			g.options.Progress("describing the lines", i, len(g.page.Passages))
		}
		switch {
		case p.Line != nil:
			if p.Kind, err = reader.Describe(p.Line.Text); err != nil {
				return err
			}
		case len(p.Why) > 0:
			p.Kind = inWords(p.Why, usual)
		}
	}
	return nil
}

// usualReasons are those that most passages of the page have with the same sign, such
// as that a passage is not from a table of contents. They tell none from another.
func usualReasons(of []*passage) map[reason]bool {
	times := map[reason]int{}
	for _, p := range of {
		for _, w := range p.Why {
			times[w.sign()]++
		}
	}
	usual := map[reason]bool{}
	for w, n := range times {
		usual[w] = 2*n > len(of)
	}
	return usual
}

// sign is the reason with an effect of 1 or -1.
func (r reason) sign() reason { return reason{r.Feature, number(math.Copysign(1, float64(r.Effect)))} }

// inWords are the reasons for a passage, at most four, and what is against it.
func inWords(why []reason, usual map[reason]bool) []string {
	var words []string
	for _, w := range why {
		if usual[w.sign()] || len(words) == 4 {
			continue
		}
		name, known := plainly[w.Feature]
		switch {
		case strings.HasPrefix(w.Feature, "“"):
			name = "the words " + w.Feature
			if !strings.Contains(w.Feature, " ") {
				name = "the word " + w.Feature
			}
		case !known:
			name = strings.ReplaceAll(w.Feature, "_", " ")
		}
		if w.Effect < 0 {
			name = "against it: " + name
		}
		words = append(words, name)
	}
	return words
}

// plainly are names of features as readers would say them, who do not know
// docs/features.md.
var plainly = map[string]string{
	"words": "how long it is", "characters": "how long it is", "word_length": "the length of its words", "long_words": "long words",
	"shortest_word": "its shortest word", "longest_word": "its longest word", "sentence_words": "the length of its sentences",
	"capitals": "how many names it has", "upper": "words in capitals", "digits": "figures", "stop": "small words", "unknown": "unusual words",
	"quotation": "somebody speaks", "has_quotation": "somebody speaks", "dialogue": "“said” and the like", "has_dialogue": "“said” and the like",
	"quantifier": "it speaks of all or none", "has_quantifier": "it speaks of all or none", "indefinite": "“a” and “an”", "definite": "“the”",
	"first": "“I” and “we”", "second": "“you”", "third": "“he”, “she” and “they”", "negation": "denials", "present": "the present tense",
	"past": "the past tense", "tagged_present": "the present tense", "tagged_past": "the past tense", "tagged_future": "the future tense",
	"modal": "“shall”, “may” and “must”", "condition": "conditions", "comparative": "comparisons", "superlative": "superlatives",
	"has_comparative": "comparisons", "has_superlative": "superlatives", "has_tagged_comparative": "comparisons", "has_tagged_superlative": "superlatives",
	"abstract": "abstract nouns", "has_abstract": "abstract nouns", "theme": "what maxims are about (man, heart, friend …)",
	"paratext": "words that books use of themselves (chapter, page …)", "roman": "roman numerals", "noun": "nouns", "verb": "verbs", "adjective": "adjectives",
	"adverb": "adverbs", "pronoun": "pronouns", "proper": "names", "position": "its place in the book", "position_first": "its place in the book", "position_last": "its place in the book",
}
