package quotes

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align"
	"github.com/commonplace/commonplace/pipelines/cache"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// What one index part gave for one shard of derived documents is kept, since the
// finds of a span compete over all parts and most parts are the same tomorrow.
// A file holds one line a document: its finds in that part, before the merge.

// byDerived is the order of the matches of a document.
func byDerived(a, b commonplace.Alignment) int {
	return cmp.Or(cmp.Compare(a.DerivedBegin, b.DerivedBegin), cmp.Compare(a.DerivedEnd, b.DerivedEnd), cmp.Compare(a.SourceID, b.SourceID), cmp.Compare(a.SourceBegin, b.SourceBegin))
}

// docFinds is such a line.
type docFinds struct {
	DocID string            `json:"doc_id"`
	Finds []align.Candidate `json:"finds"`
}

// findsPath is where the finds of a part in a shard of documents are kept.
func (c collection) findsPath(p part, shard int) string {
	return storage.Join(c.folder, "finds-"+storage.Key(p.key, c.shards[shard].SHA256, c.o, c.use, c.pairs, c.metadata))
}

// finds opens the finds of a part in a shard of documents. They are made if they
// are not there or damaged.
func (c collection) finds(ctx context.Context, p part, shard int) (*findsReader, error) {
	path := c.findsPath(p, shard)
	if err := cache.CheckLines(ctx, path); errors.Is(err, storage.ErrRefused) {
		return nil, err
	} else if err != nil {
		if err := c.find(ctx, p, shard, path); err != nil {
			return nil, err
		}
	}
	return openFinds(ctx, path)
}

// find looks for quotations of a part in a shard of documents.
func (c collection) find(ctx context.Context, p part, shard int, path string) error {
	opened, err := c.open(ctx, p)
	if err != nil {
		return err
	}
	defer opened.Close()
	sources, err := c.described(ctx, p)
	if err != nil {
		return err
	}
	return cache.WriteChecksummed(ctx, path, func(put func(any) error) error {
		for doc, err := range c.textOf(ctx, shard, Quoting) {
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				return err
			}
			line := docFinds{DocID: doc.ID}
			for _, a := range opened.Search(doc, c.use) {
				if c.paired(&a, sources[a.SourceID], &doc) {
					line.Finds = append(line.Finds, a)
				}
			}
			if err := put(line); err != nil {
				return err
			}
		}
		return nil
	})
}

// findsReader reads finds document by document.
type findsReader struct {
	file *os.File
	from *json.Decoder
}

func openFinds(ctx context.Context, path string) (*findsReader, error) {
	f, from, err := cache.OpenLines(ctx, path)
	if err != nil {
		return nil, err
	}
	return &findsReader{f, from}, nil
}

// of reads the finds of the next document, which must be the named one.
func (r *findsReader) of(docID string) ([]align.Candidate, error) {
	var line docFinds
	err := r.from.Decode(&line)
	if err == nil && line.DocID != docID {
		err = fmt.Errorf("document %q where %q should be", line.DocID, docID)
	}
	if err != nil {
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return nil, fmt.Errorf("%s is damaged: %w; delete it and run again", r.file.Name(), err)
	}
	return line.Finds, nil
}

// candidates reads what a collection's parts gave for the documents of a shard, one after the other.
type candidates struct {
	c       collection
	shard   int
	readers []*findsReader
}

func (f *candidates) close() {
	for _, r := range f.readers {
		r.file.Close()
	}
}

// next are the matches of the next document, which must be the named one.
func (f *candidates) next(ctx context.Context, docID string) ([]commonplace.Alignment, error) {
	for _, p := range f.c.parts()[len(f.readers):] { // all, when the first document asks
		r, err := f.c.finds(ctx, p, f.shard)
		if err != nil {
			return nil, err
		}
		f.readers = append(f.readers, r)
	}
	var all []align.Candidate
	for _, r := range f.readers {
		of, err := r.of(docID)
		if err != nil {
			return nil, err
		}
		all = append(all, of...)
	}
	return align.MergeSearch(all, f.c.use, f.c.o), nil
}

// eachMatch walks the documents of a shard that quote, with what they quote of all parts: and what
// they quote in other inflections, if that is asked for.
func (c collection) eachMatch(ctx context.Context, shard int, inflections *collection, do func(docID string, rows []commonplace.Alignment) error) error {
	exact := candidates{c: c, shard: shard}
	defer exact.close()
	var loose candidates
	defer func() { loose.close() }()
	if inflections != nil {
		loose = candidates{c: *inflections, shard: shard}
	}
	for doc, err := range table.Documents.Rows(ctx, c.path(shard), "doc_id", "role") {
		if err != nil {
			return err
		}
		if !Quoting(&doc) {
			continue
		}
		rows, err := exact.next(ctx, doc.ID)
		if err != nil {
			return err
		}
		if inflections != nil {
			more, err := loose.next(ctx, doc.ID)
			if err != nil {
				return err
			}
			if more = align.Inflected(more, rows); len(more) > 0 {
				rows = append(rows, more...)
				slices.SortFunc(rows, byDerived)
			}
		}
		if err := do(doc.ID, rows); err != nil {
			return err
		}
	}
	return nil
}
