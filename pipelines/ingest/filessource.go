package ingest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/bounded"
	"github.com/commonplace/commonplace/crawl"
	"github.com/commonplace/commonplace/crawl/files"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// filesSource reads folders, files and globs, and what they contain.
type filesSource struct{ workers workers }

func (filesSource) on(w workers) sourceReader { return filesSource{w} }

func (filesSource) listPart(ctx context.Context, p listedPart, put func(row any) error) error {
	return putFiles(ctx, p, put)
}

// place is where a document of a file is.
type place struct {
	File  files.File  `json:"file"`
	Entry files.Entry `json:"entry"`
}

func (f filesSource) list(ctx context.Context, s config.Source, take func(item)) ([]string, error) {
	metadata, err := metadataOf(ctx, s)
	if err != nil {
		return nil, fmt.Errorf("metadata: %w", err)
	}
	takeAll, named := take, map[string]bool{}
	take = func(it item) {
		it.Said = metadata[it.ID.String()]
		it.SaidOf = func(id string) files.Metadata { named[id] = true; return metadata[id] }
		named[it.ID.String()] = true
		takeAll(it)
	}
	l, err := files.ListAll(ctx, s.Files)
	if err != nil {
		return nil, fmt.Errorf("files: %w", err)
	}
	for _, t := range l.Duplicates {
		take(newItem(t.File.ID, item{Rel: t.File.Rel, SHA256: HashFile(ctx, t.File.Path), Duplicate: s.Name + ": " + t.First.Rel}))
	}
	if err := listFilesOn(ctx, f.workers, s, l.Files, take); err != nil {
		return nil, err
	}
	return append(l.Notes(), unread(metadata, named)...), nil
}

// metadataOf is what the source's files say of documents, by id.
func metadataOf(ctx context.Context, s config.Source) (map[string]files.Metadata, error) {
	metadata := map[string]files.Metadata{}
	for _, path := range s.Metadata {
		if err := files.ReadMetadata(ctx, path, s.Columns, s.Limits, metadata); err != nil {
			return nil, err
		}
	}
	return metadata, nil
}

// unread reports metadata that no document has the id of.
func unread(metadata map[string]files.Metadata, named map[string]bool) []string {
	var without []string
	for id := range metadata {
		if !named[id] {
			without = append(without, id)
		}
	}
	if len(without) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("metadata names %d documents that are not there, such as %s", len(without), slices.Min(without))}
}

// optionsOf are how the source's files are read.
func optionsOf(s config.Source) files.Options {
	return files.Options{Source: s.Name, Frame: s.Frame, MaxBytes: s.MaxBytes, Limits: s.Limits}
}

// So many files are listed at once, and of each so many items wait for their turn.
const (
	listedFiles = 4
	listedItems = 256
)

// listFiles names the documents of files, several files at once, in their order.
func listFiles(ctx context.Context, list []files.File, opts files.Options, take func(item)) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	type listed struct {
		items chan []item
		err   error // when the items have ended
	}
	queue := make(chan *listed, listedFiles-2) // with the one that is taken from, and the one that waits
	go func() {
		defer close(queue)
		for i, f := range list {
			l := &listed{items: make(chan []item)}
			select {
			case queue <- l:
			case <-ctx.Done():
				return
			}
			go func() {
				defer close(l.items)
				var batch []item
				send := func() {
					select {
					case l.items <- batch:
					case <-ctx.Done():
					}
					batch = nil
				}
				l.err = listFile(ctx, f, opts, func(it item) {
					it.File = i + 1
					if batch = append(batch, it); len(batch) == listedItems {
						send()
					}
				})
				send()
			}()
		}
	}()
	for l := range queue {
		for items := range l.items {
			for _, it := range items {
				take(it)
			}
		}
		if l.err != nil {
			return l.err
		}
	}
	return ctx.Err()
}

// listFile names the documents of one file.
func listFile(ctx context.Context, f files.File, opts files.Options, take func(item)) error {
	at := f // in a bucket, if it is there
	name, done, err := storage.OnDisk(ctx, f.Path)
	if err != nil {
		return err
	}
	defer done()
	f.Path = name
	was, _ := os.Stat(f.Path)
	whole := HashFile(ctx, f.Path) // empty when it cannot be read: its task says why
	refused := engine.NewRejectLimit(opts.Limits)
	var failed error
	put := func(e files.Entry, err error) bool {
		if err == nil {
			hash := e.SHA256
			if hash == "" {
				hash = whole
			}
			take(newItem(e.ID, item{Rel: f.Rel + e.Where(), SHA256: hash, At: storage.MustJSON(place{at, e})}))
			return true
		}
		reject, other := commonplace.Refused(err)
		if other != nil {
			failed = other
			return false
		}
		breaks := files.BreaksOff(err)
		if breaks {
			refused = engine.NewRejectLimit(opts.Limits) // nothing is taken of the file, also no reject
		} else if !refused.Add(reject.Reason) {
			return true
		}
		at := files.Located(*reject)
		it := refusedItem(*reject, f.Rel+strings.TrimPrefix(at, f.Path))
		it.SHA256 += whole
		if it.Breaks = breaks; breaks || at == f.Path {
			it.Whole = f.Rel
		}
		take(it)
		return !breaks
	}
	if f.IsTable() {
		listTable(ctx, f, opts.Limits, put)
	} else {
		for e, err := range files.Entries(ctx, f, opts) {
			if !put(e, err) {
				break
			}
		}
	}
	restOf(refused, f.Rel, func(it item) {
		it.SHA256 += whole
		take(it)
	})
	if is, err := os.Stat(f.Path); was != nil && (err != nil || !os.SameFile(was, is) || !was.ModTime().Equal(is.ModTime())) {
		take(item{Changed: true})
	}
	return errors.Join(failed, ctx.Err())
}

// HashFile is the SHA-256 of a file's bytes, empty when it cannot be read.
func HashFile(ctx context.Context, path string) string {
	sum, err := storage.SumOf(ctx, path)
	if err != nil {
		return ""
	}
	return sum
}

// listTable names the rows of a Parquet table of documents: line is the row, from 1.
func listTable(ctx context.Context, f files.File, l bounded.Limits, put func(files.Entry, error) bool) {
	r, err := table.OpenDocuments(ctx, f.Path, true, l)
	if err != nil {
		put(files.Entry{}, tableReject(f, err))
		return
	}
	defer r.Close()
	row := 0
	for doc, err := range r.Rows() {
		if err != nil {
			put(files.Entry{}, tableReject(f, err))
			return
		}
		row++
		e := files.Entry{ID: doc.ID, Line: row}
		if !put(e, files.CheckID(doc.ID, f.Path+e.Where())) {
			return
		}
	}
	if row == 0 {
		put(files.Entry{}, &commonplace.RejectError{Reject: commonplace.Reject{ID: crawl.Printable(f.ID), Reason: files.ReasonEmpty, Detail: "the table has no row", Location: f.Path}})
	}
}

// reasonTable is the reason for a Parquet table that cannot be read.
const reasonTable = "broken parquet"

func tableReject(f files.File, err error) error {
	if storage.Starved(err) {
		return storage.Wrap("read", f.Path, err)
	}
	reason := reasonTable
	var over *bounded.Error
	switch {
	case errors.As(err, &over):
		reason = files.ReasonFileLimit
	case errors.Is(err, table.ErrColumn):
		reason = "wrong columns"
	}
	return &commonplace.RejectError{Reject: commonplace.Reject{ID: crawl.Printable(f.ID), Reason: reason, Detail: strings.ReplaceAll(strings.ToValidUTF8(err.Error(), "\uFFFD"), f.Path, f.Rel), Location: f.Path}}
}

func (filesSource) open(s config.Source, items []item) reader {
	return newFilesReader(optionsOf(s), items)
}
