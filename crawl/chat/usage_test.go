package chat

import (
	"errors"
	"net/http"
	"testing"
)

// An answer that says no tokens, or fewer than none, is taken to cost what it might have:
// the cap ends the questions whatever a server says.
func TestTheCapHoldsWithoutUsage(t *testing.T) {
	for _, usage := range []string{`{}`, `{"prompt_tokens":-1000000000,"completion_tokens":5}`, `{"prompt_tokens":5,"completion_tokens":-1000000000}`} {
		body := `{"choices":[{"message":{"content":"An answer."}}],"usage":` + usage + `}`
		c := &Client{Base: "http://localhost/v1", Model: "m", MaxTokens: 100, PromptPrice: 1, AnswerPrice: 1, Cap: 0.001, HTTP: &http.Client{Transport: said{status: 200, body: []byte(body)}}}
		var err error
		for range 100 {
			if _, err = c.Ask(t.Context(), "a question"); err != nil {
				break
			}
		}
		if n, spent := c.Asked(); !errors.Is(err, ErrCap) || n == 0 || spent <= 0 || spent > c.Cap {
			t.Errorf("%s: %d questions, %v spent, %v", usage, n, spent, err)
		}
	}
}
