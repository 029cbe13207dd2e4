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
	"github.com/commonplace/commonplace/bounded"
	"github.com/commonplace/commonplace/crawl"
	"github.com/commonplace/commonplace/crawl/records"
)

// A list of documents is JSONL as passim has it: id (or doc_id) and text, and
// title, author, genre, language, rights, url, date where there are any. Texts are
// taken as they are.

// listLines names the documents of a list, one a line. A line that cannot be a
// document is refused here, so that a million of them become no million tasks.
func listLines(ctx context.Context, file File, opts Options, yield func(Entry, error) bool) {
	reject := func(line int, id, reason, detail string) bool {
		at := file.Path
		if line > 0 {
			at = fmt.Sprintf("%s:%d", at, line)
		}
		return yield(Entry{}, refused(id, at, reason, detail))
	}
	r, reason, err := openStream(ctx, file.Path, opts.Limits, io.Discard)
	if err != nil {
		reject(0, "", reason, err.Error())
		return
	}
	defer r.Close()
	in := records.NewLines(ctx, r, opts.Limits)
	for blank := true; ; {
		raw, err := in.Next()
		switch {
		case err == io.EOF:
			if blank && !isPart(file.Path) { // Spark writes empty parts, too
				reject(0, "", ReasonEmpty, "the list has no line")
			}
			return
		case err == records.ErrLong:
			blank = false
			if !reject(in.Number, "", ReasonLimit, in.TooLong().Error()) {
				return
			}
			continue
		case err != nil:
			reject(in.Number, "", streamReason(err), fmt.Sprintf("the list ends here, before its end, and nothing is taken of it: %v", err))
			return
		}
		if len(bytes.TrimSpace(raw)) == 0 {
			continue
		}
		first := blank
		blank = false
		id, reason, detail := lineID(bytes.TrimPrefix(raw, []byte("\ufeff")), opts.Limits)
		if reason == ReasonBrokenLine && first && isJSON(file.Path) {
			reject(0, "", reason, "a .json file is read as a record a line, and its first line is none: write each record on a line of its own")
			return
		}
		if reason != "" {
			if !reject(in.Number, id, reason, detail) {
				return
			}
			continue
		}
		e := Line(raw, in.Number, in.Offset)
		e.ID = id
		if !yield(e, nil) {
			return
		}
	}
}

// isJSON says that a file is called .json, as lists are, and as one value over many lines is.
func isJSON(name string) bool {
	return strings.HasSuffix(strings.TrimSuffix(strings.ToLower(name), ".gz"), ".json")
}

// Line is the entry of a line without its break, at a byte of its list. Its id
// is left to reading.
func Line(raw []byte, number int, begin int64) Entry {
	return Entry{Line: number, Begin: begin, Size: int64(len(raw)), SHA256: sum(raw)}
}

// lineID is a line's id, or why the line is no document.
func lineID(raw []byte, l bounded.Limits) (id, reason, detail string) {
	object, reason, detail := objectOf(raw, l, idFields...)
	if reason != "" {
		return "", reason, detail
	}
	for _, name := range idFields {
		if len(object[name]) == 0 {
			continue
		}
		var ok bool
		if id, ok = jsonText(object[name], true); !ok {
			return "", ReasonWrongType, "the field " + name + " is of the wrong type"
		}
		break
	}
	if id == "" {
		return "", ReasonNoID, "the field id is missing or empty"
	}
	if detail := crawl.BadID(id); detail != "" {
		return id, ReasonBadID, detail
	}
	return id, "", ""
}

// openLines makes the lines of a list readable in any order.
func (o *Opened) openLines(ctx context.Context, entries []Entry) error {
	var lines io.ReaderAt
	begins := map[int]int64{} // of lines that lie elsewhere than in the list
	unpack := o.unpack
	if o.file.IsCSV() {
		unpack = o.copyRecords
	}
	if o.file.IsCSV() || strings.HasSuffix(strings.ToLower(o.file.Path), ".gz") {
		temp, err := unpack(ctx, entries, begins)
		if err != nil {
			return err
		}
		lines = temp
	} else {
		f, _, err := bounded.OpenFile(o.file.Path)
		if err != nil {
			_, err = refusal("", o.file.Path)(unreadable(err), fmt.Sprintf("open: %v", cause(err)))
			return err
		}
		lines, o.shut = f, f.Close
	}
	o.read = func(_ context.Context, e Entry) (commonplace.Document, error) {
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
func (o *Opened) unpack(ctx context.Context, entries []Entry, begins map[int]int64) (*os.File, error) {
	refuse := func(reason string, err error) (*os.File, error) {
		_, err = refusal("", o.file.Path)(reason, err.Error())
		return nil, err
	}
	r, reason, err := openStream(ctx, o.file.Path, o.opts.Limits, io.Discard)
	if err != nil {
		return refuse(reason, err)
	}
	defer r.Close()
	temp, err := os.CreateTemp(o.opts.Temp, "list-*.jsonl")
	if err != nil {
		return refuse(unreadable(err), err)
	}
	os.Remove(temp.Name()) // it goes when it is closed
	o.shut = temp.Close
	wanted := map[int]bool{}
	last := 0
	for _, e := range entries {
		wanted[e.Line], last = true, max(last, e.Line)
	}
	w := bufio.NewWriterSize(temp, 1<<16)
	in := records.NewLines(ctx, r, o.opts.Limits)
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
		return refuse(unreadable(err), fmt.Errorf("unpack: %w", err))
	}
	return temp, nil
}
