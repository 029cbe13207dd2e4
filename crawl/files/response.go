package files

import (
	"context"

	commonplace "github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/crawl"
)

// Decode makes a document of bytes that are no file's, such as a server's
// answer, as [Documents] does of a text's or a page's: file says their id, their
// address as Rel, and what is known of them. A reject has no location.
func Decode(file File, raw []byte, opts Options) (commonplace.Document, error) {
	if detail := crawl.BadID(file.ID); detail != "" {
		return refusal(file.ID, "")(ReasonBadID, detail)
	}
	if int64(len(raw)) > opts.maxBytes() {
		return refusal(file.ID, "")(ReasonLimit, "more than max_bytes")
	}
	return document(file, raw, opts)
}

// ListWARC is List for WARC files: of a folder it takes .warc and .warc.gz.
func ListWARC(ctx context.Context, patterns []string) (Listing, error) {
	return list(ctx, patterns, func(rel string) bool { return kindOf(rel) == ".warc" })
}
