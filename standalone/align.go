package standalone

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align"
	"github.com/commonplace/commonplace/crawl/files"
	"github.com/commonplace/commonplace/crawl/gutenberg"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/storage"
)

// Align says what the bare align command does.
type Align struct {
	Sources     string // folder, file or glob of what is quoted
	Quotes      string // list of quotations; or
	Derived     string // folder, file or glob of what quotes
	Out         string // JSONL file, or - for standard output
	Parallelism int    // files at once; 0 is all processors
	PartBytes   int64  // source text in one index part
	Use         string // what is looked for in Derived: documents or marked, as in [AlignConfig]
	Inflected   string // language whose words are also found in other inflections in Derived, one of [align.Inflections], or none
	Options     align.Options
	Refuse      func(commonplace.Reject)
	Report      func(string) // receives what was decided, in sentences

	books []string // of find, in place of Sources
	files files.Options
	list  func(context.Context, []string) (files.Listing, error)

	source func(doc commonplace.Document, origin string) // when set, receives each source as it is counted
}

// NewAlign holds the defaults: the aligner's own, parts of 256 MiB, and files as they are.
func NewAlign() Align {
	return Align{PartBytes: 256 << 20, Use: align.SearchDocuments, Options: align.Defaults(), files: files.Options{Bare: true}, list: files.List}
}

// Run finds the quotations and writes one JSON line each: those of a list best
// first within each quote, those of documents in order of the derived side.
func (a Align) Run(ctx context.Context) error {
	framed := 0
	a.source = func(doc commonplace.Document, _ string) {
		if doc.FrameStatus == files.StatusAsIs && gutenberg.Find(doc.Text).Status != gutenberg.None {
			framed++
		}
	}
	if err := a.write(ctx); err != nil {
		return err
	}
	if framed > 0 {
		a.Report(fmt.Sprintf("%s with Project Gutenberg's frame, which was searched too: files are taken as they are; commonplace find removes frames", commonplace.CountOf(framed, "source")))
	}
	return nil
}

// write finds the quotations and publishes them.
func (a Align) write(ctx context.Context) error {
	return writeLines(ctx, a.Out, func(yield func(any) error) (failure error) {
		if a.Quotes == "" {
			return a.each(ctx, nil, func(f foundIn) error {
				for _, find := range documentFinds(f.rows) {
					if err := yield(find); err != nil {
						return err
					}
				}
				return nil
			})
		}
		quotes, err := a.readList(ctx, files.QuoteOptions{NameColumn: func(key, column string) string {
			return fmt.Sprintf("call the one that is the %s so, or say which it is with commonplace find --columns %s=%s", key, key, column)
		}})
		if err != nil {
			return err
		}
		var sorted quoteFinds
		defer func() { failure = errors.Join(failure, sorted.Close()) }()
		if err := a.each(ctx, quotes, func(f foundIn) error {
			for _, r := range f.rows {
				if err := sorted.add(quoteFind{r.QuoteID, r.SourceID, r.SourceBegin, r.SourceEnd, r.Similarity, r.Score, r.Kind, r.Confidence, r.Attributed}); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			return err
		}
		return sorted.each(yield)
	})
}

// foundIn is what was found in one document: of a list's quotes in a source, or what a
// derived document quotes, in the order of its text.
type foundIn struct {
	doc    commonplace.Document
	origin string // where it lies; empty of one that could not be read
	rows   []commonplace.Alignment
}

// sources are the folders, files and globs of what is quoted.
func (a Align) sources() []string {
	if len(a.books) > 0 {
		return a.books
	}
	return []string{a.Sources}
}

// check refuses options that make no sense.
func (a Align) check() error {
	if err := a.Options.Validate(); err != nil {
		return config.Refusef("%w", err)
	}
	if !slices.Contains(align.Searches, a.Use) {
		return config.Refusef("--use is %q, must be documents or marked", a.Use)
	}
	if a.Inflected != "" && !slices.Contains(align.Inflections, a.Inflected) {
		return config.Refusef("--inflected is %q, must be one of %s", a.Inflected, strings.Join(align.Inflections, ", "))
	}
	return nil
}

// each finds the quotes in every source, in the order of the sources; without quotes
// what every derived document quotes, in the order of these.
func (a Align) each(ctx context.Context, quotes []commonplace.Quote, take func(foundIn) error) error {
	if err := a.check(); err != nil {
		return err
	}
	sources, err := listed(ctx, a.sources(), a.Out, a.list, a.Refuse)
	if err != nil {
		return err
	}
	var derived []files.File
	if a.Quotes == "" {
		if derived, err = listed(ctx, []string{a.Derived}, a.Out, a.list, a.Refuse); err != nil {
			return err
		}
	}
	stats, origins, err := a.count(ctx, sources)
	if err != nil {
		return err
	}
	if a.Quotes != "" {
		return a.findQuotes(ctx, quotes, sources, stats, take)
	}
	search, done, err := a.searchOf(ctx, derived, sources, stats, "")
	if err != nil {
		return err
	}
	defer done()
	inflected := func(commonplace.Document, func(commonplace.Alignment) bool) []commonplace.Alignment { return nil }
	if a.Inflected != "" {
		bare := align.NewStats(a.Options)
		for d := range documentsOf(ctx, sources, a.files) {
			if doc, reject := d.read(ctx); reject == nil { // others are reported by count
				bare.Count(align.Uninflected(doc, a.Inflected))
			}
		}
		if inflected, done, err = a.searchOf(ctx, derived, sources, bare, a.Inflected); err != nil {
			return err
		}
		defer done()
	}
	find := func(ctx context.Context, d document) (foundIn, error) {
		doc, reject := d.read(ctx)
		if reject != nil {
			a.Refuse(*reject)
			return foundIn{}, ctx.Err()
		}
		other := func(r commonplace.Alignment) bool { return origins[r.SourceID] != d.origin } // a document does not quote itself
		rows := search(doc, other)
		rows = append(rows, align.Inflected(inflected(doc, other), rows)...)
		slices.SortStableFunc(rows, func(x, y commonplace.Alignment) int {
			return cmp.Or(cmp.Compare(x.DerivedBegin, y.DerivedBegin), cmp.Compare(x.DerivedEnd, y.DerivedEnd))
		})
		return foundIn{doc, d.origin, rows}, nil
	}
	return inOrder(ctx, documentsOf(ctx, derived, a.files), a.Parallelism, find, take)
}

// count counts the collection, as the aligner's thresholds need it, and says where
// its documents lie, by their ids.
func (a Align) count(ctx context.Context, sources []files.File) (*align.Stats, map[string]string, error) {
	stats, origins := align.NewStats(a.Options), map[string]string{}
	type source struct {
		doc    commonplace.Document
		origin string
	}
	get := func(ctx context.Context, d document) (source, error) {
		doc, reject := d.read(ctx)
		if reject != nil {
			a.Refuse(*reject)
			return source{}, ctx.Err()
		}
		return source{doc, d.origin}, nil
	}
	err := inOrder(ctx, documentsOf(ctx, sources, a.files), a.Parallelism, get, func(s source) error {
		if s.origin != "" {
			stats.Count(s.doc)
			origins[s.doc.ID] = s.origin
			if a.source != nil {
				a.source(s.doc, s.origin)
			}
		}
		return nil
	})
	if err == nil && len(origins) == 0 {
		err = fmt.Errorf("%w: %s", ErrNoneRead, strings.Join(a.sources(), ", "))
	}
	return stats, origins, err
}

// readList reads the list, one that can be read once only through a copy; messages name
// what the user named.
func (a *Align) readList(ctx context.Context, opts files.QuoteOptions) ([]commonplace.Quote, error) {
	if err := keepsInputs(a.Out, "the list itself", named(a.Quotes)); err != nil {
		return nil, err
	}
	if !isStream(a.Quotes) {
		return a.readQuotes(ctx, opts)
	}
	dir, err := os.MkdirTemp("", "commonplace-list-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	shown := listName(a.Quotes)
	if a.Quotes, err = copyStream(a.Quotes, dir); err != nil {
		return nil, config.Refusef("the list %s: %w", shown, err)
	}
	refuse := a.Refuse
	a.Refuse = func(r commonplace.Reject) {
		r.Location = strings.Replace(r.Location, a.Quotes, shown, 1)
		refuse(r)
	}
	quotes, err := a.readQuotes(ctx, opts)
	if err != nil {
		return nil, storage.Renamed(err, a.Quotes, shown)
	}
	return quotes, nil
}

// listName is a list as messages call it.
func listName(path string) string {
	if isStandardInput(path) {
		return "standard input"
	}
	return path
}

// readQuotes reads the list. Of a list that is not there or breaks off nothing
// is taken: half of it would silently find half of the quotations.
func (a Align) readQuotes(ctx context.Context, opts files.QuoteOptions) ([]commonplace.Quote, error) {
	var quotes []commonplace.Quote
	for q, err := range files.ReadQuotes(ctx, a.Quotes, opts) {
		reject, other := commonplace.Refused(err)
		switch {
		case err == nil:
			quotes = append(quotes, q)
		case other != nil || files.BreaksOff(err):
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			return nil, config.Refusef("the list %s: %w", a.Quotes, err)
		default:
			a.Refuse(*reject)
		}
	}
	return quotes, ctx.Err()
}

func (a Align) findQuotes(ctx context.Context, quotes []commonplace.Quote, sources []files.File, stats *align.Stats, take func(foundIn) error) error {
	list, err := align.NewQuoteList(quotes, stats, a.Options)
	if err != nil {
		return err
	}
	if err := list.Learn(func(yield func(commonplace.Document, error) bool) {
		for d := range documentsOf(ctx, sources, a.files) {
			if doc, reject := d.read(ctx); reject == nil && !yield(doc, ctx.Err()) { // others are reported by count
				return
			}
		}
	}); err != nil {
		return err
	}
	find := func(ctx context.Context, d document) (foundIn, error) {
		doc, reject := d.read(ctx)
		if reject != nil {
			return foundIn{}, ctx.Err() // reported by count
		}
		return foundIn{doc, d.origin, list.Find(doc)}, nil
	}
	return inOrder(ctx, documentsOf(ctx, sources, a.files), a.Parallelism, find, take)
}

// searchOf indexes the sources, without the endings of a language's words if one is named, and
// searches them for what a document repeats of the sources that are wanted. done removes the index.
func (a Align) searchOf(ctx context.Context, derived, sources []files.File, stats *align.Stats, inflected string) (search func(commonplace.Document, func(commonplace.Alignment) bool) []commonplace.Alignment, done func(), err error) {
	dir, err := os.MkdirTemp("", "commonplace-index-")
	if err != nil {
		return nil, nil, err
	}
	a.Options.Apart = !slices.Equal(derived, sources) // ids are names of files: other folders may have the same
	a.Inflected = inflected
	if inflected != "" {
		a.Options.Ignore = a.Options.Ignore.Uninflected(inflected)
	}
	parts, err := a.buildParts(ctx, sources, stats, dir)
	done = func() {
		for _, p := range parts {
			p.Close()
		}
		os.RemoveAll(dir)
	}
	if err != nil {
		done()
		return nil, nil, err
	}
	return func(doc commonplace.Document, wanted func(commonplace.Alignment) bool) []commonplace.Alignment {
		var candidates []align.Candidate
		for _, p := range parts {
			for _, c := range p.Search(a.compared(doc), a.Use) {
				if wanted(c.Alignment) {
					candidates = append(candidates, c)
				}
			}
		}
		return align.MergeSearch(candidates, a.Use, a.Options)
	}, done, nil
}

// compared is a document as it is indexed and searched.
func (a Align) compared(doc commonplace.Document) commonplace.Document {
	if a.Inflected != "" {
		return align.Uninflected(doc, a.Inflected)
	}
	return doc
}

// buildParts writes and opens the index of the sources, one part for every
// PartBytes of text.
func (a Align) buildParts(ctx context.Context, sources []files.File, stats *align.Stats, dir string) ([]*align.Part, error) {
	var parts []*align.Part
	for len(sources) > 0 {
		n, size := 0, int64(0)
		for n < len(sources) && (n == 0 || size+sources[n].Size <= a.PartBytes) {
			size += sources[n].Size
			n++
		}
		path := filepath.Join(dir, fmt.Sprintf("part-%05d", len(parts)))
		if err := a.buildPart(ctx, path, sources[:n], stats); err != nil {
			return parts, err
		}
		p, err := align.OpenPart(path, stats, a.Options)
		if err != nil {
			return parts, err
		}
		parts = append(parts, p)
		sources = sources[n:]
	}
	return parts, nil
}

func (a Align) buildPart(ctx context.Context, path string, sources []files.File, stats *align.Stats) error {
	return storage.WriteWith(ctx, storage.Local, path, func(f storage.Writer) error {
		w := bufio.NewWriterSize(f, 1<<20)
		docs := func(yield func(commonplace.Document) bool) {
			for d := range documentsOf(ctx, sources, a.files) {
				if doc, reject := d.read(ctx); reject == nil && !yield(a.compared(doc)) {
					return
				}
			}
		}
		if _, err := align.BuildPart(filepath.Dir(path), w, docs, stats, a.Options); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		return w.Flush()
	})
}

// writeLines publishes a file of JSON lines.
func writeLines(ctx context.Context, path string, each func(yield func(any) error) error) error {
	return publishFile(ctx, path, func(f storage.Writer) error {
		w := bufio.NewWriterSize(f, 1<<20)
		e := json.NewEncoder(w)
		e.SetEscapeHTML(false)
		if err := each(e.Encode); err != nil {
			return err
		}
		return w.Flush()
	})
}
