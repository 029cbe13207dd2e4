package infer

import (
	"errors"
	"fmt"
	"maps"
	"slices"
)

// A model of quotability may read passages with the positional tokens of their genre
// (content-based models of quotation, Appendix F), such as [Starts-Book] and [Book@3].
// The caller of [Model.Score] puts them into the texts. Here the tokenizer is checked: it must
// have each as one token.

// positionalPlaces are the places of a genre that have tokens, as package label writes them.
var positionalPlaces = map[string][]string{
	"scripture": {"Book", "Chapter"},
	"drama":     {"Play", "Act", "Scene"},
	"prose":     {"Book", "Chapter", "Paragraph"},
	"latin":     {"Book"},
}

// PositionalTokens are the tokens of a genre.
func PositionalTokens(genre string) (tokens []string) {
	for _, place := range positionalPlaces[genre] {
		tokens = append(tokens, "[Starts-"+place+"]", "[Ends-"+place+"]")
		for n := range 10 {
			tokens = append(tokens, fmt.Sprintf("[%s@%d]", place, n))
		}
	}
	if genre == "latin" {
		tokens = append(tokens, "[Starts-Section]", "[Ends-Section]")
	}
	return tokens
}

// Positional is the genre whose positional tokens a model reads; empty if it reads none.
func (m *Manifest) Positional() string {
	if m.Tokens == nil {
		return ""
	}
	return m.Tokens.Positional
}

func checkPositional(m *Manifest) error {
	genre := m.Positional()
	if genre == "" {
		return nil
	}
	switch {
	case m.Head != quotabilityName && m.Head != sequenceName:
		return fmt.Errorf("tokens.positional is for heads %s and %s", quotabilityName, sequenceName)
	case !m.BySentences().Whole():
		return errors.New("tokens.positional says where a passage stands, and with sentences or rate each sentence is scored: remove one of the two")
	case m.Plus != nil:
		return fmt.Errorf("tokens.positional cannot stand beside plus: the other model reads passages without positional tokens")
	}
	return oneOf("tokens.positional", genre, slices.Sorted(maps.Keys(positionalPlaces))...)
}

// bindPositional refuses a tokenizer that lacks a positional token, or would cut it into pieces.
func (h *textModel) bindPositional() error {
	genre := h.manifest.Tokens.Positional
	for _, token := range PositionalTokens(genre) {
		id, known := h.tokens.ID(token)
		if !known {
			return fmt.Errorf("tokens.positional is %s, and %s has no token %s", genre, TokenizerFile, token)
		}
		if ids := h.tokens.Bare(token).IDs; len(ids) != 1 || ids[0] != id {
			return fmt.Errorf("tokens.positional is %s, and %s cuts %s into %d pieces: add it to the tokenizer as a token of its own", genre, TokenizerFile, token, len(ids))
		}
	}
	return nil
}
