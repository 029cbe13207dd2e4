package files

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
	"unsafe"

	commonplace "github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/crawl"
	"github.com/commonplace/commonplace/crawl/charset"
	"github.com/commonplace/commonplace/crawl/gutenberg"
	"github.com/commonplace/commonplace/storage"
)

// Reasons of rejects, the same words for the same cause.
const (
	ReasonUnreadable = "unreadable"
	ReasonChanged    = "changed while it was read" // it is not what was listed; the next run reads it again
	ReasonGzip       = "broken gzip"
	ReasonLimit      = "over the limit"
	ReasonFileLimit  = "file over the limit" // of which nothing is taken
	ReasonEncoding   = "not decodable"
	ReasonNotText    = "not a text"
	ReasonEmpty      = "empty"
	ReasonBlank      = "white space only"
	ReasonHeaderOnly = "header only"
	ReasonBadID      = "bad id"

	// reasonStarved is in no row: [refused] makes an error of it that is no reject.
	reasonStarved = "starved"
)

// unreadable is the reason for a file that cannot be opened or read.
func unreadable(err error) string {
	if storage.Starved(err) {
		return reasonStarved
	}
	return ReasonUnreadable
}

// StatusAsIs is the frame status of texts in which no frame was looked for.
const StatusAsIs = "as is"

// Read reads one file as a document. A file that is refused is a
// [commonplace.RejectError]; its Stage is for the caller to fill.
func Read(ctx context.Context, file File, opts Options) (commonplace.Document, error) {
	refuse := refusal(file.ID, file.Path)
	if detail := crawl.BadID(file.ID); detail != "" {
		return refuse(ReasonBadID, detail)
	}
	raw, reason, err := readAll(ctx, file, opts)
	if err != nil {
		return refuse(reason, err.Error())
	}
	return document(file, raw, opts)
}

// refusal makes the errors of one input that is refused.
func refusal(id, location string) func(reason, detail string) (commonplace.Document, error) {
	return func(reason, detail string) (commonplace.Document, error) {
		return commonplace.Document{}, refused(id, location, reason, detail)
	}
}

// refused is the error of what is refused and has no row of its own.
func refused(id, location, reason, detail string) error {
	if reason == reasonStarved {
		return storage.Wrap("read", location, errors.New(detail))
	}
	return &commonplace.RejectError{Reject: *rejected(id, location, reason, detail)}
}

func rejected(id, location, reason, detail string) *commonplace.Reject {
	return &commonplace.Reject{ID: shownID(id), Reason: reason, Detail: shown(detail), Location: crawl.Printable(shortened(location))}
}

// Located is a reject's location as the system has it: a path, and behind it the line or
// the entry.
func Located(r commonplace.Reject) string {
	if at, err := strconv.Unquote(r.Location); err == nil && crawl.Printable(at) == r.Location {
		return at
	}
	return r.Location
}

// mostShown is more than a name, a path or a sentence has: an id of 60 MB is no
// text for a row.
const mostShown = 4096

// shown is a text from outside as a reject shows it.
func shown(s string) string { return strings.ToValidUTF8(shortened(s), "\uFFFD") }

// shownID is an id as a reject shows it.
func shownID(id string) string { return crawl.Printable(shortened(id)) }

func shortened(s string) string {
	if len(s) <= mostShown {
		return s
	}
	end := mostShown
	for end > mostShown-utf8.UTFMax && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + "…"
}

// document makes a document of a file's decompressed bytes.
func document(file File, raw []byte, opts Options) (commonplace.Document, error) {
	refuse := refusal(file.ID, file.Path)
	if len(raw) == 0 {
		return refuse(ReasonEmpty, "the file holds no byte")
	}
	if what := otherFormat(raw); what != "" {
		return refuse(ReasonNotText, "the file begins as "+what+" does")
	}
	if isRecord(raw) {
		return refuse(ReasonNotText, "it begins with a record in JSON: write one record a line, in a file outside archives with a name that ends in .jsonl")
	}
	if isTable(raw) {
		return refuse(ReasonNotText, "it begins with the header of a table: give it a name that ends in .csv or .tsv, outside archives")
	}
	if !opts.Bare && isPage(raw) { // Project Gutenberg has pages under .txt names
		return page(file, raw, opts)
	}
	doc := commonplace.Document{ID: file.ID, Source: opts.Source, URL: file.Rel, EBook: file.EBook, SHA256: sum(raw)}
	if opts.Bare {
		if at := invalidAt(raw); at >= 0 {
			return refuse(ReasonEncoding, fmt.Sprintf("byte %d is not UTF-8; convert the file to UTF-8, or read it through a config or with commonplace find, which decide the encoding", at))
		}
		doc.Text = unsafe.String(unsafe.SliceData(raw), len(raw))
		doc.Encoding, doc.EncodingReason = "utf-8", charset.ValidUTF8
		doc.Characters = int64(utf8.RuneCountInString(doc.Text))
		doc.FrameEnd, doc.FrameStatus = doc.Characters, StatusAsIs
		return doc, blank(doc, refuse)
	}
	encoding := opts.Encoding
	if encoding == "" {
		encoding = file.Encoding
	}
	decoded, err := charset.Decode(raw, encoding)
	if err != nil {
		return refuse(ReasonEncoding, err.Error())
	}
	if n := controls(decoded.Text); n > 0 && n*20 > len(decoded.Text) {
		return refuse(ReasonNotText, fmt.Sprintf("%d of %d bytes are control characters", n, len(decoded.Text)))
	}
	doc.Encoding, doc.EncodingReason = decoded.Encoding, decoded.Reason
	if opts.Frame == FrameNone {
		doc.Text, doc.FrameStatus = decoded.Text, StatusAsIs
		doc.Characters = int64(utf8.RuneCountInString(doc.Text))
		doc.FrameEnd = doc.Characters
		return doc, blank(doc, refuse)
	}
	unframe(&doc, decoded.Text)
	if doc.Characters == 0 && doc.FrameStatus != string(gutenberg.None) {
		return refuse(ReasonHeaderOnly, "nothing stands between the frame's start and its end: "+doc.FrameMarkers)
	}
	return doc, blank(doc, refuse)
}

// unframe fills what the Gutenberg frame of a decoded file says.
func unframe(doc *commonplace.Document, text string) {
	frame := gutenberg.Find(text)
	header := gutenberg.ParseHeader(text, frame)
	doc.Title, doc.Author, doc.Language = header.Title, header.Author, header.Language
	if doc.EBook == 0 {
		doc.EBook = header.EBook
	}
	before := utf8.RuneCountInString(text[:frame.Begin])
	inside := utf8.RuneCountInString(text[frame.Begin:frame.End])
	after := utf8.RuneCountInString(text[frame.End:])
	doc.Text = frame.Body(text)
	doc.Characters = int64(inside)
	doc.FrameStart, doc.FrameEnd = int64(before), int64(before+inside)
	doc.FrameStatus = string(frame.Status)
	doc.FrameMarkers = strings.Join(frame.Markers, "\n")
	if all := before + inside + after; all > 0 {
		doc.RemovedFraction = float64(before+after) / float64(all)
	}
}

// blank refuses texts that hold nothing but white space.
func blank(doc commonplace.Document, refuse func(string, string) (commonplace.Document, error)) error {
	if strings.TrimSpace(doc.Text) != "" && strings.Trim(doc.Text, " \t\r\n\f\v\x00\ufeff\x1a\u00a0") != "" {
		return nil
	}
	_, err := refuse(ReasonBlank, fmt.Sprintf("%d characters, none of which is seen", doc.Characters))
	return err
}

func sum(raw []byte) string {
	h := sha256.Sum256(raw)
	return hex.EncodeToString(h[:])
}

// invalidAt is the first byte that is not UTF-8, -1 when all are.
func invalidAt(raw []byte) int {
	if utf8.Valid(raw) {
		return -1
	}
	for i := 0; ; {
		r, size := utf8.DecodeRune(raw[i:])
		if r == utf8.RuneError && size <= 1 {
			return i
		}
		i += size
	}
}

// CheckID refuses a document whose id is missing or unfit.
func CheckID(id, location string) error {
	reason, detail := ReasonBadID, crawl.BadID(id)
	switch {
	case id == "":
		reason, detail = ReasonNoID, "the field id is missing or empty"
	case detail == "":
		return nil
	}
	return refused(id, location, reason, detail)
}
