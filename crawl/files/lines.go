package files

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	commonplace "github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/crawl/records"
)

// A list of documents is JSONL as passim has it: id (or doc_id) and text, and
// title, author, genre, language, rights, url, date where there are any. Texts are
// taken as they are.

// maxLine is the longest line: a line is a book.
func (o Options) maxLine() int {
	if o.MaxLine > 0 {
		return o.MaxLine
	}
	return 64 << 20
}

// listLines names the documents of a list, one a line.
func listLines(ctx context.Context, file File, opts Options, yield func(Entry, *commonplace.Reject) bool) {
	reject := func(line int, reason, detail string) bool {
		at := file.Path
		if line > 0 {
			at = fmt.Sprintf("%s:%d", at, line)
		}
		_, r := refusal("", at)(reason, detail)
		return yield(Entry{}, r)
	}
	r, closeAll, reason, err := openStream(file.Path)
	if err != nil {
		reject(0, reason, err.Error())
		return
	}
	defer closeAll()
	in := records.NewLines(ctx, r, opts.maxLine())
	for blank := true; ; {
		raw, err := in.Next()
		switch {
		case err == io.EOF:
			if blank {
				reject(0, ReasonEmpty, "the list has no line")
			}
			return
		case err == records.ErrLong:
			blank = false
			if !reject(in.Number, ReasonLimit, fmt.Sprintf("the line is longer than max_line %d", in.Max)) {
				return
			}
			continue
		case err != nil:
			reject(in.Number, streamReason(err), fmt.Sprintf("the list ends here, before its end, and nothing is taken of it: %v", err))
			return
		}
		if len(bytes.TrimSpace(raw)) == 0 {
			continue
		}
		blank = false
		e := Line(raw, in.Number, in.Offset)
		e.ID = lineID(bytes.TrimPrefix(raw, []byte("\ufeff")))
		if !yield(e, nil) {
			return
		}
	}
}

// Line is the entry of a line without its break, at a byte of its list. Its id
// is left to reading.
func Line(raw []byte, number int, begin int64) Entry {
	return Entry{Line: number, Begin: begin, Size: int64(len(raw)), SHA256: sum(raw)}
}

// lineID is a line's id, empty when the line has none or cannot be read.
func lineID(raw []byte) string {
	object, err := records.Object(raw)
	if err != nil {
		return ""
	}
	for _, name := range []string{"doc_id", "id"} {
		if field := object[name]; len(field) > 0 {
			id, _ := jsonText(field, true)
			return id
		}
	}
	return ""
}

// openLines makes the lines of a list readable in any order.
func (o *Opened) openLines(ctx context.Context, entries []Entry) *commonplace.Reject {
	var lines io.ReaderAt
	begins := map[int]int64{} // of lines that lie elsewhere than in the list
	if strings.HasSuffix(strings.ToLower(o.file.Path), ".gz") {
		temp, reject := o.unpack(ctx, entries, begins)
		if reject != nil {
			return reject
		}
		lines = temp
	} else {
		f, err := os.Open(o.file.Path)
		if err != nil {
			_, r := refusal("", o.file.Path)(ReasonUnreadable, fmt.Sprintf("open: %v", cause(err)))
			return r
		}
		lines, o.shut = f, f.Close
	}
	o.read = func(_ context.Context, e Entry) (commonplace.Document, *commonplace.Reject) {
		refuse := refusal(e.ID, o.file.Path+e.Where())
		begin, ok := begins[e.Line]
		if !ok {
			begin = e.Begin
		}
		raw := make([]byte, e.Size)
		if _, err := lines.ReadAt(raw, begin); err != nil || sum(raw) != e.SHA256 {
			return refuse(ReasonChanged, "the list has changed since it was listed; run again")
		}
		doc, reason, detail := parseDocument(bytes.TrimPrefix(raw, []byte("\ufeff")), o.opts)
		if reason != "" {
			return refusal(doc.ID, o.file.Path+e.Where())(reason, detail)
		}
		if doc.URL == "" {
			doc.URL = o.file.Rel + e.Where()
		}
		return doc, nil
	}
	return nil
}

// unpack passes over a packed list and copies the lines of the entries into a
// temporary file.
func (o *Opened) unpack(ctx context.Context, entries []Entry, begins map[int]int64) (*os.File, *commonplace.Reject) {
	refuse := func(reason string, err error) (*os.File, *commonplace.Reject) {
		_, r := refusal("", o.file.Path)(reason, err.Error())
		return nil, r
	}
	r, closeAll, reason, err := openStream(o.file.Path)
	if err != nil {
		return refuse(reason, err)
	}
	defer closeAll()
	temp, err := os.CreateTemp("", "list-*.jsonl")
	if err != nil {
		return refuse(ReasonUnreadable, err)
	}
	os.Remove(temp.Name()) // it goes when it is closed
	o.shut = temp.Close
	wanted := map[int]bool{}
	last := 0
	for _, e := range entries {
		wanted[e.Line], last = true, max(last, e.Line)
	}
	w := bufio.NewWriterSize(temp, 1<<16)
	in := records.NewLines(ctx, r, o.opts.maxLine())
	at := int64(0)
	for in.Number < last {
		raw, err := in.Next()
		if err == records.ErrLong {
			continue
		}
		if err != nil {
			temp.Close()
			return refuse(streamReason(err), fmt.Errorf("the list ends in line %d, before its end: %w", in.Number, err))
		}
		if wanted[in.Number] {
			begins[in.Number] = at
			n, _ := w.Write(raw)
			at += int64(n)
		}
	}
	if err := w.Flush(); err != nil {
		temp.Close()
		return refuse(ReasonUnreadable, fmt.Errorf("unpack: %w", err))
	}
	return temp, nil
}
