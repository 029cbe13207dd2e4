package ingest

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/bounded"
	"github.com/commonplace/commonplace/crawl/files"
	"github.com/commonplace/commonplace/crawl/gutenberg"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/storage"
)

// gutenbergSource reads the books of a local mirror that the catalogue selects.
type gutenbergSource struct{ workers workers }

func (gutenbergSource) on(w workers) sourceReader { return gutenbergSource{w} }

func (gutenbergSource) listPart(ctx context.Context, p listedPart, put func(row any) error) error {
	return putFiles(ctx, p, put)
}

// book is where a book is, and what the catalogue says of it.
type book struct {
	Place    place  `json:"place"`
	Title    string `json:"title,omitempty"`
	Author   string `json:"author,omitempty"`
	Language string `json:"language,omitempty"`
}

func (g gutenbergSource) list(ctx context.Context, s config.Source, take func(item)) (notes []string, err error) {
	wanted := gutenberg.Selection{IDs: s.Gutenberg.IDs}.Number
	entries := map[int64]gutenberg.Entry{}
	if s.Gutenberg.Catalog != "" {
		if err := readCatalog(ctx, s, entries, take); err != nil {
			return nil, err
		}
		wanted = func(n int64) bool { _, ok := entries[n]; return ok }
	}
	there := map[int64]bool{}
	var chosen []files.File
	archives := 0 // numbers below those of files
	for _, root := range s.Files {
		if (files.File{Path: root}).IsTar() {
			archive, err := files.ListAll(ctx, []string{root})
			if err != nil {
				return nil, fmt.Errorf("files: %w", err)
			}
			for _, f := range archive.Files {
				archives--
				if err := listArchive(ctx, f, archives, optionsOf(s), func(n int64) bool { return !there[n] && wanted(n) }, there, bookItems(entries, take)); err != nil {
					return nil, fmt.Errorf("files: %w", err)
				}
			}
			continue
		}
		found, err := files.ListMirror(ctx, root, wanted)
		if err != nil {
			return nil, fmt.Errorf("files: %w", err)
		}
		for _, f := range found {
			if !there[f.EBook] { // the first root that has it
				there[f.EBook] = true
				chosen = append(chosen, f)
			}
		}
	}
	for _, n := range s.Gutenberg.IDs {
		if !there[n] {
			detail := "the mirror has no text of this number"
			if _, known := entries[n]; s.Gutenberg.Catalog != "" && !known {
				detail = "the catalogue has no text of this number that fits the other conditions"
			}
			take(refusedItem(commonplace.Reject{ID: strconv.FormatInt(n, 10), Reason: "not there", Detail: detail}, "ids"))
		}
	}
	if n := len(entries) - len(there); n > 0 && len(s.Gutenberg.IDs) == 0 {
		notes = append(notes, fmt.Sprintf("%d of the %d eBooks that the catalogue selects are not in the mirror", n, len(entries)))
	}
	return notes, listFilesOn(ctx, g.workers, s, chosen, bookItems(entries, take))
}

// bookItems makes items of books out of those of files: the catalogue's entry
// decides rows, too. Of an archive's texts the one is taken that bears the
// archive's name, under the eBook's number.
func bookItems(entries map[int64]gutenberg.Entry, take func(item)) func(item) {
	return func(it item) {
		if it.Reject != nil {
			take(it)
			return
		}
		at, err := it.place()
		if err != nil { // it is read as it is, and the reader says so
			take(it)
			return
		}
		b := book{Place: at}
		f := b.Place.File
		number := strconv.FormatInt(f.EBook, 10)
		if name := b.Place.Entry.Name; it.ID.String() != number && strings.TrimSuffix(path.Base(name), ".txt") != strings.TrimSuffix(filepath.Base(f.Path), ".zip") {
			return // a readme or a picture's caption beside the book
		}
		b.Place.Entry.ID = number
		it = newItem(number, it)
		if e, ok := entries[f.EBook]; ok {
			b.Title, b.Author, b.Language = e.Title, strings.Join(e.Authors, "; "), strings.Join(e.Languages, "; ")
			it.SHA256 += string(storage.MustJSON([]string{b.Title, b.Author, b.Language}))
		}
		it.At = storage.MustJSON(b)
		take(it)
	}
}

// readCatalog keeps the entries that are wanted. Broken rows are rejects.
func readCatalog(ctx context.Context, s config.Source, entries map[int64]gutenberg.Entry, take func(item)) error {
	selection := s.Gutenberg.Selection()
	return readPacked(ctx, s.Gutenberg.Catalog, s.Limits, func(r io.Reader) error {
		name := filepath.Base(s.Gutenberg.Catalog)
		refused, budget := engine.NewRejectLimit(s.Limits), bounded.Budget{Most: s.Limits.WithDefaults().Memory}
		defer restOf(refused, name, take)
		for e, err := range gutenberg.ReadCatalog(ctx, r, name, s.Limits) {
			reject, err := commonplace.Refused(err)
			switch {
			case err != nil:
				return fmt.Errorf("gutenberg.catalog: %s: %w", s.Gutenberg.Catalog, err)
			case reject != nil && !refused.Add(reject.Reason):
			case reject != nil:
				take(refusedItem(*reject, reject.Location))
			case selection.Wants(e):
				if err := budget.Hold(e.Size()); err != nil {
					return fmt.Errorf("gutenberg.catalog: %s: %w", s.Gutenberg.Catalog, err)
				}
				entries[e.EBook] = e
			}
		}
		if len(entries) == 0 && ctx.Err() == nil {
			return fmt.Errorf("gutenberg.catalog: %s: no text in it fits", s.Gutenberg.Catalog)
		}
		return ctx.Err()
	})
}

// readPacked reads a file, plain or gzip.
func readPacked(ctx context.Context, path string, l bounded.Limits, read func(io.Reader) error) error {
	f, err := storage.OpenInput(ctx, path)
	if err != nil {
		return err
	}
	defer f.Close()
	r, err := bounded.NewReader(f, path, f.Size, l)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return read(bufio.NewReaderSize(r, 1<<16))
}

func (gutenbergSource) open(s config.Source, items []item) reader {
	inFiles := make([]item, len(items))
	for i, it := range items {
		if b, err := it.book(); err == nil { // else read says so
			inFiles[i] = item{At: storage.MustJSON(b.Place)}
		}
	}
	return bookReader{newFilesReader(optionsOf(s), inFiles)}
}

func (it item) book() (b book, err error) {
	return b, json.Unmarshal(it.At, &b)
}

// bookReader fills what a file does not say of its book from the catalogue.
type bookReader struct{ files *filesReader }

func (r bookReader) read(ctx context.Context, it item) (commonplace.Document, error) {
	b, err := it.book()
	if err != nil {
		return commonplace.Document{}, err
	}
	doc, err := r.files.readPlace(ctx, it, b.Place)
	if err == nil {
		doc.Title, doc.Author, doc.Language = cmp.Or(doc.Title, b.Title), cmp.Or(doc.Author, b.Author), cmp.Or(doc.Language, b.Language)
	}
	return doc, err
}

func (r bookReader) close() error { return r.files.close() }
