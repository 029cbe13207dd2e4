package fetch

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/commonplace/commonplace/bounded"
	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
)

// drain reads a body to its end, decoded, and keeps nothing: the connection's
// recorder does. It finds out whether the body is whole and within its limit.
func drain(r *http.Response, most int64) error {
	if r.ContentLength > most {
		return &Failure{Reason: ReasonLimit, Detail: fmt.Sprintf("a body of %d bytes, more than %d", r.ContentLength, most)}
	}
	raw := &within{r: r.Body, left: most}
	body, err := decoded(raw, r.Header)
	if err == nil {
		_, err = io.Copy(io.Discard, &within{r: body, left: most})
	}
	if err == nil {
		_, err = io.Copy(io.Discard, raw) // what follows a compressed stream
	}
	if errors.Is(err, errOver) {
		return &Failure{Reason: ReasonLimit, Detail: fmt.Sprintf("the body has more than %d bytes", most)}
	}
	var f *Failure
	if err != nil && !errors.As(err, &f) && r.Header.Get("Content-Encoding") != "" && !errors.Is(err, io.ErrUnexpectedEOF) {
		return temporary(ReasonGaveUp, "the compressed body is broken: "+err.Error())
	}
	return err
}

var errOver = errors.New("over the limit")

// within fails when there is more than it may let through.
type within struct {
	r    io.Reader
	left int64
}

func (b *within) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return n, errOver
	}
	return n, err
}

// decoded undoes the content encodings of a body, at most two.
func decoded(r io.Reader, header http.Header) (io.Reader, error) {
	layers := strings.FieldsFunc(strings.ToLower(strings.Join(header.Values("Content-Encoding"), ",")), func(r rune) bool { return r == ',' || r == ' ' || r == '\t' })
	layers = slices.DeleteFunc(layers, func(name string) bool { return name == "identity" })
	if len(layers) > 2 {
		return nil, &Failure{Reason: ReasonEncoding, Detail: "more than two content encodings"}
	}
	for _, name := range slices.Backward(layers) {
		in := bufio.NewReader(r)
		first, err := in.Peek(2)
		if len(first) == 0 && err == io.EOF { // an empty body, as with 304
			return in, nil
		}
		switch name {
		case "gzip", "x-gzip":
			z, err := gzip.NewReader(in)
			if err != nil {
				return nil, err
			}
			r = z
		case "deflate":
			if len(first) == 2 && first[0]&0x0f == 8 && (uint(first[0])<<8|uint(first[1]))%31 == 0 {
				z, err := zlib.NewReader(in)
				if err != nil {
					return nil, err
				}
				r = z
			} else {
				r = flate.NewReader(in) // as some servers send it
			}
		default:
			return nil, &Failure{Reason: ReasonEncoding, Detail: fmt.Sprintf("Content-Encoding %.60q was not asked for", name)}
		}
	}
	return r, nil
}

// final leaves out what servers send ahead of an answer (status 1xx).
func final(raw []byte) []byte {
	for bytes.HasPrefix(raw, []byte("HTTP/1.1 1")) {
		end := bytes.Index(raw, []byte("\r\n\r\n"))
		if end < 0 {
			break
		}
		raw = raw[end+4:]
	}
	return raw
}

// Message is a kept answer, read again.
type Message struct {
	Status int
	Header http.Header
	Body   []byte // decoded
}

// Read reads a raw message as [Response.Raw] holds it, or a WARC file of
// another crawler. The body is decoded and has at most max bytes.
func Read(raw []byte, limit int64) (Message, error) {
	in := bytes.NewReader(raw)
	buffered := bufio.NewReader(in)
	r, err := http.ReadResponse(buffered, nil)
	if err != nil {
		return Message{}, fmt.Errorf("no HTTP response: %w", err)
	}
	defer r.Body.Close()
	m := Message{Status: r.StatusCode, Header: r.Header}
	if len(r.TransferEncoding) == 0 && r.Header.Get("Content-Encoding") == "" { // the body is there as it is: no copy
		m.Body, err = plain(raw[len(raw)-in.Len()-buffered.Buffered():], r.ContentLength, limit)
		return m, err
	}
	if r.Header.Get("Content-Encoding") != "" {
		limit = (bounded.Limits{}).Unpacked(int64(len(raw)), limit)
	}
	body, err := decoded(&within{r: r.Body, left: limit}, r.Header)
	if err == nil {
		m.Body, err = io.ReadAll(&within{r: body, left: limit})
	}
	if errors.Is(err, errOver) {
		return m, &Failure{Reason: ReasonLimit, Detail: fmt.Sprintf("the body has more than %d bytes", limit)}
	}
	return m, err
}

// plain is a body of which the header says length, -1 for nothing.
func plain(rest []byte, length, limit int64) ([]byte, error) {
	if length < 0 {
		length = int64(len(rest))
	}
	whole := length <= int64(len(rest))
	rest = rest[:min(length, int64(len(rest)))]
	switch {
	case int64(len(rest)) > limit:
		return nil, &Failure{Reason: ReasonLimit, Detail: fmt.Sprintf("the body has more than %d bytes", limit)}
	case !whole:
		return rest, io.ErrUnexpectedEOF
	}
	return rest, nil
}
