package files

import (
	"context"
	"fmt"
	"io"
	"iter"
	"path"
	"strings"

	commonplace "github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/crawl/records"
)

// Documents reads every document of a file: one of a text; one for each text of
// a zip archive, for each line of a JSONL list (.jsonl, .ndjson), of a TEI or
// other XML file (.xml) and of a page (.html) one. Lists, XML and pages may have .gz after their names.
// Everything that the file holds is either a document or a reject; of an
// archive, entries that are no texts by their names are passed over.
func Documents(ctx context.Context, file File, opts Options) iter.Seq2[commonplace.Document, *commonplace.Reject] {
	return func(yield func(commonplace.Document, *commonplace.Reject) bool) {
		switch kindOf(file.Path) {
		case ".zip":
			readZip(ctx, file, opts, yield)
		case ".jsonl", ".ndjson":
			readDocumentList(ctx, file, opts, yield)
		case ".xml":
			yield(readXML(ctx, file, opts))
		case ".html", ".htm":
			yield(readHTML(ctx, file, opts))
		default:
			yield(Read(ctx, file, opts))
		}
	}
}

// kindOf is a file's extension, in small letters, without .gz.
func kindOf(name string) string {
	return path.Ext(strings.TrimSuffix(strings.ToLower(name), ".gz"))
}

// IsList says that a file is read by [Documents] in another way than by [Read]:
// it may hold several documents, or markup.
func (f File) IsList() bool {
	switch kindOf(f.Path) {
	case ".zip", ".jsonl", ".ndjson", ".xml", ".html", ".htm":
		return true
	}
	return false
}

// readDocumentList reads a JSONL list of documents as passim has them: id (or
// doc_id) and text, and title, author, language, rights, url where there are
// any. Texts are taken as they are.
func readDocumentList(ctx context.Context, file File, opts Options, yield func(commonplace.Document, *commonplace.Reject) bool) {
	reject := func(line int, id, reason, detail string) bool {
		at := file.Path
		if line > 0 {
			at = fmt.Sprintf("%s:%d", at, line)
		}
		return yield(refusal(id, at)(reason, detail))
	}
	r, closeAll, reason, err := openStream(file.Path)
	if err != nil {
		reject(0, file.ID, reason, err.Error())
		return
	}
	defer closeAll()
	limit := opts.MaxLine
	if limit == 0 {
		limit = 64 << 20 // a line is a book
	}
	in := records.NewLines(ctx, r, limit)
	seen := map[string]int{}
	for {
		raw, err := in.Next()
		switch {
		case err == io.EOF:
			return
		case err == records.ErrLong:
			if !reject(in.Number, "", ReasonLimit, fmt.Sprintf("the line is longer than max_line %d", limit)) {
				return
			}
			continue
		case err != nil:
			reject(in.Number, "", streamReason(err), fmt.Sprintf("the list ends here, before its end: %v", err))
			return
		}
		if in.Number == 1 {
			raw = []byte(strings.TrimPrefix(string(raw), "\ufeff"))
		}
		if len(strings.TrimSpace(string(raw))) == 0 {
			continue
		}
		doc, reason, detail := parseDocument(raw, opts)
		if reason == "" {
			if first, twice := seen[doc.ID]; twice {
				reason, detail = ReasonDuplicate, fmt.Sprintf("line %d has this id already", first)
			}
		}
		if reason != "" {
			if !reject(in.Number, doc.ID, reason, detail) {
				return
			}
			continue
		}
		seen[doc.ID] = in.Number
		if !yield(doc, nil) {
			return
		}
	}
}
