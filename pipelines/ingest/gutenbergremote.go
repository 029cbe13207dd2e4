package ingest

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/commonplace/commonplace/crawl"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/bounded"
	"github.com/commonplace/commonplace/crawl/archive"
	"github.com/commonplace/commonplace/crawl/files"
	"github.com/commonplace/commonplace/crawl/gutenberg"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/storage"
)

// gutenbergRemote fetches the books that the catalogue selects from mirrors.
type gutenbergRemote struct{}

// catalogBytes is ten times the catalogue, unpacked. All of an answer is in memory, several
// times while it is kept.
const catalogBytes = 256 << 20

// catalogTarget is the catalogue feed, from wherever it is to be had.
func catalogTarget(s config.Source) archive.Target {
	w := archive.Target{ID: "catalogue of " + s.Name, Form: archive.FormAny, MaxBytes: catalogBytes}
	if s.Fetch.Catalog != "" {
		w.Addresses = addresses(s.Fetch.Catalog)
		return w
	}
	for _, m := range s.Fetch.Mirrors {
		w.Addresses = append(w.Addresses, addresses(gutenberg.Address(m, gutenberg.CatalogPath))...)
	}
	return w
}

// catalogOf is the catalogue's rows, from a file or from the archive; nil when
// it is not fetched yet.
func catalogOf(a *archive.Archive, s config.Source) (io.ReadCloser, string, error) {
	if s.Gutenberg.Catalog != "" {
		return nil, s.Gutenberg.Catalog, nil
	}
	o := a.Best(catalogTarget(s))
	if o.Reason == archive.ReasonNotFetched {
		return nil, "", nil
	}
	if !o.Found {
		return nil, "", fmt.Errorf("fetch: no catalogue is to be had: %s: %s", o.Reason, o.Detail)
	}
	m, err := a.Answer(o.Entry, catalogBytes)
	if err != nil {
		return nil, "", fmt.Errorf("fetch: the catalogue: %w", err)
	}
	r := io.ReadCloser(io.NopCloser(bytes.NewReader(m.Body)))
	if bytes.HasPrefix(m.Body, []byte("\x1f\x8b")) {
		z, err := bounded.NewReader(bytes.NewReader(m.Body), ".gz", int64(len(m.Body)), s.Limits)
		if err != nil {
			return nil, "", fmt.Errorf("fetch: the catalogue %s: %w", o.Entry.URL, err)
		}
		r = z
	}
	return r, o.Entry.URL.String(), nil
}

func (gutenbergRemote) plan(ctx context.Context, a *archive.Archive, s config.Source) (planned, error) {
	var p planned
	entries := map[int64]gutenberg.Entry{}
	var order []int64
	take := func(e gutenberg.Entry) {
		entries[e.EBook] = e
		order = append(order, e.EBook)
	}
	if s.Gutenberg.ByNumber() {
		for _, n := range slices.Compact(slices.Sorted(slices.Values(s.Gutenberg.IDs))) {
			p.documents = append(p.documents, pendingBook(s, gutenberg.Entry{EBook: n}, gutenberg.HeadedAddresses))
		}
		return p, nil
	}
	if s.Gutenberg.Catalog == "" {
		p.needs = []archive.Target{catalogTarget(s)}
	}
	r, name, err := catalogOf(a, s)
	switch {
	case err != nil:
		return p, err
	case name == "":
		p.waiting = true
		return p, nil
	case r == nil:
		err = readPacked(ctx, name, s.Limits, func(r io.Reader) error { return selectBooks(ctx, r, s, &p, take) })
	default:
		err = selectBooks(ctx, bufio.NewReader(r), s, &p, take)
	}
	if err != nil {
		return p, err
	}
	for _, n := range s.Gutenberg.IDs {
		if _, known := entries[n]; !known {
			p.refused = append(p.refused, refusedItem(commonplace.Reject{ID: strconv.FormatInt(n, 10), Reason: "not there", Detail: "the catalogue has no text of this number that fits the other conditions"}, "ids"))
		}
	}
	for _, n := range order {
		p.documents = append(p.documents, pendingBook(s, entries[n], gutenberg.Addresses))
	}
	return p, nil
}

// pendingBook is an eBook to be, from the first of its addresses that has it.
func pendingBook(s config.Source, e gutenberg.Entry, at func(mirror string, ebook int64) []string) pendingDocument {
	w := archive.Target{ID: strconv.FormatInt(e.EBook, 10), Form: archive.FormText, MaxBytes: s.MaxBytes}
	for _, m := range s.Fetch.Mirrors {
		w.Addresses = append(w.Addresses, addresses(at(m, e.EBook)...)...)
	}
	b := book{Title: e.Title, Author: strings.Join(e.Authors, "; "), Language: strings.Join(e.Languages, "; ")}
	b.Place.File.EBook = e.EBook
	return pendingDocument{ID: w.ID, Targets: []archive.Target{w}, Meta: storage.MustJSON(b)}
}

// addressBytes is about what the addresses of a book at one mirror take in memory.
const addressBytes = 5 * 128

// selectBooks takes the catalogue's entries that are wanted; broken rows are refused.
func selectBooks(ctx context.Context, r io.Reader, s config.Source, p *planned, take func(gutenberg.Entry)) error {
	selection := s.Gutenberg.Selection()
	n := 0
	refused, budget := engine.NewRejectLimit(s.Limits), bounded.Budget{Most: s.Limits.WithDefaults().Memory}
	defer restOf(refused, "catalogue", func(it item) { p.refused = append(p.refused, it) })
	for e, err := range gutenberg.ReadCatalog(ctx, r, "catalogue", s.Limits) {
		reject, err := commonplace.Refused(err)
		switch {
		case err != nil:
			return err
		case reject != nil && !refused.Add(reject.Reason):
		case reject != nil:
			p.refused = append(p.refused, refusedItem(*reject, reject.Location))
		case selection.Wants(e):
			if err := budget.Hold(e.Size() + ItemBytes + addressBytes*int64(len(s.Fetch.Mirrors))); err != nil {
				return err
			}
			n++
			take(e)
		}
	}
	if n == 0 && ctx.Err() == nil {
		return fmt.Errorf("the catalogue: no text in it fits")
	}
	return ctx.Err()
}

func (gutenbergRemote) decode(_ context.Context, s config.Source, p pendingDocument, bodies [][]byte) (commonplace.Document, error) {
	var b book
	if err := json.Unmarshal(p.Meta, &b); err != nil {
		return commonplace.Document{}, err
	}
	url := p.Entries[0].URL.String()
	doc, err := files.Decode(files.File{ID: p.ID, Rel: url, EBook: b.Place.File.EBook, Encoding: gutenberg.AddressEncoding(url)}, bodies[0], optionsOf(s))
	if err == nil {
		doc.Title, doc.Author, doc.Language = cmp.Or(doc.Title, b.Title), cmp.Or(doc.Author, b.Author), cmp.Or(doc.Language, b.Language)
	}
	return doc, err
}

// addresses are made of a root that [isAddress], and a path of ours below it; one
// that is too long then is left out.
func addresses(texts ...string) (all []crawl.Address) {
	for _, text := range texts {
		if address, err := crawl.ParseAddress(text); err == nil {
			all = append(all, address)
		}
	}
	return all
}
