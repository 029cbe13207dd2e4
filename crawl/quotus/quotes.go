// Package quotus reads the Quotus data set: quotations of presidential speeches
// in the news, aligned by its authors, and the transcripts they come from.
//
// The quotes file is one JSON object of 155 MB. [ReadQuotes] streams it, a
// cluster at a time:
//
//	for cluster, err := range quotus.ReadQuotes(ctx, r, "quotes.json") { ... }
//
// In that object scalar keys and quotes stand side by side on every level: a
// cluster holds ClSz, TotFq, Src and Speaker beside its quotes, a quote holds
// QtFq, Text, Sim, PNums and Align beside its articles. A value is a quote or
// an article when it is an object and its key is none of the known ones.
package quotus

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"

	commonplace "github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/bounded"
)

// Cluster is minor variants of one quotation that align to about the same place.
type Cluster struct {
	ID        string
	Size      int64  // ClSz
	Frequency int64  // TotFq
	Source    string // Src: the transcript
	Speaker   string
	Quotes    []Quote // in the order of the file
}

// Quote is one variant.
type Quote struct {
	ID         string
	Text       string  // with ... where parts are left out
	Frequency  int64   // QtFq
	Similarity float64 // Sim: 0 is perfect
	Paragraphs []int   // PNums
	Align      json.RawMessage
	Articles   []Article
}

// Article is one place where the quote was printed.
type Article struct {
	ID        string // key in the file
	AId       string
	Time      string // Tm
	Title     string
	URL       string
	Duplicate bool // IsDup
}

// Reasons of a file that ends here: nothing may be taken of it.
const (
	ReasonBroken    = "broken json" // it is no JSON, or ends too early
	ReasonFileLimit = "file over the limit"
)

// BreaksOff says that an error is of the whole file: nothing may be taken of it.
func BreaksOff(err error) bool {
	r := commonplace.RejectOf(err)
	return r != nil && (r.Reason == ReasonBroken || r.Reason == ReasonFileLimit)
}

// heldID is about what an id in a map, and heldQuote what a quote or an article
// costs beside its texts.
const (
	heldID    = 64
	heldQuote = 256
)

// ReadQuotes streams the quotes file. What is wrong in a cluster makes it a
// [commonplace.RejectError] and the next one is read; broken JSON ends the file with one.
func ReadQuotes(ctx context.Context, r io.Reader, location string, l bounded.Limits) iter.Seq2[Cluster, error] {
	return func(yield func(Cluster, error) bool) {
		l := l.WithDefaults()
		ids := bounded.Budget{Most: l.Memory}
		counted := &counter{r: r, most: l.Line}
		d := json.NewDecoder(counted)
		reject := func(id, reason, detail string) bool {
			return yield(Cluster{}, refused(id[:min(len(id), 1024)], fmt.Sprintf("%s, byte %d", location, d.InputOffset()), reason, detail))
		}
		ended := func(err error) {
			reason := ReasonBroken
			var over *bounded.Error
			if counted.over {
				err = bounded.Over("line", l.Line, "a cluster is larger than %d bytes", l.Line)
			}
			if errors.As(err, &over) {
				reason = ReasonFileLimit
			}
			if errors.Is(err, io.EOF) {
				err = io.ErrUnexpectedEOF
			}
			reject("", reason, fmt.Sprintf("the file ends here, before its end: %v", err))
		}
		open, err := d.Token()
		if err != nil {
			ended(err)
			return
		}
		if open != json.Delim('{') {
			reject("", ReasonBroken, "the file is no JSON object of clusters")
			return
		}
		seen := map[string]bool{}
		for d.More() {
			if err := ctx.Err(); err != nil {
				yield(Cluster{}, err)
				return
			}
			key, err := d.Token()
			if err != nil {
				ended(err)
				return
			}
			id, _ := key.(string)
			counted.left = l.Line
			var raw json.RawMessage
			if err := d.Decode(&raw); err != nil {
				ended(err)
				return
			}
			if seen[id] {
				if !reject(id, "duplicate id", "another cluster has this id already") {
					return
				}
				continue
			}
			if err := ids.Hold(int64(len(id)) + heldID); err != nil {
				ended(err)
				return
			}
			seen[id] = true
			c, err := parseCluster(id, raw, l)
			if err != nil {
				if !reject(id, "wrong type", err.Error()) {
					return
				}
				continue
			}
			if !yield(c, nil) {
				return
			}
		}
		if _, err := d.Token(); err != nil {
			ended(err)
			return
		}
		if _, err := d.Token(); err != io.EOF {
			reject("", ReasonBroken, "something stands after the object's end")
		}
	}
}

// refused is the error of what is refused.
func refused(id, location, reason, detail string) error {
	return &commonplace.RejectError{Reject: commonplace.Reject{ID: strings.ToValidUTF8(id, "\uFFFD"), Reason: reason, Detail: strings.ToValidUTF8(detail, "\uFFFD"), Location: location}}
}

// counter stops a reader that goes on for longer than a cluster may.
type counter struct {
	r          io.Reader
	left, most int64
	over       bool
}

func (c *counter) Read(p []byte) (int, error) {
	if c.left < -c.most { // the decoder reads ahead
		c.over = true
		return 0, io.ErrUnexpectedEOF
	}
	n, err := c.r.Read(p)
	c.left -= int64(n)
	return n, err
}

// parseCluster reads one cluster.
func parseCluster(id string, raw []byte, l bounded.Limits) (Cluster, error) {
	c := Cluster{ID: id}
	f := fields{limits: l, budget: &bounded.Budget{Most: l.Memory}}
	err := f.eachKey(raw, func(key string, value json.RawMessage) error {
		switch key {
		case "ClSz":
			c.Size = f.integer(key, value)
		case "TotFq":
			c.Frequency = f.integer(key, value)
		case "Src":
			c.Source = f.text(key, value)
		case "Speaker":
			c.Speaker = f.text(key, value)
		default:
			if value[0] != '{' {
				return nil // a scalar that later versions may have
			}
			q, err := parseQuote(key, value, f)
			c.Quotes = append(c.Quotes, q)
			return err
		}
		return nil
	})
	return c, errors.Join(err, f.err)
}

func parseQuote(id string, raw []byte, f fields) (Quote, error) {
	q := Quote{ID: id}
	err := f.eachKey(raw, func(key string, value json.RawMessage) error {
		switch key {
		case "QtFq":
			q.Frequency = f.integer(key, value)
		case "Text":
			q.Text = f.text(key, value)
		case "Sim":
			q.Similarity = f.number(key, value)
		case "PNums":
			q.Paragraphs = f.list(key, value)
		case "Align":
			q.Align = append(json.RawMessage(nil), value...)
		default:
			if value[0] != '{' {
				return nil
			}
			a, err := parseArticle(key, value, f)
			q.Articles = append(q.Articles, a)
			return err
		}
		return nil
	})
	if err == nil && f.err == nil && strings.TrimSpace(q.Text) == "" {
		err = fmt.Errorf("the quote %s has no Text", id)
	}
	return q, errors.Join(err, f.err)
}

func parseArticle(id string, raw []byte, f fields) (Article, error) {
	a := Article{ID: id}
	err := f.eachKey(raw, func(key string, value json.RawMessage) error {
		switch key {
		case "AId":
			a.AId = f.text(key, value)
		case "Tm":
			a.Time = f.text(key, value)
		case "Title":
			a.Title = f.text(key, value)
		case "URL":
			a.URL = f.text(key, value)
		case "IsDup":
			a.Duplicate = f.truth(value)
		}
		return nil
	})
	return a, errors.Join(err, f.err)
}

// eachKey goes over the keys of a JSON object in their order.
func (f *fields) eachKey(raw []byte, take func(key string, value json.RawMessage) error) (err error) {
	if err := f.budget.Hold(int64(len(raw)) + heldQuote); err != nil {
		return err
	}
	failed := bounded.Object(raw, f.limits, func(key string, value json.RawMessage) {
		if err == nil {
			err = take(key, value)
		}
	})
	if errors.Is(failed, bounded.ErrNoObject) {
		return fmt.Errorf("an object was expected, not %.40s", raw)
	}
	return errors.Join(failed, err)
}

// fields reads an object's fields and keeps the first error of a scalar.
type fields struct {
	limits bounded.Limits
	budget *bounded.Budget // for what a cluster holds
	err    error
}

func (f *fields) fail(key string, value []byte) {
	if f.err == nil {
		f.err = fmt.Errorf("the field %s is %.40s", key, value)
	}
}

// text is a string or a number as it is written; null is empty.
func (f *fields) text(key string, value []byte) string {
	var s string
	switch {
	case string(value) == "null":
	case value[0] == '"':
		if json.Unmarshal(value, &s) != nil {
			f.fail(key, value)
		}
	case value[0] == '{' || value[0] == '[':
		f.fail(key, value)
	default:
		s = string(value)
	}
	return s
}

func (f *fields) number(key string, value []byte) float64 {
	s := strings.TrimSpace(f.text(key, value))
	if s == "" {
		return 0
	}
	n, err := strconv.ParseFloat(s, 64)
	if err != nil || n != n {
		f.fail(key, value)
	}
	return n
}

func (f *fields) integer(key string, value []byte) int64 {
	n := f.number(key, value)
	if n != float64(int64(n)) {
		f.fail(key, value)
	}
	return int64(n)
}

func (f *fields) truth(value []byte) bool {
	switch strings.ToLower(strings.Trim(string(value), `"`)) {
	case "true", "1", "yes":
		return true
	}
	return false
}

// list reads numbers between commas, "3, 4", or a JSON list of them.
func (f *fields) list(key string, value []byte) []int {
	s := strings.Trim(string(value), `[]"`)
	var numbers []int
	for _, part := range strings.Split(s, ",") {
		part = strings.Trim(part, ` "`)
		if part == "" || part == "null" {
			continue
		}
		n, err := strconv.Atoi(part)
		if err != nil || n < 0 {
			f.fail(key, value)
			return nil
		}
		numbers = append(numbers, n)
	}
	return numbers
}
