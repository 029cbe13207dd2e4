package ranking

import (
	"errors"
	"slices"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/infer"
	"github.com/commonplace/commonplace/label"
)

// genreOf is the genre whose positional tokens a model reads; empty if it reads none.
func genreOf(m *infer.Model) label.Genre {
	manifest := m.Manifest()
	return label.Genre(manifest.Positional())
}

// checkPositional refuses what a model with positional tokens cannot do.
func checkPositional(m *infer.Model, by infer.BySentences) error {
	if genreOf(m) != "" && !by.Whole() {
		return errors.New("the model reads positional tokens, which say where a passage stands: score.sentences must be 0")
	}
	return nil
}

// withPositionalTokens are the passages of a document as the model reads them.
func withPositionalTokens(m *infer.Model, passages []commonplace.Passage) ([]commonplace.Passage, error) {
	genre := genreOf(m)
	if genre == "" {
		return passages, nil
	}
	marked, err := label.Marked(genre, passages, label.Sections(genre, passages))
	if err != nil {
		return nil, err
	}
	passages = slices.Clone(passages)
	for i := range passages {
		passages[i].Text = marked[i]
	}
	return passages, nil
}
