package chat

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// model answers with the question in capitals, after what first says.
func model(t *testing.T, first ...func(w http.ResponseWriter)) (*httptest.Server, *atomic.Int64) {
	t.Helper()
	var requests atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n := int(requests.Add(1))
		if n <= len(first) {
			first[n-1](w)
			return
		}
		var body struct {
			Model    string `json:"model"`
			Messages []struct{ Role, Content string }
		}
		raw, _ := io.ReadAll(r.Body)
		if err := json.Unmarshal(raw, &body); err != nil || r.URL.Path != "/v1/chat/completions" || body.Model != "small" || len(body.Messages) != 1 || body.Messages[0].Role != "user" {
			t.Errorf("%s %s: %v", r.URL.Path, raw, err)
		}
		if r.Header.Get("Authorization") != "Bearer secret" {
			t.Errorf("key %q", r.Header.Get("Authorization"))
		}
		fmt.Fprintf(w, `{"choices": [{"message": {"role": "assistant", "content": %q}}], "usage": {"prompt_tokens": 10, "completion_tokens": 20}}`, strings.ToUpper(body.Messages[0].Content)+"\n")
	}))
	t.Cleanup(s.Close)
	return s, &requests
}

func TestAskKeepsAnswers(t *testing.T) {
	s, requests := model(t)
	cache := t.TempDir()
	for range 3 {
		c := &Client{Base: s.URL + "/v1/", Model: "small", Key: "secret", Cache: cache, PromptPrice: 1, AnswerPrice: 2}
		for _, q := range []string{"häns", "gretel"} {
			if got, err := c.Ask(context.Background(), q); err != nil || got != strings.ToUpper(q) {
				t.Fatalf("%q, %v", got, err)
			}
		}
		if n, spent := c.Asked(); n > 0 && spent != 2*(10+40)/1e6 {
			t.Errorf("%d requests cost %v", n, spent)
		}
	}
	if n := requests.Load(); n != 2 {
		t.Errorf("%d requests for two questions", n)
	}
	c := &Client{Base: s.URL + "/v1", Model: "small", Key: "secret", Cache: cache, Temperature: 1}
	if _, err := c.Ask(context.Background(), "gretel"); err != nil || requests.Load() != 3 {
		t.Errorf("another temperature is another question: %d requests, %v", requests.Load(), err)
	}
}

func TestAskTriesAgain(t *testing.T) {
	say := func(status int, header ...string) func(http.ResponseWriter) {
		return func(w http.ResponseWriter) {
			for i := 0; i < len(header); i += 2 {
				w.Header().Set(header[i], header[i+1])
			}
			w.WriteHeader(status)
		}
	}
	date := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	s, requests := model(t, say(429, "Retry-After", "0"), say(503, "Retry-After", date.Format(http.TimeFormat), "Date", date.Format(http.TimeFormat)), say(500))
	c := &Client{Base: s.URL + "/v1", Model: "small", Key: "secret"}
	if got, err := c.Ask(context.Background(), "a"); err != nil || got != "A" || requests.Load() != 4 {
		t.Errorf("%q after %d requests, %v", got, requests.Load(), err)
	}
	s, requests = model(t, say(401), say(401))
	c = &Client{Base: s.URL + "/v1", Model: "small"}
	if _, err := c.Ask(context.Background(), "a"); err == nil || !strings.Contains(err.Error(), "401") || requests.Load() != 1 {
		t.Errorf("%v after %d requests: what will not go better is not tried again", err, requests.Load())
	}
	s, requests = model(t, say(429, "Retry-After", "0"), say(429, "Retry-After", "0"), say(429, "Retry-After", "0"))
	c = &Client{Base: s.URL + "/v1", Model: "small", Tries: 2}
	if _, err := c.Ask(context.Background(), "a"); err == nil || requests.Load() != 2 {
		t.Errorf("%v after %d requests, two were allowed", err, requests.Load())
	}
}

func TestAskRefusesOddAnswers(t *testing.T) {
	for want, body := range map[string]string{
		"no chat completion":     "<html>",
		"without a text":         `{"choices": []}`,
		"more than 8388608 byte": strings.Repeat(" ", maxAnswer+1),
	} {
		s, _ := model(t, func(w http.ResponseWriter) { io.WriteString(w, body) })
		if _, err := (&Client{Base: s.URL, Cache: t.TempDir()}).Ask(context.Background(), "a"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

// A key is neither in messages nor in kept answers, and a short one, which is
// none, hinders no answer.
func TestAskTellsNoKey(t *testing.T) {
	const key = "sk-0123456789abcdef"
	say := func(status int, body string) *httptest.Server {
		s, _ := model(t, func(w http.ResponseWriter) {
			w.WriteHeader(status)
			io.WriteString(w, body)
		})
		return s
	}
	answer := func(content string) string {
		return `{"system_fingerprint": "fp_ollama ` + key + `", "choices": [{"message": {"content": "` + content + `"}}]}`
	}
	for name, c := range map[string]struct {
		key, body, want, text string
		status                int
	}{
		"refused":             {key, "no such key: " + key, "no such key: [key]", "", 401},
		"cut":                 {key, strings.Repeat("-", 190) + key, "[key]", "", 404},
		"bad request":         {key, key, "[key]", "", 400},
		"no completion":       {key, "<p>" + key, "[key]", "", 200},
		"in the text":         {key, answer("It is " + key), "the key in its text", "", 200},
		"beside the text":     {key, answer("Fine."), "", "Fine.", 200},
		"a name, in the text": {"ollama", answer("I am ollama."), "", "I am ollama.", 200},
		"one letter":          {"x", answer("An example."), "", "An example.", 200},
	} {
		got, err := (&Client{Base: say(c.status, c.body).URL, Model: "small", Key: c.key, Cache: t.TempDir()}).Ask(context.Background(), "a")
		if got != c.text || (err == nil) != (c.want == "") {
			t.Errorf("%s: %q, %v", name, got, err)
		}
		if err != nil && (!strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "0123456789")) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAskStopsBeforeTheCap(t *testing.T) {
	s, requests := model(t)
	c := &Client{Base: s.URL + "/v1", Model: "small", Key: "secret", MaxTokens: 100, PromptPrice: 1e6, AnswerPrice: 1e6, Cap: 250}
	for i := range 3 {
		_, err := c.Ask(context.Background(), fmt.Sprint(i))
		// A question may cost its body's 90 bytes and 100 tokens; an answer costs 30.
		if stop := i == 2; errors.Is(err, ErrCap) != stop || !stop && err != nil {
			t.Errorf("question %d: %v", i, err)
		}
	}
	if n, spent := c.Asked(); n != 2 || spent != 60 || requests.Load() != 2 {
		t.Errorf("%d requests, %v spent", n, spent)
	}
}

func TestAskTellsRefusalsFromFaults(t *testing.T) {
	for status, refused := range map[int]bool{400: true, 422: true, 401: false, 404: false} {
		s, _ := model(t, func(w http.ResponseWriter) { w.WriteHeader(status) })
		if _, err := (&Client{Base: s.URL}).Ask(context.Background(), "a"); err == nil || errors.Is(err, ErrRefused) != refused {
			t.Errorf("%d: %v", status, err)
		}
	}
}

func TestAskKeepsToTheRate(t *testing.T) {
	s, _ := model(t)
	c := &Client{Base: s.URL + "/v1", Model: "small", Key: "secret", PerMinute: 600}
	start := time.Now()
	for i := range 4 {
		if _, err := c.Ask(context.Background(), fmt.Sprint(i)); err != nil {
			t.Fatal(err)
		}
	}
	if d := time.Since(start); d < 290*time.Millisecond { // a tenth of a second between any two
		t.Errorf("four requests in %v", d)
	}
}

// An answer repeats the text it was asked about: nobody else reads what is kept.
func TestKeptAnswersArePrivate(t *testing.T) {
	s, _ := model(t)
	for _, there := range []bool{false, true} {
		c := &Client{Base: s.URL + "/v1/", Model: "small", Key: "secret", Cache: t.TempDir()}
		for k := range 256 {
			if there {
				if err := os.Mkdir(filepath.Join(c.Cache, fmt.Sprintf("%02x", k)), 0o755); err != nil {
					t.Fatal(err)
				}
			}
		}
		if _, err := c.Ask(context.Background(), "gretel"); err != nil {
			t.Fatal(err)
		}
		kept, err := filepath.Glob(filepath.Join(c.Cache, "*", "*.txt"))
		if err != nil || len(kept) != 1 {
			t.Fatalf("%v, %v", kept, err)
		}
		if info, err := os.Stat(filepath.Dir(kept[0])); err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("%v, %v", info.Mode(), err)
		}
	}
}
