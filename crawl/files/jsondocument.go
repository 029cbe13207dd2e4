package files

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	commonplace "github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/crawl"
	"github.com/commonplace/commonplace/crawl/charset"
	"github.com/commonplace/commonplace/crawl/records"
	"github.com/klauspost/compress/gzip"
)

// parseDocument reads a document from a JSON object, or says why not.
func parseDocument(raw []byte, opts Options) (doc commonplace.Document, reason, detail string) {
	object, err := records.Object(raw)
	if err != nil {
		return doc, ReasonBrokenLine, err.Error()
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
		ID: get(true, "doc_id", "id"), Source: opts.Source, Title: get(false, "title"), Author: get(false, "author"),
		Genre: get(false, "genre"), Language: get(false, "language"), Date: get(false, "date"), Rights: get(false, "rights"), URL: get(false, "url"), Text: get(false, "text"),
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
	doc.Characters = int64(utf8.RuneCountInString(doc.Text))
	doc.FrameEnd = doc.Characters
	doc.SHA256 = sum([]byte(doc.Text))
	if r := blank(doc, refusal(doc.ID, "")); r != nil {
		return doc, r.Reason, r.Detail
	}
	return doc, "", ""
}

// openStream opens a file, plain or gzip, to be read once.
func openStream(name string) (r io.Reader, closeAll func() error, reason string, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, nil, ReasonUnreadable, fmt.Errorf("open: %w", cause(err))
	}
	if !strings.HasSuffix(strings.ToLower(name), ".gz") {
		return f, f.Close, "", nil
	}
	z, err := gzip.NewReader(f)
	if err != nil {
		f.Close()
		return nil, nil, ReasonGzip, fmt.Errorf("at its beginning: %w", err)
	}
	return z, f.Close, "", nil
}

// streamReason is the reason for an error in the middle of a stream.
func streamReason(err error) string {
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, gzip.ErrChecksum) || errors.Is(err, gzip.ErrHeader) {
		return ReasonGzip
	}
	return ReasonUnreadable
}
