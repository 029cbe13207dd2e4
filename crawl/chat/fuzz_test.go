package chat

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"unicode/utf8"
)

// said answers every request with the same status, header and body.
type said struct {
	status int
	after  string
	body   []byte
}

func (s said) RoundTrip(*http.Request) (*http.Response, error) {
	header := http.Header{}
	header.Set("Retry-After", s.after)
	return &http.Response{StatusCode: s.status, Status: http.StatusText(s.status), Header: header, Body: io.NopCloser(strings.NewReader(string(s.body)))}, nil
}

// Whatever a server answers: a text that is kept and read again, or a sentence. It never
// makes more of the money that may be spent, and no message repeats the key.
func FuzzAnswers(f *testing.F) {
	const key = "Key-of-24-bytes-or-more"
	f.Add(200, "", []byte(`{"choices":[{"message":{"role":"assistant","content":" A text. "}}],"usage":{"prompt_tokens":10,"completion_tokens":20}}`))
	f.Add(200, "", []byte(`{"choices":[{"message":{"content":"x"}}],"usage":{"prompt_tokens":-9000000000000000000,"completion_tokens":-1}}`))
	f.Add(200, "", []byte(`{"choices":[],"usage":{"prompt_tokens":-5},"Choices":[{"MESSAGE":{"content":"\ud800"}}]}`))
	f.Add(200, "", []byte(`{"choices":[{"message":{"content":"`+key+`"}}]}`))
	f.Add(429, "-1", []byte(key+"\x1b[2J"))
	f.Add(503, "Wed, 21 Oct 2099 07:28:00 GMT", []byte("[["))
	f.Add(400, "", []byte("\xff"))
	f.Fuzz(func(t *testing.T, status int, after string, body []byte) {
		if status < 100 || status > 999 {
			t.Skip("no answer of HTTP")
		}
		cache := t.TempDir()
		ask := func(s said) (*Client, string, error) {
			c := &Client{Base: "http://localhost/v1", Model: "m", Key: key, Tries: 1, Cache: cache, PromptPrice: 1, AnswerPrice: 1, HTTP: &http.Client{Transport: s}}
			text, err := c.Ask(t.Context(), "a question")
			return c, text, err
		}
		c, text, err := ask(said{status, after, body})
		if _, spent := c.Asked(); spent < 0 {
			t.Errorf("%v was spent", spent)
		}
		if err != nil {
			if m := err.Error(); strings.Contains(m, key) || strings.ContainsAny(m, "\x1b\n") || !utf8.ValidString(m) {
				t.Errorf("%q", m)
			}
			return
		}
		if status != 200 || text == "" || strings.TrimSpace(text) != text || !utf8.ValidString(text) || strings.Contains(text, key) {
			t.Errorf("status %d: %q", status, text)
		}
		if _, again, err := ask(said{status: 500}); again != text || err != nil {
			t.Errorf("%q was kept as %q, %v", text, again, err)
		}
	})
}
