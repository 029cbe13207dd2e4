// Package chat asks a language model behind an OpenAI-compatible chat endpoint,
// any base URL, and keeps every answer by the content of the question:
//
//	c := &chat.Client{Base: "http://localhost:11434/v1", Model: "llama3", Cache: "cache/answers"}
//	answer, err := c.Ask(ctx, "Rephrase: ...")
//
// A question that was asked before is answered from the cache without the
// network, so that a table made of answers is made again byte for byte. Requests
// keep to a rate, are tried again after 429, 5xx and broken connections (as
// Retry-After says, or with growing pauses), and stop before they can cost more
// than the cap.
package chat

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/cenkalti/backoff/v5"
	"golang.org/x/time/rate"

	"github.com/commonplace/commonplace/storage"
)

// ErrCap says that another request could cost more than the cap allows.
var ErrCap = errors.New("the cost cap is reached")

// ErrRefused says that the server understood a question and gives no answer to
// it (400, 422, or an empty one), and will give none another time.
var ErrRefused = errors.New("the question is refused")

// A key of fewer bytes than these is a name that a local server asks for form's
// sake, such as EMPTY, and may stand anywhere.
const (
	shownKey = 8  // is taken out of messages
	keptKey  = 16 // is not kept as part of an answer
)

// maxAnswer is the longest answer of a server, in bytes.
const maxAnswer = 8 << 20

// Client asks one model. It is safe for concurrent use; its fields must not
// change after the first question.
type Client struct {
	Base        string  // such as https://api.openai.com/v1; /chat/completions is added
	Model       string  // name of the model
	Key         string  // sent as a bearer token; none when empty
	MaxTokens   int     // longest answer in tokens; 0 leaves it to the server, and costs cannot be bounded
	Temperature float64 // of sampling
	PerMinute   float64 // requests at most; 0 is any number
	Tries       uint    // attempts for one question, 5 when 0
	Cache       string  // folder of answers; none when empty

	// Prices for a million tokens, in any currency, and the most that this client
	// may spend; 0 is no cap. A token is at least one byte of text, so a
	// question's bytes bound its tokens before it is asked.
	PromptPrice, AnswerPrice, Cap float64

	HTTP *http.Client // nil: one that waits ten minutes for an answer, and follows no redirect

	once  sync.Once
	limit *rate.Limiter
	mu    sync.Mutex
	spent float64 // by answers
	due   float64 // at most by questions on their way
	asked int64
}

// request is the body that is sent and, with the base, what an answer is kept by.
type request struct {
	Model       string    `json:"model"`
	Messages    []message `json:"messages"`
	Temperature float64   `json:"temperature"`
	MaxTokens   int       `json:"max_tokens,omitempty"`
}

type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// answer is what a server says, as far as it is read here, and what is kept.
type answer struct {
	Choices []struct {
		Message message `json:"message"`
	} `json:"choices"`
	Usage struct {
		Prompt     int64 `json:"prompt_tokens"`
		Completion int64 `json:"completion_tokens"`
	} `json:"usage"`
}

// Ask puts one question and gives the answer's text.
func (c *Client) Ask(ctx context.Context, question string) (string, error) {
	body, err := json.Marshal(request{c.Model, []message{{"user", question}}, c.Temperature, c.MaxTokens})
	if err != nil {
		return "", err
	}
	if text, ok := c.kept(body); ok {
		return text, nil
	}
	most := (float64(len(body))*c.PromptPrice + float64(c.MaxTokens)*c.AnswerPrice) / 1e6
	if err := c.reserve(most); err != nil {
		return "", err
	}
	a, err := c.send(ctx, body)
	c.settle(most, a)
	if err != nil {
		return "", err
	}
	text := strings.TrimSpace(a.Choices[0].Message.Content)
	return text, c.keep(ctx, body, text)
}

// Asked is how many requests were sent, and what their answers cost.
func (c *Client) Asked() (requests int64, spent float64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.asked, c.spent
}

// reserve refuses a question that could cost more than is left.
func (c *Client) reserve(most float64) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.Cap > 0 && c.spent+c.due+most > c.Cap {
		return fmt.Errorf("%w: %.4f spent, %.4f under way, another question may cost %.4f and the cap is %v; what was answered is kept", ErrCap, c.spent, c.due, most, c.Cap)
	}
	c.due += most
	return nil
}

// settle puts what an answer cost in the place of what it might have. An answer that does
// not say so, or says less than nothing, cost all that it might have.
func (c *Client) settle(most float64, a answer) {
	cost := (float64(a.Usage.Prompt)*c.PromptPrice + float64(a.Usage.Completion)*c.AnswerPrice) / 1e6
	if a.Usage.Prompt <= 0 || a.Usage.Completion < 0 {
		if cost = 0; len(a.Choices) > 0 {
			cost = most
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.due -= most
	c.spent += cost
}

func (c *Client) send(ctx context.Context, body []byte) (answer, error) {
	c.once.Do(func() {
		if c.limit = rate.NewLimiter(rate.Inf, 1); c.PerMinute > 0 {
			c.limit = rate.NewLimiter(rate.Limit(c.PerMinute/60), 1)
		}
	})
	tries := c.Tries
	if tries == 0 {
		tries = 5
	}
	return backoff.Retry(ctx, func() (answer, error) {
		if err := c.limit.Wait(ctx); err != nil {
			return answer{}, backoff.Permanent(err)
		}
		return c.post(ctx, body)
	}, backoff.WithMaxTries(tries))
}

// patient ends a request that nothing answers; a model may think for minutes. A server that
// sends on to another address could have texts and the key sent to somebody else, or into
// the private network: its answer is taken for what it is.
var patient = &http.Client{
	Timeout:       10 * time.Minute,
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// post sends one request. What may go better another time is a plain error, what
// will not is a permanent one.
func (c *Client) post(ctx context.Context, body []byte) (a answer, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, strings.TrimSuffix(c.Base, "/")+"/chat/completions", bytes.NewReader(body))
	if err != nil { // which repeats the address, with its password
		return a, backoff.Permanent(fmt.Errorf("%s: the address of the endpoint cannot be read", c.address()))
	}
	r.Header.Set("Content-Type", "application/json")
	if c.Key != "" {
		r.Header.Set("Authorization", "Bearer "+c.Key)
	}
	c.mu.Lock()
	c.asked++
	c.mu.Unlock()
	client := c.HTTP
	if client == nil {
		client = patient
	}
	response, err := client.Do(r)
	if err != nil {
		return a, err
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer+1))
	status := c.redacted(response.Status)
	switch {
	case err != nil:
		return a, err
	case len(raw) > maxAnswer:
		return a, backoff.Permanent(fmt.Errorf("%s answers with more than %d bytes", c.address(), maxAnswer))
	case response.StatusCode == http.StatusTooManyRequests || response.StatusCode >= 500:
		if wait, ok := retryAfter(response.Header.Get("Retry-After"), response.Header.Get("Date")); ok {
			return a, &backoff.RetryAfterError{Duration: wait}
		}
		return a, fmt.Errorf("%s answers %s: %s", c.address(), status, c.excerpt(raw))
	case response.StatusCode == http.StatusBadRequest || response.StatusCode == http.StatusUnprocessableEntity:
		return a, backoff.Permanent(fmt.Errorf("%w: %s: %s", ErrRefused, status, c.excerpt(raw)))
	case response.StatusCode != http.StatusOK:
		return a, backoff.Permanent(fmt.Errorf("%s answers %s: %s", c.address(), status, c.excerpt(raw)))
	}
	if err := json.Unmarshal(raw, &a); err != nil {
		return a, backoff.Permanent(fmt.Errorf("%s answers what is no chat completion: %w: %s", c.address(), err, c.excerpt(raw)))
	}
	if len(a.Choices) == 0 || strings.TrimSpace(a.Choices[0].Message.Content) == "" {
		return a, backoff.Permanent(fmt.Errorf("%w: it answers without a text: %s", ErrRefused, c.excerpt(raw)))
	}
	if len(c.Key) >= keptKey && strings.Contains(a.Choices[0].Message.Content, c.Key) { // answers become rows
		return a, backoff.Permanent(fmt.Errorf("%s answers with the key in its text, which is therefore not kept", c.address()))
	}
	return a, nil
}

// address is the base without a password, for messages.
func (c *Client) address() string {
	if u, err := url.Parse(c.Base); err == nil {
		return u.Redacted()
	}
	return "the endpoint"
}

// retryAfter reads seconds, or a date compared with the server's own clock.
func retryAfter(value, now string) (time.Duration, bool) {
	if n, err := strconv.Atoi(strings.TrimSpace(value)); err == nil && n >= 0 {
		return time.Duration(n) * time.Second, true
	}
	until, err := http.ParseTime(value)
	if err != nil {
		return 0, false
	}
	at, err := http.ParseTime(now)
	if err != nil {
		return 0, false
	}
	return max(0, until.Sub(at)), true
}

// redacted is what a server says, without the key: messages are logged.
func (c *Client) redacted(text string) string {
	if len(c.Key) < shownKey {
		return text
	}
	return strings.ReplaceAll(text, c.Key, "[key]")
}

func (c *Client) excerpt(raw []byte) string {
	text := c.redacted(string(raw))
	return strconv.QuoteToASCII(text[:min(len(text), 200)])
}

// path is where the answer to a request is kept. The base is no part of it: the
// same model behind another address says the same.
func (c *Client) path(body []byte) string {
	sum := sha256.Sum256(body)
	name := hex.EncodeToString(sum[:])
	return filepath.Join(c.Cache, name[:2], name+".txt")
}

func (c *Client) kept(body []byte) (string, bool) {
	if c.Cache == "" {
		return "", false
	}
	raw, err := storage.ReadOwn(c.path(body), maxAnswer)
	return string(raw), err == nil && len(raw) > 0
}

// keep writes an answer in one step: a run that is killed leaves no half one.
func (c *Client) keep(ctx context.Context, body []byte, text string) error {
	if c.Cache == "" {
		return nil
	}
	path := c.path(body)
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	if err := os.Chmod(dir, 0o700); err != nil { // also of a folder that was there: an answer repeats texts that may be private
		return err
	}
	return storage.Write(context.WithoutCancel(ctx), storage.Local, path, []byte(text)) // it is paid for
}
