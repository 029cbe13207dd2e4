package eval

import (
	"slices"
	"strings"
)

// Reference is what a paper reached, to stand beside our figures.
type Reference struct {
	Name    string             `json:"name"`
	Figures map[string]float64 `json:"figures"` // by metric, shares of one
	Note    string             `json:"note"`    // why it cannot be compared
}

// References are rows of "Content-based models of quotation", tables 5 and 6, of the
// King James Bible and of Latin works. They are of other passages and quotations than any run's, so they remind of an
// order of magnitude and no more.
var References = func() []Reference {
	var all []Reference
	for _, of := range []struct {
		books string
		rows  []paperRow
	}{
		{"66 books of the King James Bible in verses, quoted in newspapers of Chronicling America", bibleInNewspapers},
		{"64 books of the King James Bible in verses, quoted in articles of JSTOR", bibleInArticles},
		{"329 works of Latin in sentences, quoted in early articles of JSTOR", latinInArticles},
	} {
		for _, r := range of.rows {
			all = append(all, Reference{Name: r.name, Figures: r.values, Note: "not comparable: " + of.books + "; trained on such counts"})
		}
	}
	return all
}()

// baselines are the names of systems that no row of a model stands beside.
var baselines = []string{AlwaysQuote, "bm25", "tfidf", "first", "majority", "random", "paraphrases", "length", "position", "first and last", "paragraph ends", "TF-IDF", "BM25", "first sentence", "last sentence", "whole passage"}

// AlwaysQuote is the system that quotes whatever was said.
const AlwaysQuote = "always"

// Recommended begins the name of a system that a config's recommend describes.
const Recommended = "recommend: "

// WithoutContext is in the name of a system whose models read no context.
const WithoutContext = "without a context"

// PaperFigure is the figure of a paper to stand beside one of ours; empty and nil without.
func PaperFigure(dataset, system, metric string) (row string, value *float64) {
	system = strings.TrimPrefix(system, Recommended)
	for _, r := range paperRows[dataset] {
		if !r.standsFor(system) {
			continue
		}
		if v, there := r.values[metric]; there {
			return r.name, &v
		}
	}
	return "", nil
}

// standsFor says whether the row is of a system: of a baseline by its name, of a ranker whose
// name has that of the paper's in it, or of any model.
func (r paperRow) standsFor(system string) bool {
	switch {
	case r.systems != nil:
		return slices.Contains(r.systems, system)
	case r.ranker != "":
		return strings.Contains(system, r.ranker)
	}
	return !slices.Contains(baselines, system) && !strings.Contains(system, WithoutContext)
}
