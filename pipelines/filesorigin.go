package pipelines

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/bounded"
	"github.com/commonplace/commonplace/crawl/files"
	"github.com/commonplace/commonplace/table"
)

// filesOrigin reads folders, files and globs, and what they contain.
type filesOrigin struct{}

// place is where a document of a file lies.
type place struct {
	File  files.File  `json:"file"`
	Entry files.Entry `json:"entry"`
}

func (filesOrigin) check(*Config, string, Source) error { return nil }

func (filesOrigin) list(ctx context.Context, s Source, take func(item)) ([]string, error) {
	local, in, err := shadow(s.Files)
	if err != nil {
		return nil, fmt.Errorf("files: %w", err)
	}
	defer in.remove()
	l, err := files.ListAll(local)
	if err != nil {
		return nil, fmt.Errorf("files: %w", in.told(err))
	}
	for _, r := range l.Rejects { // twins; a path of this machine has no place in a row
		first := below(strings.TrimSuffix(r.Detail, " has this id already"), r.ID)
		take(item{ID: r.ID, Rel: below(r.Location, r.ID), SHA256: hashFile(in.back(r.Location)), Twin: s.Name + ": " + first})
	}
	for i := range l.Files {
		l.Files[i].Path = in.back(l.Files[i].Path)
	}
	if err := listFiles(ctx, l.Files, s.options(), take); err != nil {
		return nil, err
	}
	return passedOver(l.Skipped), nil
}

// passedOver tells of files that are no texts by their names.
func passedOver(skipped []string) []string {
	if len(skipped) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("passed over %d that are no texts by their names, such as %s", len(skipped), filepath.Base(skipped[0]))}
}

// below is the part of a path that gave a file its id.
func below(path, id string) string {
	for _, ext := range []string{".txt.gz", ".txt", ".gz", ""} {
		if strings.HasSuffix(filepath.ToSlash(path), "/"+id+ext) {
			return id + ext
		}
	}
	return filepath.Base(path)
}

// options are how the source's files are read.
func (s Source) options() files.Options {
	return files.Options{Source: s.Name, Frame: s.Frame, MaxBytes: s.MaxBytes, Limits: s.Limits}
}

// listFiles names the documents of files, several files at once.
func listFiles(ctx context.Context, list []files.File, opts files.Options, take func(item)) error {
	found := make([][]item, len(list))
	var g errgroup.Group
	g.SetLimit(4)
	for i, f := range list {
		g.Go(func() (err error) {
			found[i], err = listFile(ctx, f, opts)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	for _, items := range found {
		for _, it := range items {
			take(it)
		}
	}
	return nil
}

// listFile names the documents of one file.
func listFile(ctx context.Context, f files.File, opts files.Options) (items []item, err error) {
	at := f // in a bucket, if it lies there
	name, done, err := onDisk(f.Path)
	if err != nil {
		return nil, err
	}
	defer done()
	f.Path = name
	whole := hashFile(f.Path) // empty when it cannot be read: its task says why
	refused := newRefusals(opts.Limits)
	budget := bounded.Budget{Most: opts.Limits.WithDefaults().Memory}
	ids := map[string]bool{}
	put := func(e files.Entry, reject *commonplace.Reject) bool {
		if reject == nil && ids[e.ID] && !refused.told(files.ReasonDuplicate) {
			return true
		}
		if reject == nil {
			ids[e.ID] = true
			if err := budget.Hold(int64(3*len(e.ID)+len(e.Name)) + heldItem); err != nil {
				reject = &commonplace.Reject{Reason: files.ReasonFileLimit, Detail: err.Error(), Location: f.Path}
			}
		} else if !files.BreaksOff(reject) && !refused.told(reject.Reason) {
			return true
		}
		if reject != nil {
			if files.BreaksOff(reject) {
				items, refused = nil, newRefusals(opts.Limits)
			}
			it := refusedItem(*reject, f.Rel+strings.TrimPrefix(reject.Location, f.Path))
			it.SHA256 += whole
			items = append(items, it)
			return !files.BreaksOff(reject)
		}
		hash := e.SHA256
		if hash == "" {
			hash = whole
		}
		items = append(items, item{ID: e.ID, Rel: f.Rel + e.Where(), SHA256: hash, At: mustJSON(place{at, e})})
		return true
	}
	if f.IsTable() {
		listTable(f, opts.Limits, put)
	} else {
		for e, reject := range files.Entries(ctx, f, opts) {
			if !put(e, reject) {
				break
			}
		}
	}
	refused.items(f.Rel, func(it item) {
		it.SHA256 += whole
		items = append(items, it)
	})
	return items, ctx.Err()
}

// hashFile is the SHA-256 of a file's bytes, empty when it cannot be read.
func hashFile(path string) string {
	sum, err := sumOf(path)
	if err != nil {
		return ""
	}
	return sum
}

// listTable names the rows of a Parquet table of documents: line is the row, from 1.
func listTable(f files.File, l bounded.Limits, put func(files.Entry, *commonplace.Reject) bool) {
	r, err := table.OpenDocuments(f.Path, true, l)
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
		put(files.Entry{}, &commonplace.Reject{ID: f.ID, Reason: files.ReasonEmpty, Detail: "the table has no row", Location: f.Path})
	}
}

func tableReject(f files.File, err error) *commonplace.Reject {
	reason := "broken parquet"
	var over *bounded.Error
	switch {
	case errors.As(err, &over):
		reason = files.ReasonFileLimit
	case errors.Is(err, table.ErrColumn):
		reason = "wrong columns"
	}
	return &commonplace.Reject{ID: f.ID, Reason: reason, Detail: strings.ReplaceAll(strings.ToValidUTF8(err.Error(), "\uFFFD"), f.Path, f.Rel), Location: f.Path}
}

func (filesOrigin) open(s Source, items []item) reader {
	return newFilesReader(s.options(), items)
}
