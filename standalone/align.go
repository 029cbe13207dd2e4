package standalone

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align"
	"github.com/commonplace/commonplace/crawl/files"
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
	Options     align.Options
	Refuse      func(commonplace.Reject)
}

// NewAlign holds the defaults: the aligner's own, and parts of 256 MiB.
func NewAlign() Align {
	return Align{PartBytes: 256 << 20, Use: align.SearchDocuments, Options: align.Defaults()}
}

// Run finds the quotations and writes one JSON line each: those of a list best
// first within each quote, those of documents in order of the derived side.
func (a Align) Run(ctx context.Context) error {
	if err := a.Options.Validate(); err != nil {
		return fmt.Errorf("%w: %w", config.ErrInvalid, err)
	}
	if !slices.Contains(align.Searches, a.Use) {
		return fmt.Errorf("%w: --use is %q, must be documents or marked", config.ErrInvalid, a.Use)
	}
	var quotes []commonplace.Quote
	if a.Quotes != "" {
		var err error
		if quotes, err = a.readQuotes(ctx); err != nil {
			return err
		}
	}
	sources, err := listFiles(ctx, a.Sources, a.Refuse)
	if err != nil {
		return err
	}
	var derived []files.File
	if a.Derived != "" {
		if derived, err = listFiles(ctx, a.Derived, a.Refuse); err != nil {
			return err
		}
	}
	stats, err := a.count(ctx, sources)
	if err != nil {
		return err
	}
	if a.Quotes != "" {
		return a.findQuotes(ctx, quotes, sources, stats)
	}
	return a.findDerived(ctx, derived, sources, stats)
}

// count counts the collection, as the aligner's thresholds need it.
func (a Align) count(ctx context.Context, sources []files.File) (*align.Stats, error) {
	stats := align.NewStats(a.Options)
	read := func(ctx context.Context, f files.File) (*commonplace.Document, error) {
		doc, reject := readFile(ctx, f)
		if reject != nil {
			a.Refuse(*reject)
			return nil, ctx.Err()
		}
		return &doc, nil
	}
	err := inOrder(ctx, sources, a.Parallelism, read, func(doc *commonplace.Document) error {
		if doc != nil {
			stats.Count(*doc)
		}
		return nil
	})
	return stats, err
}

// readQuotes reads the list. Of a list that is not there or breaks off nothing
// is taken: half of it would silently find half of the quotations.
func (a Align) readQuotes(ctx context.Context) ([]commonplace.Quote, error) {
	var quotes []commonplace.Quote
	for q, err := range files.ReadQuotes(ctx, a.Quotes, files.QuoteOptions{}) {
		reject, other := commonplace.Refused(err)
		switch {
		case err == nil:
			quotes = append(quotes, q)
		case other != nil || files.BreaksOff(err):
			return nil, fmt.Errorf("%w: --quotes %s: %w", config.ErrInvalid, a.Quotes, err)
		default:
			a.Refuse(*reject)
		}
	}
	return quotes, ctx.Err()
}

func (a Align) findQuotes(ctx context.Context, quotes []commonplace.Quote, sources []files.File, stats *align.Stats) error {
	list, err := align.NewQuoteList(quotes, stats, a.Options)
	if err != nil {
		return err
	}
	find := func(ctx context.Context, f files.File) ([]quoteFind, error) {
		doc, reject := readFile(ctx, f)
		if reject != nil {
			return nil, ctx.Err() // said by count
		}
		var rows []quoteFind
		for _, r := range list.Find(doc) {
			rows = append(rows, quoteFind{r.QuoteID, r.SourceID, r.SourceBegin, r.SourceEnd, r.Similarity, r.Score, r.Kind})
		}
		return rows, nil
	}
	var all []quoteFind
	if err := inOrder(ctx, sources, a.Parallelism, find, func(rows []quoteFind) error {
		all = append(all, rows...)
		return nil
	}); err != nil {
		return err
	}
	slices.SortStableFunc(all, func(x, y quoteFind) int {
		return cmp.Or(cmp.Compare(x.QuoteID, y.QuoteID), cmp.Compare(y.Score, x.Score), cmp.Compare(y.Similarity, x.Similarity))
	})
	return writeLines(ctx, a.Out, func(yield func(any) error) error {
		for _, row := range all {
			if err := yield(row); err != nil {
				return err
			}
		}
		return nil
	})
}

func (a Align) findDerived(ctx context.Context, derived, sources []files.File, stats *align.Stats) error {
	path := make(map[string]string, len(sources)) // of the sources, by id
	for _, s := range sources {
		path[s.ID] = s.Path
	}
	dir, err := os.MkdirTemp("", "commonplace-index-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	parts, err := a.buildParts(ctx, sources, stats, dir)
	if err != nil {
		return err
	}
	defer func() {
		for _, p := range parts {
			p.Close()
		}
	}()
	find := func(ctx context.Context, f files.File) ([]commonplace.Alignment, error) {
		doc, reject := readFile(ctx, f)
		if reject != nil {
			a.Refuse(*reject)
			return nil, ctx.Err()
		}
		var candidates []align.Candidate
		for _, p := range parts {
			for _, c := range p.Search(doc, a.Use) {
				if path[c.SourceID] != f.Path { // a file does not quote itself
					candidates = append(candidates, c)
				}
			}
		}
		return align.MergeSearch(candidates, a.Use, a.Options), nil
	}
	return writeLines(ctx, a.Out, func(yield func(any) error) error {
		return inOrder(ctx, derived, a.Parallelism, find, func(rows []commonplace.Alignment) error {
			slices.SortStableFunc(rows, func(x, y commonplace.Alignment) int {
				return cmp.Or(cmp.Compare(x.DerivedBegin, y.DerivedBegin), cmp.Compare(x.DerivedEnd, y.DerivedEnd))
			})
			for _, find := range documentFinds(rows) {
				if err := yield(find); err != nil {
					return err
				}
			}
			return nil
		})
	})
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
			return nil, err
		}
		p, err := align.OpenPart(path, stats, a.Options)
		if err != nil {
			return nil, err
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
			for _, s := range sources {
				doc, reject := readFile(ctx, s)
				if reject == nil && !yield(doc) {
					return
				}
			}
		}
		if _, err := align.BuildPart(w, docs, stats, a.Options); err != nil {
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
