package infer

import "fmt"

// A model of quotability may read passages with the positional tokens of their genre
// (content-based models of quotation, Appendix F), such as [Starts-Book] and [Book@3].
// Who scores passages puts them there; here the model is held to knowing them.

// firstPositional is one token of each genre's, as package label writes it.
var firstPositional = map[string]string{"scripture": "[Starts-Book]", "drama": "[Starts-Play]", "prose": "[Starts-Book]", "latin": "[Starts-Book]"}

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
	case m.Sentences > 0:
		return fmt.Errorf("tokens.positional says where a passage stands, and sentences: %d scores each sentence by itself", m.Sentences)
	case m.Plus != nil:
		return fmt.Errorf("tokens.positional cannot stand beside plus: the other model reads passages without positional tokens")
	}
	return oneOf("tokens.positional", genre, "scripture", "drama", "prose", "latin")
}

// bindPositional refuses a tokenizer that would cut a positional token into pieces.
func (h *textModel) bindPositional() error {
	token := firstPositional[h.manifest.Tokens.Positional]
	if _, ok := h.tokens.ID(token); !ok {
		return fmt.Errorf("tokens.positional is %s, and %s has no token %s", h.manifest.Tokens.Positional, TokenizerFile, token)
	}
	return nil
}
