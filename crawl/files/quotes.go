package files

import (
	"context"
	"fmt"
	"io"
	"iter"
	"strings"

	commonplace "github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/bounded"
	"github.com/commonplace/commonplace/crawl"
	"github.com/commonplace/commonplace/crawl/records"
)

// QuoteOptions says how a quote list is read.
type QuoteOptions struct {
	Source string // name of the list in the config; column quotes.source

	// Columns says which of the list's fields holds what: keys are id, text,
	// author, work and ebook, values the list's own names, such as
	// {"id": "reference"}. Without an entry the names quote_id, text, author,
	// work and ebook are looked for; of a JSONL list also id.
	Columns map[string]string

	Limits bounded.Limits
}

// Reasons of rejected quotes.
const (
	ReasonBrokenLine = "broken line"
	ReasonWrongType  = "wrong type"
	ReasonNoText     = "no text"
	ReasonNoID       = "no id"
	ReasonDuplicate  = "duplicate id"
)

// quoteFields are the keys of QuoteOptions.Columns and the names looked for without it.
var quoteFields = []struct{ key, column string }{
	{"id", "quote_id"}, {"text", "text"}, {"author", "author"}, {"work", "work"}, {"ebook", "ebook"},
}

// Check refuses column names that no quote has.
func (o QuoteOptions) Check() error {
	for key := range o.Columns {
		known := false
		for _, f := range quoteFields {
			known = known || f.key == key
		}
		if !known {
			return fmt.Errorf("files: columns has the key %q; it can have id, text, author, work and ebook", key)
		}
	}
	return nil
}

// column is the list's own name of a field.
func (o QuoteOptions) column(key string) string {
	if c := o.Columns[key]; c != "" {
		return c
	}
	for _, f := range quoteFields {
		if f.key == key {
			return f.column
		}
	}
	return key
}

// ReadQuotes reads a quote list: JSON objects, one a line, or CSV with a header
// (.csv; .tsv with tabs), plain or with .gz after the name. Every line gives
// either a quote or a [commonplace.RejectError] with its line number.
// Memory is bounded by the longest line and the ids.
//
// A gzip file that breaks off gives the quotes before the break and then a
// error for which [BreaksOff] holds: a caller that must not take half a list reads to
// the end before it uses any.
func ReadQuotes(ctx context.Context, path string, opts QuoteOptions) iter.Seq2[commonplace.Quote, error] {
	return func(yield func(commonplace.Quote, error) bool) {
		l := &quoteList{path: path, opts: opts, seen: map[string]int{}, yield: yield}
		if err := opts.Check(); err != nil {
			l.reject(0, "", ReasonUnreadable, err.Error())
			return
		}
		l.budget.Most = opts.Limits.WithDefaults().Memory
		r, reason, err := openStream(ctx, path, opts.Limits, io.Discard)
		if err != nil {
			l.reject(0, "", reason, err.Error())
			return
		}
		defer r.Close()
		name := strings.TrimSuffix(strings.ToLower(path), ".gz")
		lines := records.NewQuoteLines(ctx, r, opts.Limits)
		switch {
		case strings.HasSuffix(name, ".csv"):
			l.readCSV(lines, ',')
		case strings.HasSuffix(name, ".tsv"):
			l.readCSV(lines, '\t')
		default:
			l.readJSONL(lines)
		}
	}
}

// quoteList is one list while it is read.
type quoteList struct {
	path   string
	opts   QuoteOptions
	seen   map[string]int // id to line
	budget bounded.Budget // for them
	yield  func(commonplace.Quote, error) bool
}

func (l *quoteList) reject(line int, id, reason, detail string) bool {
	at := l.path
	if line > 0 {
		at = fmt.Sprintf("%s:%d", l.path, line)
	}
	return l.yield(commonplace.Quote{}, refused(id, at, reason, detail))
}

// heldID is about what an id in a map costs beside its bytes.
const heldID = 64

// take checks a quote and yields it or its reject.
func (l *quoteList) take(line int, q commonplace.Quote) bool {
	if q.ID == "" {
		return l.reject(line, "", ReasonNoID, fmt.Sprintf("the field %s is missing or empty", l.opts.column("id")))
	}
	if detail := crawl.BadID(q.ID); detail != "" {
		return l.reject(line, q.ID, ReasonBadID, detail)
	}
	if first, twice := l.seen[q.ID]; twice {
		return l.reject(line, q.ID, ReasonDuplicate, fmt.Sprintf("line %d has this id already", first))
	}
	if strings.TrimSpace(q.Text) == "" {
		return l.reject(line, q.ID, ReasonNoText, fmt.Sprintf("the field %s is missing or holds only white space", l.opts.column("text")))
	}
	if err := l.budget.Hold(int64(len(q.ID)) + heldID); err != nil {
		l.fail(line, err)
		return false
	}
	l.seen[q.ID] = line
	q.Source = l.opts.Source
	return l.yield(q, nil)
}

// fail yields the reject for an error of the reader, which ends the list.
func (l *quoteList) fail(line int, err error) {
	l.reject(line, "", streamReason(err), fmt.Sprintf("the list ends here, before its end: %v", err))
}
