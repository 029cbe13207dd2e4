package warc

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"time"

	"github.com/commonplace/commonplace/storage"
	"github.com/klauspost/compress/gzip"
	"github.com/nlnwa/gowarc"
)

// ErrRecord says that a record cannot be written as one: the file is as it was,
// and takes others.
var ErrRecord = errors.New("no record can be made of it")

// Writer adds records to the end of a file. One process writes a file at a time.
type Writer struct {
	f   *os.File
	end int64
}

// Open opens a file for more records, or makes it. What follows the last
// whole record, which a killed run left, is cut off; whole is called for every
// record from the offset from on, so that nothing complete is lost. A link is refused, what
// is no regular file, and what [Whole] finds damaged: nothing of it is cut off.
func Open(path string, from int64, whole func(Record)) (*Writer, error) {
	f, err := storage.OpenOwn(path, os.O_RDWR|os.O_CREATE)
	if err != nil {
		return nil, err
	}
	end, err := Whole(f, from, whole)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), f.Close())
	}
	if err := f.Truncate(end); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &Writer{f, end}, nil
}

// Write adds a record and returns when it is on the disk.
func (w *Writer) Write(r Record) (Place, error) {
	b, err := member(r)
	if err != nil {
		return Place{}, fmt.Errorf("%w: %w", ErrRecord, err)
	}
	at := Place{w.end, w.end + int64(len(b))}
	if _, err := w.f.WriteAt(b, at.Offset); err != nil {
		return Place{}, errors.Join(err, w.f.Truncate(w.end))
	}
	if err := w.f.Sync(); err != nil {
		return Place{}, err
	}
	w.end = at.End
	return at, nil
}

// End is where the next record will begin.
func (w *Writer) End() int64 { return w.end }

// Close closes the file.
func (w *Writer) Close() error { return w.f.Close() }

// types of gowarc by their names.
var types = map[string]gowarc.RecordType{Info: gowarc.Warcinfo, Response: gowarc.Response, Revisit: gowarc.Revisit, Metadata: gowarc.Metadata, Resource: gowarc.Resource}

// member is a record as it is in the file: one gzip member.
func member(r Record) ([]byte, error) {
	kind, known := types[r.Type]
	if !known {
		return nil, fmt.Errorf("warc: no record type %q", r.Type)
	}
	builder := newRecordBuilder(kind, len(r.Block))
	defer builder.Close()
	builder.AddWarcHeader(gowarc.WarcDate, r.Date.UTC().Format(time.RFC3339))
	if r.URL != "" {
		builder.AddWarcHeader(gowarc.WarcTargetURI, r.URL)
	}
	builder.AddWarcHeader(gowarc.ContentType, r.ContentType)
	for _, name := range slices.Sorted(maps.Keys(r.Fields)) {
		for _, v := range r.Fields[name] {
			builder.AddWarcHeader(name, v)
		}
	}
	if _, err := builder.Write(r.Block); err != nil {
		return nil, fmt.Errorf("warc: %w", err)
	}
	record, _, err := builder.Build()
	if err != nil {
		return nil, fmt.Errorf("warc: %s of %s: %w", r.Type, r.URL, err)
	}
	defer record.Close()
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.DefaultCompression)
	if err != nil {
		return nil, err
	}
	if _, _, err := gowarc.NewMarshaler().Marshal(z, record, 0); err != nil {
		return nil, fmt.Errorf("warc: %w", err)
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
