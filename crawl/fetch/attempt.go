package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strconv"
	"time"

	"github.com/cenkalti/backoff/v5"

	"github.com/commonplace/commonplace/crawl"
)

// persist asks until there is an answer to keep, or none to hope for.
func (c *Client) persist(ctx context.Context, h *host, address crawl.Address, request Request) (*Response, *Failure) {
	pause := backoff.NewExponentialBackOff()
	pause.InitialInterval = max(c.pause(h), time.Millisecond)
	pause.MaxInterval = max(slowestPause, pause.InitialInterval)
	tries := 0
	response, err := backoff.Retry(ctx, func() (*Response, error) {
		tries++
		response, err := c.attempt(ctx, h, address, request)
		var failure *Failure
		if errors.As(err, &failure) && !failure.Temporary {
			return nil, backoff.Permanent(err)
		}
		return response, err
	}, backoff.WithBackOff(pause), backoff.WithMaxTries(uint(c.policy.Tries)), backoff.WithMaxElapsedTime(0),
		backoff.WithNotify(func(err error, wait time.Duration) {
			h.next = later(h.next, time.Now().Add(wait))
			h.waiting(h.next, err.Error())
		}))
	if err == nil {
		return response, nil
	}
	var failure *Failure
	switch {
	case ctx.Err() != nil:
		return nil, stopped(ctx)
	case !errors.As(err, &failure):
		failure = temporary(ReasonGaveUp, err.Error())
	}
	if failure.Temporary && failure.Reason != ReasonStopped {
		return nil, &Failure{Reason: fmt.Sprintf("%s after %d", ReasonGaveUp, tries), Detail: failure.Detail, Temporary: true, gaveUp: true}
	}
	return nil, failure
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// retryLater is a failure with the time that the server asked us to wait.
type retryLater struct {
	*Failure
	wait *backoff.RetryAfterError
}

func (t *retryLater) Unwrap() []error { return []error{t.Failure, t.wait} }

// attempt asks once. What another try may mend is a temporary failure.
func (c *Client) attempt(ctx context.Context, h *host, address crawl.Address, request Request) (*Response, error) {
	if f := h.wait(ctx); f != nil {
		return nil, f
	}
	ctx, stop := context.WithTimeout(ctx, c.policy.Timeout)
	defer stop()
	began := time.Now()
	defer func() {
		h.answer = time.Since(began)
		h.next = later(h.next, time.Now().Add(c.pause(h)))
	}()
	most := request.MaxBytes
	if most <= 0 {
		most = c.policy.MaxBytes
	}
	var conn *recorder
	req, err := http.NewRequestWithContext(httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(i httptrace.GotConnInfo) {
		if conn, _ = i.Conn.(*recorder); conn != nil {
			conn.keep, conn.most = nil, int(min(most, math.MaxInt-maxHeader-1<<16))+maxHeader+1<<16 // and what chunks add
		}
	}}), http.MethodGet, address.String(), nil)
	if err != nil {
		return nil, &Failure{Reason: ReasonAddress, Detail: "no request can be made for it"}
	}
	req.Header.Set("User-Agent", c.agent())
	req.Header.Set("Accept-Encoding", "gzip")
	req.Header.Set("Accept", "*/*")
	if request.ETag != "" {
		req.Header.Set("If-None-Match", request.ETag)
	}
	if request.Modified != "" {
		req.Header.Set("If-Modified-Since", request.Modified)
	}
	if request.Sign != nil {
		request.Sign(req.URL)
	}
	got, err := c.http.Do(req)
	if err != nil {
		return nil, reasonOf(err)
	}
	defer got.Body.Close()
	if f := c.busy(got); f != nil {
		return nil, f
	}
	if err := drain(got, most); err != nil {
		return nil, reasonOf(err)
	}
	if conn == nil {
		return nil, temporary(ReasonGaveUp, "the connection was not recorded")
	}
	raw := final(conn.keep)
	conn.keep, conn.most = nil, 0
	if request.Secrets != nil && holdsSecret(raw, most, request.Secrets) {
		return nil, &Failure{Reason: ReasonSecret, Detail: "the answer repeats a credential; it is not kept"}
	}
	return &Response{URL: address, Status: got.StatusCode, Header: got.Header, Raw: raw, At: began.UTC().Truncate(time.Second)}, nil
}

// holdsSecret looks at an answer as it came, and at its body without chunks and compression.
// What cannot be looked into is taken to hold one.
func holdsSecret(raw []byte, most int64, secrets func([]byte) bool) bool {
	if secrets(raw) {
		return true
	}
	m, err := Read(raw, most)
	return err != nil || secrets(m.Body)
}

// busy says that a server has no answer now, and for how long where it says so.
func (c *Client) busy(r *http.Response) error {
	if r.StatusCode != http.StatusTooManyRequests && r.StatusCode < 500 {
		return nil
	}
	f := temporary(ReasonGaveUp, fmt.Sprintf("status %d", r.StatusCode))
	if r.StatusCode == http.StatusNotImplemented || r.StatusCode == http.StatusHTTPVersionNotSupported {
		f.Temporary = false
	}
	value := r.Header.Get("Retry-After")
	wait, ok := retryAfter(value, time.Now())
	if !ok {
		return f
	}
	if wait > c.policy.MaxWait {
		f.Detail += fmt.Sprintf(" with Retry-After: %s, longer than the longest wait, %v", value, c.policy.MaxWait)
		f.Temporary = false
		return f
	}
	return &retryLater{f, &backoff.RetryAfterError{Duration: wait}}
}

// retryAfter reads both forms: seconds, and a date.
func retryAfter(value string, now time.Time) (time.Duration, bool) {
	if seconds, err := strconv.ParseInt(value, 10, 32); err == nil && seconds >= 0 {
		return time.Duration(seconds) * time.Second, true
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(0, at.Sub(now)), true
	}
	return 0, false
}

// reasonOf says what is wrong without the request's address, which may hold a
// credential.
func reasonOf(err error) error {
	var f *Failure
	if errors.As(err, &f) {
		return f
	}
	var outer *url.Error
	if errors.As(err, &outer) {
		err = outer.Err
	}
	switch {
	case errors.Is(err, errPrivate):
		return &Failure{Reason: ReasonPrivate, Detail: err.Error()}
	case errors.Is(err, context.DeadlineExceeded):
		return temporary(ReasonGaveUp, "no whole answer within the timeout")
	case errors.Is(err, io.ErrUnexpectedEOF):
		return temporary(ReasonGaveUp, "the answer breaks off before its end")
	}
	return temporary(ReasonGaveUp, err.Error())
}
