package hathitrust

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	commonplace "github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/bounded"
	"github.com/commonplace/commonplace/crawl/charset"
)

// What is kept of each line of a volume, and of each of its words.
const (
	lineBytes = 64
	wordBytes = 96
)

// scan is a page with its OCR as it was read.
type scan struct {
	page commonplace.Page
	raw  []byte
}

// ofScans makes a document of a volume's pages.
func ofScans(id string, scans []scan, r Record, opts Options) (commonplace.Document, error) {
	refuse := func(reason, detail string) (commonplace.Document, error) {
		return commonplace.Document{}, &commonplace.RejectError{Reject: commonplace.Reject{ID: id, Reason: reason, Detail: detail}}
	}
	hash := sha256.New()
	encodings := map[string]bool{}
	pages := make([]page, len(scans))
	out := make([]commonplace.Page, len(scans))
	budget := bounded.Budget{Most: opts.Limits.WithDefaults().Memory}
	for i, s := range scans {
		out[i] = s.page
		hash.Write(s.raw)
		decoded, err := charset.Decode(s.raw, "")
		if err != nil {
			return refuse("not decodable", fmt.Sprintf("page %d: %v", s.page.Sequence, err))
		}
		if err := budget.Hold(lineBytes * int64(strings.Count(decoded.Text, "\n")+strings.Count(decoded.Text, "\r")+strings.Count(decoded.Text, "\f"))); err != nil {
			return refuse("over the limit", fmt.Sprintf("page %d: %v", s.page.Sequence, err))
		}
		if len(s.raw) > 0 {
			encodings[decoded.Encoding] = true
			pages[i] = newPage(decoded.Text)
			pages[i].title = isTitlePage(out[i].Features)
		}
	}
	if opts.Heads {
		dropHeads(pages)
	}
	doc := commonplace.Document{
		ID: id, Source: opts.Source, Title: r.Title, Author: r.Author, Language: r.Language, Rights: r.Rights, Date: year(r.Published),
		FrameStatus: "as is", SHA256: hex.EncodeToString(hash.Sum(nil)), EncodingReason: charset.ValidUTF8, Pages: out,
	}
	doc.Encoding = strings.Join(sortedKeys(encodings), ", ")
	if doc.Encoding != "utf-8" {
		doc.EncodingReason = charset.ByGuess + ": page by page"
	}
	var err error
	if doc.Text, doc.Hyphens, err = join(pages, out, opts.Hyphens, &budget); err != nil {
		return refuse("over the limit", err.Error())
	}
	if strings.TrimSpace(doc.Text) == "" {
		return refuse("white space only", fmt.Sprintf("%d pages without a word", len(pages)))
	}
	doc.Characters = out[len(out)-1].End
	doc.FrameEnd = doc.Characters
	return doc, nil
}
