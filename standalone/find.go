package standalone

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align"
	"github.com/commonplace/commonplace/bounded"
	"github.com/commonplace/commonplace/crawl"
	"github.com/commonplace/commonplace/crawl/files"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/sorting"
	"github.com/commonplace/commonplace/storage"
)

// Ways to take what find looks for.
const (
	AsQuotes    = "quotes"
	AsDocuments = "documents"
)

// Find says what the find command does: quotations of a list, or of documents, in books.
// Frames are removed and encodings decided, as in a run.
type Find struct {
	What    string // list of quotations, or folder, file or glob of documents that quote
	As      string // AsQuotes or AsDocuments; empty: documents of a folder or a glob, else quotes
	Columns map[string]string
	Books   []string // folders, files or globs of what is quoted
	Out     string   // file, or - for standard output
	Format  string   // one of Formats
	Color   bool     // of the format text: bold words, for a terminal
	Width   int      // of the format text: columns of a line; 0: 80
	Verbose bool     // report of every file how it was read

	Parallelism int // files at once; 0 is all processors
	Options     align.Options
	Ignore      string                   // file of phrases that are no evidence between documents
	Use         string                   // what is looked for in documents, as in [Align]
	Refuse      func(commonplace.Reject) // receives what cannot be read
	Report      func(string)             // receives what was decided, in sentences
}

// NewFind holds the defaults.
func NewFind() Find {
	return Find{Out: "-", Format: "text", Use: align.SearchDocuments, Options: align.Defaults()}
}

// Run finds the quotations and writes them: those of a list in its order, best first
// within each; those of documents in the order of their texts.
func (f Find) Run(ctx context.Context) error {
	if !slices.Contains(Formats, f.Format) {
		return config.Refusef("--format is %q, must be one of %s", f.Format, strings.Join(Formats, ", "))
	}
	if f.Out == "-" && f.Format == "parquet" {
		return config.Refusef("parquet goes to a file; give --out")
	}
	if f.Ignore != "" {
		text, err := bounded.ReadFile(f.Ignore, bounded.Defaults())
		if err == nil {
			f.Options.Ignore, err = align.ReadIgnored(f.Ignore, text)
		}
		if err != nil {
			return config.Refusef("--ignore %s: %w", f.Ignore, err)
		}
	}
	if err := f.checkOut(); err != nil {
		return err
	}
	a := NewAlign()
	a.books, a.Out, a.Parallelism, a.Options, a.Use, a.Refuse = f.Books, f.Out, f.Parallelism, f.Options, f.Use, f.Refuse
	a.files, a.list = files.Options{}, f.listed()
	library := newBooks(a.files, f.Verbose)
	a.source = library.add
	var sorted sorting.Sorter
	defer sorted.Close()
	var missing []commonplace.Quote
	var err error
	if f.isList() {
		missing, err = f.findList(ctx, a, &sorted)
	} else {
		a.Derived = f.What
		documents := newReadings("document", f.Verbose)
		if err = findDocuments(ctx, a, library, &documents, &sorted); err == nil && !slices.Equal(f.Books, []string{f.What}) {
			documents.report(f.Report)
		}
	}
	if err != nil {
		return err
	}
	library.read.report(f.Report)
	if err := f.write(ctx, &sorted, missing); err != nil {
		return err
	}
	if n := len(missing); n > 0 && (f.Out != "-" || f.Format != "text") { // a page for people names them itself
		f.Report(fmt.Sprintf("not found: %s, such as %s: not in the books, or too short or common to be told from chance", commonplace.CountOf(n, "quotation"), missing[0].ID))
	}
	if f.Out != "-" {
		open := ""
		if f.Format == "html" {
			open = "; open it in a browser"
		}
		f.Report(f.Out + ": written" + open)
	}
	return nil
}

// checkOut refuses, before anything is read, a result that cannot be written, or that
// would take the place of what the user names. Files of folders are looked at when they
// are listed.
func (f Find) checkOut() error {
	if f.Out == "-" {
		return nil
	}
	if dir := filepath.Dir(f.Out); !isFolder(dir) || isFolder(f.Out) {
		return config.Refusef("--out is %s, must be a file in a folder that is there", f.Out)
	}
	if f.Ignore != "" {
		if err := keepsInputs(f.Out, "the file of --ignore", named(f.Ignore)); err != nil {
			return err
		}
	}
	if f.isList() {
		return keepsInputs(f.Out, "the list itself", named(f.What))
	}
	return nil
}

// isList says whether What is a list of quotations.
func (f Find) isList() bool {
	if f.As != "" {
		return f.As == AsQuotes
	}
	info, err := os.Stat(f.What)
	return f.What == "-" || err == nil && !info.IsDir()
}

// findList finds quotations in every book and puts them in the order of the list, best
// first within each. It returns those that no book has.
func (f Find) findList(ctx context.Context, a Align, sorted *sorting.Sorter) (missing []commonplace.Quote, err error) {
	quotes, err := f.readList(ctx, &a)
	if err != nil {
		return nil, err
	}
	at, found := map[string]int{}, map[string]bool{}
	for i, q := range quotes {
		at[q.ID] = i
	}
	err = a.each(ctx, quotes, func(in foundIn) error {
		if len(in.rows) == 0 {
			return nil
		}
		b := newBook(in.doc)
		for _, row := range in.rows {
			q := quotes[at[row.QuoteID]]
			found[q.ID] = true
			r := foundRow(row, b)
			r.QuoteText, r.QuoteAuthor, r.QuoteWork = q.Text, q.Author, q.Work
			r.Before, r.After = b.around(row.SourceBegin, row.SourceEnd)
			key := binary.BigEndian.AppendUint32(nil, uint32(at[q.ID]))
			key = binary.BigEndian.AppendUint64(key, math.MaxUint64-math.Float64bits(max(0, row.Score)))
			if err := add(sorted, key, r); err != nil {
				return err
			}
		}
		return nil
	})
	return slices.DeleteFunc(quotes, func(q commonplace.Quote) bool { return found[q.ID] }), err
}

// readList reads the list, and makes it the list of a.
func (f Find) readList(ctx context.Context, a *Align) ([]commonplace.Quote, error) {
	a.Quotes = f.What
	layout := ""
	quotes, err := a.readList(ctx, files.QuoteOptions{
		Columns: f.Columns,
		Layout:  func(s string) { layout += ", " + s },
		NameColumn: func(key, column string) string {
			return fmt.Sprintf("say which one is the %s with --columns %s=%s", key, key, column)
		},
	})
	if err != nil {
		return nil, err
	}
	if len(quotes) == 0 {
		return nil, config.Refusef("%s holds no quotation", listName(f.What))
	}
	f.Report(fmt.Sprintf("%s: %s%s", filepath.Base(listName(f.What)), commonplace.CountOf(len(quotes), "quotation"), layout))
	return quotes, nil
}

// findDocuments finds what documents quote, in the order of their texts.
func findDocuments(ctx context.Context, a Align, library *books, read *readings, sorted *sorting.Sorter) error {
	n := uint64(0)
	return a.each(ctx, nil, func(in foundIn) error {
		if in.origin != "" {
			read.add(in.doc, in.origin)
		}
		if len(in.rows) == 0 {
			return nil
		}
		derived := newBook(in.doc)
		for _, row := range in.rows {
			source, err := library.named(ctx, row.SourceID)
			if err != nil {
				return err
			}
			r := foundRow(row, source)
			r.DerivedTitle = derived.title
			r.Before, r.After = derived.around(row.DerivedBegin, row.DerivedEnd)
			n++
			if err := add(sorted, binary.BigEndian.AppendUint64(nil, n), r); err != nil {
				return err
			}
		}
		return nil
	})
}

// foundRow is an alignment with what is known of the book.
func foundRow(a commonplace.Alignment, b *book) Found {
	return Found{
		QuoteID: a.QuoteID, DerivedID: a.DerivedID, DerivedBegin: a.DerivedBegin, DerivedEnd: a.DerivedEnd, DerivedText: a.DerivedText,
		SourceID: a.SourceID, SourceTitle: b.title, SourceAuthor: b.author, Chapter: b.chapter(a.SourceBegin),
		SourceBegin: a.SourceBegin, SourceEnd: a.SourceEnd, SourceText: a.SourceText,
		Kind: a.Kind, Similarity: a.Similarity, Score: a.Score, Attributed: a.Attributed, Group: a.Group,
	}
}

func add(sorted *sorting.Sorter, key []byte, r Found) error {
	value, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return sorted.Add(key, value)
}

// each gives what was found, in order.
func each(sorted *sorting.Sorter, do func(Found) error) error {
	return sorted.Each(func(_, value []byte) error {
		var r Found
		if err := json.Unmarshal(value, &r); err != nil {
			return err
		}
		return do(r)
	})
}

// write publishes what was found.
func (f Find) write(ctx context.Context, sorted *sorting.Sorter, missing []commonplace.Quote) error {
	if f.Format == "parquet" {
		return f.writeParquet(ctx, sorted)
	}
	if f.Out == "-" && f.Color { // its words are printable already, and some are bold
		return writers[f.Format](f, os.Stdout, sorted, missing)
	}
	return publishFile(ctx, f.Out, func(w storage.Writer) error {
		return writers[f.Format](f, w, sorted, missing)
	})
}

// listed lists files and says what is odd about a folder, each folder once.
func (f Find) listed() func(context.Context, []string) (files.Listing, error) {
	said := map[string]bool{}
	return func(ctx context.Context, patterns []string) (files.Listing, error) {
		l, err := files.ListAll(ctx, patterns)
		if at := strings.Join(patterns, ", "); !said[at] {
			said[at] = true
			for _, note := range l.Notes() {
				f.Report(crawl.Printable(at) + ": " + note)
			}
		}
		return l, err
	}
}
