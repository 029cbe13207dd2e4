package files

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	commonplace "github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/bounded"
	"github.com/commonplace/commonplace/crawl"
	"github.com/commonplace/commonplace/crawl/records"
)

// QuoteOptions says how a quote list is read.
type QuoteOptions struct {
	Source string // name of the list in the config; column quotes.source

	// Columns says which of the list's fields holds what: keys are id, text,
	// author, work, ebook and source, values the list's own names, such as
	// {"id": "reference"}. A field that is named so must be there. Without any
	// entry usual names are looked for, in any case: [quoteFields] has them.
	Columns map[string]string

	// Layout, when set, receives how the list is read, for people: "one quotation
	// a line", "columns quote and author".
	Layout func(string)

	// NameColumn, when set, says how a user names the column that holds what a key
	// stands for. Without it the config's own words are used.
	NameColumn func(key, column string) string

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

// quoteFields are the keys of QuoteOptions.Columns. The first column is the name of a
// field with other Columns, the rest are usual names, best first.
var quoteFields = []struct {
	key     string
	columns []string
}{
	{"id", []string{"quote_id", "id"}},
	{"text", []string{"text", "quote", "quotation", "passage", "highlight", "sentence", "verse", "line",
		"texts", "quotes", "quotations", "passages", "highlights", "sentences", "verses", "lines"}},
	{"author", []string{"author", "writer", "speaker", "by", "authors", "writers", "speakers"}},
	{"work", []string{"work", "book", "title", "works", "books", "titles"}},
	{"ebook", []string{"ebook"}},
	{"source", []string{"source_id"}},
}

// Check refuses column names that no quote has.
func (o QuoteOptions) Check() error {
	for key := range o.Columns {
		known := false
		for _, f := range quoteFields {
			known = known || f.key == key
		}
		if !known {
			return fmt.Errorf("files: columns has the key %q; it can have id, text, author, work, ebook and source", key)
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
			return f.columns[0]
		}
	}
	return key
}

// in is the name that a field has among those of a list: of Columns, or without
// any the best of the usual ones. It is empty where there is none.
func (o QuoteOptions) in(key string, names []string) string {
	if len(o.Columns) > 0 {
		if c := o.column(key); slices.Contains(names, c) {
			return c
		}
		return ""
	}
	for _, f := range quoteFields {
		if f.key != key {
			continue
		}
		for _, c := range f.columns {
			if i := slices.IndexFunc(names, func(name string) bool { return strings.EqualFold(strings.TrimSpace(name), c) }); i >= 0 {
				return names[i]
			}
		}
	}
	return ""
}

// layout reports how the list is read.
func (o QuoteOptions) layout(format string, args ...any) {
	if o.Layout != nil {
		o.Layout(fmt.Sprintf(format, args...))
	}
}

// ReadQuotes reads a quote list: JSON objects, one a line; CSV with a header
// (.csv; .tsv with tabs); a text of quotations (.txt, .md). All may be gzipped. A file whose
// name has no extension is what it begins as. Every entry gives either a quote or a
// [commonplace.RejectError] with its line number. A quote of a list without ids has the
// list's name and its line as id: favourites:12. Memory is bounded by the longest line and
// the ids, of a text by the text.
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
		kind, err := l.listKind(ctx)
		switch {
		case err != nil:
			l.reject(0, "", ReasonUnreadable, err.Error())
			return
		case kind == ".txt" || kind == ".md":
			l.readText(ctx, kind == ".md")
			return
		}
		r, reason, err := openStream(ctx, path, opts.Limits, io.Discard)
		if err != nil {
			failed := refused("", path, reason, err.Error())
			if reject := (*commonplace.RejectError)(nil); errors.As(failed, &reject) {
				reject.Cause = err
			}
			l.yield(commonplace.Quote{}, failed)
			return
		}
		defer r.Close()
		lines := records.NewQuoteLines(ctx, l.fromUTF16(r), opts.Limits)
		lines.Foreign = l.foreign
		switch kind {
		case ".csv":
			l.readCSV(lines, ',')
		case ".tsv":
			l.readCSV(lines, '\t')
		default:
			l.readJSONL(lines)
		}
	}
}

// fromUTF16 is a table or lines as UTF-8, if they begin as spreadsheets write UTF-16: with
// a byte order mark.
func (l *quoteList) fromUTF16(r io.Reader) io.Reader {
	in := bufio.NewReaderSize(r, 1<<16)
	head, _ := in.Peek(2) // an error comes again
	if mark := string(head); mark != "\xff\xfe" && mark != "\xfe\xff" {
		return in
	}
	l.opts.layout("UTF-16")
	return transform.NewReader(in, unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM).NewDecoder())
}

// foreign reads a record of a table that is no UTF-8 as Windows-1252, which spreadsheets
// write.
func (l *quoteList) foreign(raw []byte) []byte {
	text, err := charmap.Windows1252.NewDecoder().Bytes(raw)
	if err != nil {
		return raw
	}
	if !l.latin {
		l.latin = true
		l.opts.layout("not UTF-8, and read as windows-1252")
	}
	return text
}

var ebookNumber = regexp.MustCompile(`^(?i)(?:pg|e-?book|e-?text|no\.?|#|\s)*(\d+)$`)

// ebookOf reads an eBook's number as people write it: 158, PG 158, #158.
func ebookOf(said string) (n int64, ok bool) {
	m := ebookNumber.FindStringSubmatch(strings.TrimSpace(said))
	if m == nil {
		return 0, false
	}
	n, err := strconv.ParseInt(m[1], 10, 64)
	return n, err == nil
}

// quoteList is one list while it is read.
type quoteList struct {
	path   string
	opts   QuoteOptions
	seen   map[string]int // id to line
	latin  bool           // a record was no UTF-8
	ids    bool           // of JSONL: a line had one, so that each must
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

// madeID is the id of a quote of a list without ids: the name that the config gives the
// list, or its file's name, and the line.
func (l *quoteList) madeID(line int) string {
	if l.opts.Source != "" { // a file's name is in no fingerprint
		return fmt.Sprintf("%s:%d", crawl.Printable(l.opts.Source), line)
	}
	name := filepath.Base(l.path)
	for ext := filepath.Ext(name); ext != "" && ext != name; ext = filepath.Ext(name) {
		name = strings.TrimSuffix(name, ext)
	}
	return fmt.Sprintf("%s:%d", crawl.Printable(name), line)
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
