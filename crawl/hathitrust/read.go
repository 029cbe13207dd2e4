package hathitrust

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/klauspost/compress/zip"

	commonplace "github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/bounded"
)

// Options says how a volume is read. The zero value keeps pages as they are.
type Options struct {
	Source   string // column documents.source
	Heads    bool   // take running heads, feet and page numbers out
	Hyphens  bool   // put words together that a hyphen breaks over lines and pages
	MaxBytes int64  // most bytes of all pages together; 256 MiB when 0
	MaxPages int    // 20,000 when 0
	Limits   bounded.Limits
}

// Read reads one volume as a document. Its text is the pages' lines; what was
// taken out is in the columns pages and hyphens, so that each page's OCR
// can be put together again (line breaks and blank lines at its ends aside). Record may
// be the zero value; it gives title, author, language and rights.
func Read(ctx context.Context, v Volume, r Record, opts Options) (commonplace.Document, error) {
	refuse := func(reason, detail string) (commonplace.Document, error) {
		return commonplace.Document{}, &commonplace.RejectError{Reject: commonplace.Reject{ID: v.ID, Reason: reason, Detail: strings.ToValidUTF8(detail, "\uFFFD"), Location: v.Zip}}
	}
	archive, err := bounded.OpenZip(v.Zip, opts.Limits)
	var over *bounded.Error
	switch {
	case errors.As(err, &over):
		return refuse("over the limit", err.Error())
	case err != nil:
		return refuse("broken zip", err.Error())
	}
	defer archive.Close()
	listed, reason, detail := order(v, archive, opts.Limits)
	if reason != "" {
		return refuse(reason, detail)
	}
	limit := opts.MaxPages
	if limit == 0 {
		limit = 20_000
	}
	if len(listed) > limit {
		return refuse("over the limit", fmt.Sprintf("%d pages, more than max_pages %d", len(listed), limit))
	}
	left := opts.MaxBytes
	if left == 0 {
		left = 256 << 20
	}
	scans := make([]scan, len(listed))
	for i, p := range listed {
		if err := ctx.Err(); err != nil {
			return refuse("unreadable", err.Error())
		}
		scans[i].page = commonplace.Page{Sequence: p.sequence, Label: p.label, Features: p.features}
		if p.entry == nil {
			continue // METS knows the page; it has no OCR
		}
		most := opts.Limits.Unpacked(int64(min(p.entry.CompressedSize64, 1<<40)), left)
		if scans[i].raw, err = readPage(p.entry, most); err != nil {
			return refuse("broken zip", fmt.Sprintf("page %s: %v", p.entry.Name, err))
		}
		if n := int64(len(scans[i].raw)); n > most && n <= left {
			return refuse("over the limit", bounded.Over("ratio", opts.Limits.WithDefaults().Ratio, "page %s unpacks to more than %d bytes", p.entry.Name, most).Error())
		}
		if left -= int64(len(scans[i].raw)); left < 0 {
			return refuse("over the limit", "the pages hold more than max_bytes")
		}
	}
	doc, err := ofScans(v.ID, scans, r, opts)
	if err != nil {
		if reject := commonplace.RejectOf(err); reject != nil {
			reject.Location = v.Zip
		}
		return doc, err
	}
	doc.URL = path.Base(v.Zip)
	return doc, nil
}

// listedPage is a page in its order.
type listedPage struct {
	sequence        int64
	label, features string
	entry           *zip.File
}

// isTitlePage says that METS calls a page a title page.
func isTitlePage(features string) bool {
	for _, f := range strings.FieldsFunc(features, func(r rune) bool { return r == ',' || r == ' ' }) {
		if f == "TITLE" || f == "TITLE_PARTS" || f == "HALF_TITLE" {
			return true
		}
	}
	return false
}

// order lists the pages as METS has them, or else by the numbers of their files.
func order(v Volume, archive *bounded.Zip, l bounded.Limits) (pages []listedPage, reason, detail string) {
	entries := map[string]*zip.File{}
	for _, e := range archive.File {
		if name := path.Base(e.Name); strings.HasSuffix(name, ".txt") && !e.FileInfo().IsDir() {
			if entries[name] != nil {
				return nil, "broken zip", fmt.Sprintf("two entries are called %s", name)
			}
			entries[name] = e
		}
	}
	if len(entries) == 0 {
		return nil, "empty", "the zip holds no page NNNNNNNN.txt; a data set without OCR text cannot be aligned"
	}
	if v.METS == "" {
		for name, e := range entries {
			n, err := strconv.ParseInt(strings.TrimSuffix(name, ".txt"), 10, 64)
			if err != nil || n < 0 {
				return nil, "broken zip", fmt.Sprintf("the page %s has no number, and there is no METS file to say its place", name)
			}
			pages = append(pages, listedPage{sequence: n, entry: e})
		}
		slices.SortFunc(pages, func(a, b listedPage) int { return cmp.Compare(a.sequence, b.sequence) })
		for i := 1; i < len(pages); i++ {
			if pages[i].sequence == pages[i-1].sequence {
				return nil, "broken zip", fmt.Sprintf("two pages have the number %d, and there is no METS file to say their places", pages[i].sequence)
			}
		}
		return pages, "", ""
	}
	f, _, err := bounded.OpenFile(v.METS)
	if err != nil {
		return nil, "unreadable", err.Error()
	}
	defer f.Close()
	mets, err := ReadMETS(f, l)
	if err != nil {
		return nil, "broken mets", err.Error()
	}
	for _, m := range mets {
		if m.File != "" && entries[m.File] == nil {
			return nil, "broken mets", fmt.Sprintf("METS names the page %s, which the zip does not hold, or which has a place already", m.File)
		}
		pages = append(pages, listedPage{sequence: int64(m.Order), label: m.Label, features: m.Features, entry: entries[m.File]})
		delete(entries, m.File)
	}
	if len(entries) > 0 {
		return nil, "broken mets", fmt.Sprintf("METS does not name the page %s", sortedKeys(entries)[0])
	}
	return pages, "", ""
}

// readPage reads one entry whole, or fails; a checksum that does not fit fails.
func readPage(e *zip.File, limit int64) ([]byte, error) {
	r, err := e.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(io.LimitReader(r, min(limit, math.MaxInt64-1)+1))
}

// year is a year in digits, empty for 9999 and other ways to say unknown.
func year(published string) string {
	if n, err := strconv.Atoi(published); err == nil && n > 0 && n < 9999 {
		return fmt.Sprintf("%04d", n)
	}
	return ""
}

func sortedKeys[V any](m map[string]V) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
