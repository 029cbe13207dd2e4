// Package post sends JSON to an address that the user named:
//
//	c := &post.Client{Address: "http://localhost:5000/api/v1/lineage"}
//	err := c.Send(ctx, event)
//
// No error repeats a password, a key, a query or the words of the server: errors are
// logged.
package post

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"syscall"
	"time"
)

// ErrRefused says that the server understood the request and will give no other answer
// another time.
var ErrRefused = errors.New("refused")

// Timeout is the longest time that one request takes.
const Timeout = 5 * time.Second

// maxAnswer is how much of an answer is read, so that the connection can be used again.
const maxAnswer = 64 << 10

// Client sends to one address. It is safe for concurrent use.
type Client struct {
	Address string // with its path; a user and a password in it are sent as they are in browsers
	Key     string // sent as a bearer token; none when empty
}

// A server that sends on to another address could have the body sent twice, or to
// somebody else: its answer is taken for what it is.
var client = &http.Client{
	Timeout:       Timeout,
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// Send sends one JSON value. An error that is not [ErrRefused] may go better another time.
func (c *Client) Send(ctx context.Context, body []byte) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.Address, bytes.NewReader(body))
	if err != nil { // which repeats the address
		return fmt.Errorf("%w: the address cannot be read", ErrRefused)
	}
	r.Header.Set("Content-Type", "application/json")
	if c.Key != "" {
		r.Header.Set("Authorization", "Bearer "+c.Key)
	}
	response, err := client.Do(r)
	if err != nil {
		return inOurWords(err)
	}
	defer response.Body.Close()
	io.Copy(io.Discard, io.LimitReader(response.Body, maxAnswer))
	status := response.StatusCode
	switch {
	case status >= 200 && status < 300:
		return nil
	case status == http.StatusRequestTimeout, status == http.StatusTooManyRequests, status >= 500:
		return fmt.Errorf("it answers status %d", status) // its words could be the key
	}
	return fmt.Errorf("%w: it answers status %d", ErrRefused, status)
}

// inOurWords is an error of the library without the address, of which the library hides
// the password alone, and without what the server said: that may be the key that it got.
// Of the library's words only those of the system and of the name service are kept.
func inOurWords(err error) error {
	var (
		all         *url.Error
		system      syscall.Errno
		name        *net.DNSError
		certificate *tls.CertificateVerificationError
		noTLS       tls.RecordHeaderError
	)
	if errors.As(err, &all) {
		if all.Timeout() {
			return fmt.Errorf("it does not answer within %v", Timeout)
		}
		err = all.Err
	}
	switch {
	case errors.Is(err, context.Canceled), errors.As(err, &system), errors.As(err, &name):
		return err
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("it ends the connection without an answer")
	case errors.As(err, &certificate):
		return errors.New("its certificate is not trusted, or is another host's")
	case errors.As(err, &noTLS), errors.Is(err, http.ErrSchemeMismatch):
		return errors.New("it does not speak TLS; is the address to begin with http://?")
	}
	return errors.New("it does not answer as a web server")
}
