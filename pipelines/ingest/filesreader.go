package ingest

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"unicode/utf8"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/bounded"
	"github.com/commonplace/commonplace/crawl/files"
	"github.com/commonplace/commonplace/pipelines/worker"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// filesReader reads places, and keeps the lists and archives open that it has
// come upon: their documents are read in the order of ids.
type filesReader struct {
	opts    files.Options
	entries map[string][]files.Entry // of containers, by path
	opened  map[string]*container
}

// container is an open list, archive or table, or why there is none.
type container struct {
	file  *files.Opened
	err   error
	done  func()              // removes what was downloaded; nil: nothing was
	temp  string              // the rows of a table as a list
	lines map[int]files.Entry // and where they stand in it
}

func newFilesReader(opts files.Options, items []item) *filesReader {
	r := &filesReader{opts: opts, entries: map[string][]files.Entry{}, opened: map[string]*container{}}
	for _, it := range items {
		if p, err := it.place(); err == nil && p.Entry.Where() != "" { // else read says so

			r.entries[p.File.Path] = append(r.entries[p.File.Path], p.Entry)
		}
	}
	return r
}

func (it item) place() (p place, err error) {
	return p, json.Unmarshal(it.At, &p)
}

func (r *filesReader) read(ctx context.Context, it item) (commonplace.Document, error) {
	p, err := it.place()
	if err != nil {
		return commonplace.Document{}, err
	}
	return r.readPlace(ctx, it, p)
}

// readPlace reads where an item is, and checks what it reads against what was listed:
// a file by the hash of its bytes, a line and an archive's entry by their own, and
// a table, which is skipped as a whole, by its file's before and after.
func (r *filesReader) readPlace(ctx context.Context, it item, p place) (commonplace.Document, error) {
	if p.Entry.Where() == "" {
		name, done, err := storage.OnDisk(ctx, p.File.Path)
		if err != nil {
			return commonplace.Document{}, missing(p.Entry.ID, err)
		}
		defer done()
		p.File.Path = name
		opts, read := r.opts, ""
		opts.Seen = func(sum string) { read = sum }
		o, err := files.Open(ctx, p.File, nil, opts)
		if err != nil {
			return commonplace.Document{}, err
		}
		defer o.Close()
		doc, err := o.Read(ctx, p.Entry)
		if read != "" && read != it.sum() {
			return commonplace.Document{}, changed(it.ID.String())
		}
		return doc, err
	}
	c := r.opened[p.File.Path]
	if c == nil {
		c = r.open(ctx, p.File, it.sum())
		r.opened[p.File.Path] = c
	}
	if reject := commonplace.RejectOf(c.err); reject != nil {
		reject := *reject
		reject.ID = p.Entry.ID
		return commonplace.Document{}, &commonplace.RejectError{Reject: reject}
	} else if c.err != nil {
		return commonplace.Document{}, c.err
	}
	e := p.Entry
	if c.temp != "" {
		var ok bool
		if e, ok = c.lines[e.Line]; !ok {
			return commonplace.Document{}, refusal(p.Entry.ID, files.ReasonEncoding, "the row is not UTF-8")
		}
	}
	return c.file.Read(ctx, e)
}

// open opens a container; of a table, the rows that are asked for become a list first.
func (r *filesReader) open(ctx context.Context, f files.File, sum string) *container {
	r.opts.Temp = storage.TempDir(ctx)
	entries := r.entries[f.Path]
	if f.IsPackedTar() && worker.From(ctx) != nil {
		name, err := unpacked(ctx, f, r.opts)
		if err != nil {
			return &container{err: unpackedReject(f, err)}
		}
		f.Path = name
	}
	name, done, err := storage.OnDisk(ctx, f.Path)
	if err != nil {
		return &container{err: missing(f.ID, err)}
	}
	f.Path = name
	c := &container{done: done}
	if f.IsTable() {
		same := HashFile(ctx, f.Path) == sum
		c = r.openTable(ctx, f, entries)
		c.done = done
		if !same || HashFile(ctx, f.Path) != sum {
			c.err = changed(f.ID)
		}
		return c
	}
	if c.file, c.err = files.Open(ctx, f, entries, r.opts); c.err != nil && !errors.Is(c.err, storage.ErrRefused) { // it was whole when it was listed
		c.err = changed(f.ID)
	}
	return c
}

func (r *filesReader) openTable(ctx context.Context, f files.File, entries []files.Entry) *container {
	c := &container{}
	temp, err := os.CreateTemp(storage.TempDir(ctx), "table-*.jsonl")
	if err != nil {
		c.err = tableReject(f, err)
		return c
	}
	c.temp = temp.Name()
	c.lines, err = copyRows(ctx, f, entries, temp, r.opts.Limits)
	if err = errors.Join(err, temp.Close()); err != nil {
		c.err = tableReject(f, err)
		return c
	}
	f.Path = c.temp
	c.file, c.err = files.Open(ctx, f, nil, r.opts)
	return c
}

// copyRows writes rows of a table as lines of a list, and says where each is.
// Rows that are not UTF-8 are left out: JSON would change them.
func copyRows(ctx context.Context, f files.File, entries []files.Entry, to io.Writer, l bounded.Limits) (map[int]files.Entry, error) {
	wanted := map[int]bool{}
	last := 0
	for _, e := range entries {
		wanted[e.Line], last = true, max(last, e.Line)
	}
	rows, err := table.OpenDocuments(ctx, f.Path, false, l)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	nested := rows.Nested()
	lines := map[int]files.Entry{}
	w := bufio.NewWriterSize(to, 1<<16)
	at, row := int64(0), 0
	for doc, err := range rows.Rows() {
		if err != nil {
			return nil, err
		}
		if row++; wanted[row] && isUTF8(doc) {
			fields, pages := membersOf(doc.Metadata, nested, l)
			b, err := json.Marshal(listed{doc.ID, doc.Title, doc.Author, doc.Genre, doc.Date, doc.Language, doc.Rights, doc.URL, fields, pages, doc.Text})
			if err != nil {
				return nil, err
			}
			if _, err := w.Write(b); err != nil {
				return nil, err
			}
			lines[row] = files.Line(b, row, at)
			at += int64(len(b))
		}
		if row == last || ctx.Err() != nil {
			break
		}
	}
	return lines, errors.Join(w.Flush(), ctx.Err())
}

// listed is a document as a line of a list has it.
type listed struct {
	ID       string              `json:"id"`
	Title    string              `json:"title"`
	Author   string              `json:"author"`
	Genre    string              `json:"genre"`
	Date     string              `json:"date"`
	Language string              `json:"language"`
	Rights   string              `json:"rights"`
	URL      string              `json:"url"`
	Metadata []commonplace.Field `json:"metadata"`
	Pages    json.RawMessage     `json:"pages,omitempty"`
	Text     string              `json:"text"`
}

// membersOf are the fields of a row as a line of JSON has them: what a struct metadata holds
// is flattened, and a list pages gives the document's pages.
func membersOf(fields []commonplace.Field, nested []string, l bounded.Limits) (members []commonplace.Field, pages json.RawMessage) {
	for _, f := range fields {
		switch is := slices.Contains(nested, f.Name); {
		case is && f.Name == "metadata":
			members = append(members, files.Flattened(json.RawMessage(f.Value), l)...)
		case is && f.Name == "pages":
			pages = json.RawMessage(f.Value)
		default:
			members = append(members, f)
		}
	}
	return members, pages
}

func isUTF8(d commonplace.Document) bool {
	for _, f := range d.Metadata {
		if !utf8.ValidString(f.Name + f.Value) {
			return false
		}
	}
	return utf8.ValidString(d.ID+d.Title+d.Author+d.Genre+d.Date+d.Language+d.Rights+d.URL) && utf8.ValidString(d.Text)
}

func (r *filesReader) close() error {
	var err error
	for _, c := range r.opened {
		if c.file != nil {
			err = errors.Join(err, c.file.Close())
		}
		if c.temp != "" {
			os.Remove(c.temp)
		}
		if c.done != nil {
			c.done()
		}
	}
	return err
}

// missing distinguishes what is no longer there, which is refused as an unreadable
// file is, and a bucket that fails: the document may be there tomorrow, so the task
// fails and is made again.
func missing(id string, err error) error {
	if !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: %w; run again", id, storage.Mark(err))
	}
	return refusal(id, files.ReasonUnreadable, "it is no longer there; run again")
}
