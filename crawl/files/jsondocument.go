package files

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	commonplace "github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/bounded"
	"github.com/commonplace/commonplace/crawl"
	"github.com/commonplace/commonplace/crawl/charset"
	"github.com/commonplace/commonplace/crawl/records"
	"github.com/commonplace/commonplace/storage"
)

// parseDocument reads a document from a JSON object, or says why not.
func parseDocument(raw []byte, opts Options) (doc commonplace.Document, reason, detail string) {
	var own others
	capital := map[string]json.RawMessage{} // members such as Date, by the field that they may be
	object, reason, detail := membersOf(raw, opts.Limits, func(name string, value json.RawMessage) {
		if field := describingField(name); field != "" && capital[field] == nil && saidIn(value) != "" {
			capital[field] = value
		}
		own.addJSON(name, value)
	}, documentFields...)
	if reason != "" {
		return doc, reason, detail
	}
	for field, value := range capital {
		if text, ok := jsonText(object[field], true); ok && strings.TrimSpace(text) == "" {
			object[field] = value
		}
	}
	var wrong []string
	get := func(number bool, names ...string) string {
		for _, name := range names {
			if len(object[name]) == 0 {
				continue
			}
			s, ok := jsonText(object[name], number)
			if !ok {
				wrong = append(wrong, name)
			}
			return s
		}
		return ""
	}
	doc = commonplace.Document{
		ID: get(true, "doc_id", "id"), Source: opts.Source, Title: get(true, "title"), Author: get(true, "author"),
		Genre: get(true, "genre"), Language: get(true, "language"), Date: get(true, "date"), Rights: get(true, "rights"), URL: get(true, "url"), Text: get(false, "text"),
		FrameStatus: StatusAsIs, Encoding: "utf-8", EncodingReason: charset.ValidUTF8,
	}
	switch {
	case len(wrong) > 0:
		return doc, ReasonWrongType, fmt.Sprintf("the field %s is of the wrong type", strings.Join(wrong, " and "))
	case doc.ID == "":
		return doc, ReasonNoID, "the field id is missing or empty"
	}
	if detail := crawl.BadID(doc.ID); detail != "" {
		return doc, ReasonBadID, detail
	}
	if len(object["metadata"]) > 0 {
		own.addAll(object["metadata"], opts.Limits)
	}
	if len(object["doc_id"]) > 0 && len(object["id"]) > 0 {
		own.addJSON("id", object["id"])
	}
	if len(object["pages"]) > 0 {
		own.addJSON("pages", object["pages"])
	}
	if doc.Metadata, detail = own.sorted(); detail != "" {
		return doc, ReasonLimit, detail
	}
	doc.Characters = int64(utf8.RuneCountInString(doc.Text))
	doc.FrameEnd = doc.Characters
	doc.SHA256 = sum([]byte(doc.Text))
	doc.Pages = pagesOf(object["pages"], doc.Characters)
	if r := commonplace.RejectOf(blank(doc, refusal(doc.ID, ""))); r != nil {
		return doc, r.Reason, r.Detail
	}
	return doc, "", ""
}

// documentFields are the fields that a document can have from elsewhere. It keeps
// all others as its metadata.
var documentFields = slices.Concat(idFields, describingFields, []string{"text", "metadata", "pages"})

// idFields are the names of a document's id, and describingFields those of what describes it.
var (
	idFields         = []string{"doc_id", "id"}
	describingFields = []string{"title", "author", "genre", "language", "date", "rights", "url"}
)

// describingField is the field that describes a document and that tables also call Date or
// DATE; empty if a name is of none. The record's own name stays in the metadata.
func describingField(name string) string {
	for _, field := range describingFields {
		if name == strings.ToUpper(field) || name == strings.ToUpper(field[:1])+field[1:] {
			return field
		}
	}
	return ""
}

// saidIn is what a member says; empty if it says nothing or is neither text nor a number.
func saidIn(raw json.RawMessage) string {
	text, _ := jsonText(raw, true)
	return strings.TrimSpace(text)
}

// objectOf is the members of a JSON object that have one of the names, or why
// there are none.
func objectOf(raw []byte, l bounded.Limits, names ...string) (object map[string]json.RawMessage, reason, detail string) {
	return membersOf(raw, l, nil, names...)
}

// membersOf is objectOf, and gives all other members to other.
func membersOf(raw []byte, l bounded.Limits, other func(string, json.RawMessage), names ...string) (object map[string]json.RawMessage, reason, detail string) {
	object, err := records.Members(raw, l, other, names...)
	var over *bounded.Error
	switch {
	case errors.As(err, &over):
		return nil, ReasonLimit, err.Error()
	case err != nil:
		return nil, ReasonBrokenLine, err.Error()
	}
	return object, "", ""
}

// stream is a file that is read once, unpacked where it is packed.
type stream struct {
	io.Reader
	io.Closer
}

// openStream opens a file, plain or gzip, of this machine or of a bucket. The bytes
// that are read, before they are unpacked, go to seen, too.
func openStream(ctx context.Context, name string, l bounded.Limits, seen io.Writer) (r stream, reason string, err error) {
	in, err := storage.OpenInput(ctx, name)
	if err != nil {
		return stream{}, unreadable(err), fmt.Errorf("open: %w", cause(err))
	}
	unpacked, err := bounded.NewReader(io.TeeReader(in, seen), name, in.Size, l)
	if err != nil {
		in.Close()
		return stream{}, streamReason(err), err
	}
	return stream{unpacked, in}, "", nil
}

// streamReason is the reason for an error of a stream, which ends it.
func streamReason(err error) string {
	var gzip *bounded.BrokenGzip
	var over *bounded.Error
	switch {
	case errors.As(err, &over):
		return ReasonFileLimit
	case errors.As(err, &gzip):
		return ReasonGzip
	}
	return unreadable(err)
}
