package files

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"
	"strings"

	"github.com/commonplace/commonplace/crawl/records"
)

// A table of documents in CSV (or TSV) has a header with id (or doc_id) and text. A
// record is read as the line of a list that has its columns as members.

// record is a record of such a table as a line of a list.
type record struct {
	number int // of its first line
	json   []byte
}

// csvRecords gives the records of a table. What is refused is a
// [commonplace.RejectError]; for one for which [BreaksOff] holds, the table ends there.
func csvRecords(ctx context.Context, file File, opts Options) iter.Seq2[record, error] {
	return func(yield func(record, error) bool) {
		reject := func(line int, reason, detail string) bool {
			at := file.Path
			if line > 0 {
				at = fmt.Sprintf("%s:%d", at, line)
			}
			return yield(record{}, refused("", at, reason, detail))
		}
		r, reason, err := openStream(ctx, file.Path, opts.Limits, io.Discard)
		if err != nil {
			reject(0, reason, err.Error())
			return
		}
		defer r.Close()
		in := records.NewLines(ctx, r, opts.Limits)
		comma := ','
		if kindOf(file.Path) == ".tsv" {
			comma = '\t'
		}
		var header []string
		for rows := -1; ; rows++ { // the header is none
			fields, line, err := records.Next(in, comma)
			var broken *records.Broken
			switch {
			case err == io.EOF:
				if rows < 1 {
					reject(0, ReasonEmpty, "the table has no record below a header")
				}
				return
			case errors.As(err, &broken) && header == nil:
				reason := ReasonEncoding // or quotes that do not close
				if broken.TooLong {
					reason = ReasonFileLimit
				}
				reject(line, reason, "the header: "+broken.Error())
				return
			case errors.As(err, &broken):
				reason := ReasonBrokenLine
				if broken.TooLong {
					reason = ReasonLimit
				}
				if !reject(line, reason, broken.Error()) {
					return
				}
			case err != nil:
				reject(line, streamReason(err), fmt.Sprintf("the table ends here, before its end, and nothing is taken of it: %v", err))
				return
			case header == nil:
				if header = trimmed(fields); !has(header, "text") || !has(header, "id", "doc_id") {
					reject(line, ReasonColumns, fmt.Sprintf("a table of documents has the columns id and text; this one has %s", strings.Join(header, ", ")))
					return
				}
			case len(fields) != len(header):
				if !reject(line, ReasonBrokenLine, fmt.Sprintf("%d fields where the header has %d", len(fields), len(header))) {
					return
				}
			default:
				if !yield(record{line, asJSON(header, fields)}, nil) {
					return
				}
			}
		}
	}
}

func trimmed(names []string) []string {
	list := make([]string, len(names))
	for i, name := range names {
		list[i] = strings.TrimSpace(name)
	}
	return list
}

func has(list []string, names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return slices.Contains(list, name) })
}

// asJSON is a record as an object. An empty field says nothing and is left out.
func asJSON(names, values []string) []byte {
	var b bytes.Buffer
	for i, name := range names {
		if values[i] == "" || name == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte(',')
		}
		for j, s := range []string{name, values[i]} {
			if j > 0 {
				b.WriteByte(':')
			}
			quoted, _ := json.Marshal(s) // it is valid UTF-8
			b.Write(quoted)
		}
	}
	return []byte("{" + b.String() + "}")
}

// listRecords names the documents of a table, one a record.
func listRecords(ctx context.Context, file File, opts Options, yield func(Entry, error) bool) {
	for r, err := range csvRecords(ctx, file, opts) {
		var e Entry
		if err == nil {
			var reason, detail string
			e = Line(r.json, r.number, 0)
			if e.ID, reason, detail = lineID(r.json, opts.Limits); reason != "" {
				err = refused(e.ID, file.Path+e.Where(), reason, detail)
			}
		}
		if !yield(e, err) {
			return
		}
	}
}

// copyRecords writes the records of the entries into a temporary file, as lines.
func (o *Opened) copyRecords(ctx context.Context, entries []Entry, begins map[int]int64) (*os.File, error) {
	wanted := map[int]bool{}
	for _, e := range entries {
		wanted[e.Line] = true
	}
	temp, err := os.CreateTemp(o.opts.Temp, "records-*.jsonl")
	if err != nil {
		return nil, refused("", o.file.Path, ReasonUnreadable, err.Error())
	}
	os.Remove(temp.Name()) // it goes when it is closed
	o.shut = temp.Close
	w := bufio.NewWriterSize(temp, 1<<16)
	at := int64(0)
	for r, err := range csvRecords(ctx, o.file, o.opts) {
		if BreaksOff(err) {
			temp.Close()
			return nil, err
		}
		if err != nil || !wanted[r.number] {
			continue
		}
		begins[r.number] = at
		n, _ := w.Write(r.json)
		at += int64(n)
		if delete(wanted, r.number); len(wanted) == 0 {
			break
		}
	}
	if err := w.Flush(); err != nil {
		temp.Close()
		return nil, refused("", o.file.Path, ReasonUnreadable, fmt.Sprintf("unpack: %v", err))
	}
	return temp, nil
}

// ReasonColumns is the reason for a table that lacks a column.
const ReasonColumns = "wrong columns"
