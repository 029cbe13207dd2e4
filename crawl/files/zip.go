package files

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	commonplace "github.com/commonplace/commonplace"
	"github.com/klauspost/compress/zip"
)

// Limits of archives.
const (
	maxEntries = 100_000
)

// ReasonZip is the reason for archives and entries that cannot be read.
const (
	ReasonZip    = "broken zip"
	ReasonUnsafe = "unsafe entry"
	ReasonNested = "nested archive"
)

// readZip reads the texts of an archive, in the order of their names. The id of
// an archive's only text is the archive's; of several, archive/entry.
func readZip(ctx context.Context, file File, opts Options, yield func(commonplace.Document, *commonplace.Reject) bool) {
	archive, err := zip.OpenReader(file.Path)
	if err != nil {
		yield(refusal(file.ID, file.Path)(zipReason(err), err.Error()))
		return
	}
	defer archive.Close()
	if len(archive.File) > maxEntries {
		yield(refusal(file.ID, file.Path)(ReasonLimit, fmt.Sprintf("%d entries, more than %d", len(archive.File), maxEntries)))
		return
	}
	var entries []*zip.File
	for _, e := range archive.File {
		if !e.FileInfo().IsDir() && !strings.HasPrefix(path.Base(e.Name), ".") && !strings.HasPrefix(e.Name, "__MACOSX/") && isEntry(e) {
			entries = append(entries, e)
		}
	}
	if len(entries) == 0 {
		yield(refusal(file.ID, file.Path)(ReasonEmpty, fmt.Sprintf("none of the archive's %d entries is a .txt", len(archive.File))))
		return
	}
	slices.SortStableFunc(entries, func(a, b *zip.File) int { return strings.Compare(a.Name, b.Name) })
	taken := map[string]bool{}
	left := opts.maxBytes() // of all entries together
	for _, e := range entries {
		id := strings.TrimSuffix(file.ID, ".zip")
		if len(entries) > 1 {
			id += "/" + ID(e.Name)
		}
		doc, reject := readEntry(ctx, file, e, id, &left, opts)
		if reject == nil && taken[id] {
			_, reject = refusal(id, file.Path+":"+e.Name)(ReasonDuplicate, "another entry has this name already")
		}
		taken[id] = true
		if !yield(doc, reject) {
			return
		}
	}
}

// isEntry says that an entry is a text by its name, or is to be refused aloud.
func isEntry(e *zip.File) bool {
	return strings.HasSuffix(strings.ToLower(e.Name), ".txt") || unsafeName(e) != "" || isArchive(e.Name)
}

func isArchive(name string) bool {
	switch path.Ext(strings.ToLower(name)) {
	case ".zip", ".gz", ".tar", ".7z", ".rar", ".bz2", ".xz":
		return true
	}
	return false
}

// unsafeName says what is wrong with an entry that is not a plain file below
// the archive's root.
func unsafeName(e *zip.File) string {
	switch {
	case e.Mode()&fs.ModeSymlink != 0:
		return "it is a link"
	case !e.Mode().IsRegular() && !e.FileInfo().IsDir():
		return "it is no regular file"
	case strings.ContainsAny(e.Name, "\\\x00"):
		return "its name holds a backslash or a NUL"
	case !fs.ValidPath(strings.TrimSuffix(e.Name, "/")):
		return "its name leads out of the archive"
	}
	return ""
}

// readEntry reads one text. Left is how many bytes the archive may still hold.
func readEntry(ctx context.Context, file File, e *zip.File, id string, left *int64, opts Options) (commonplace.Document, *commonplace.Reject) {
	refuse := refusal(id, file.Path+":"+e.Name)
	if what := unsafeName(e); what != "" {
		return refuse(ReasonUnsafe, what)
	}
	if isArchive(e.Name) {
		return refuse(ReasonNested, "an archive inside an archive is not opened; unpack it")
	}
	if e.Flags&1 != 0 {
		return refuse(ReasonZip, "the entry is encrypted")
	}
	if detail := badID(id); detail != "" {
		return refuse(ReasonBadID, detail)
	}
	limit := min(*left, max(ratioFloor, int64(e.CompressedSize64)*opts.maxRatio()))
	r, err := e.Open()
	if err != nil {
		return refuse(zipReason(err), err.Error())
	}
	defer r.Close()
	raw, err := take(ctx, r, min(int64(e.UncompressedSize64), int64(e.CompressedSize64)*16), limit)
	*left -= int64(len(raw))
	switch {
	case errors.Is(err, errLimit):
		return refuse(ReasonLimit, fmt.Sprintf("%d bytes of the archive hold more than %d (max_bytes %d for all entries, max_ratio %d)", e.CompressedSize64, limit, opts.maxBytes(), opts.maxRatio()))
	case err != nil:
		return refuse(zipReason(err), fmt.Sprintf("after %d bytes of text: %v", len(raw), err))
	}
	return document(File{ID: id, Path: file.Path + ":" + e.Name, Rel: file.Rel + ":" + e.Name, Encoding: file.Encoding, EBook: file.EBook}, raw, opts)
}

// zipReason tells a broken archive from one that cannot be opened.
func zipReason(err error) string {
	var pe *fs.PathError
	if errors.As(err, &pe) || errors.Is(err, context.Canceled) {
		return ReasonUnreadable
	}
	return ReasonZip
}
