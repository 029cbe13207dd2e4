package files

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/klauspost/compress/zip"

	commonplace "github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/bounded"
	"github.com/commonplace/commonplace/crawl"
)

// ReasonZip is the reason for archives and entries that cannot be read.
const (
	ReasonZip    = "broken zip"
	ReasonUnsafe = "unsafe entry"
	ReasonNested = "nested archive"
)

// listZip names the texts of an archive, in the order of their names. The id of
// an archive's only text is the archive's; of several, archive/entry.
func listZip(file File, opts Options, yield func(Entry, error) bool) {
	refuse := func(id, name, reason, detail string) bool {
		at := file.Path
		if name != "" {
			at += ":" + crawl.Printable(name)
		}
		return yield(Entry{}, refused(id, at, reason, detail))
	}
	archive, err := bounded.OpenZip(file.Path, opts.Limits)
	if err != nil {
		refuse(file.ID, "", zipReason(err), err.Error())
		return
	}
	defer archive.Close()
	var entries []*zip.File
	promised, texts := uint64(0), 0
	for _, e := range archive.File {
		if !e.FileInfo().IsDir() && !strings.HasPrefix(path.Base(e.Name), ".") && !strings.HasPrefix(e.Name, "__MACOSX/") && isEntry(e) {
			entries = append(entries, e)
			if !(File{Path: e.Name}).isLines() {
				texts++
			}
			promised += min(e.UncompressedSize64, 1<<40)
		}
	}
	if len(entries) == 0 {
		refuse(file.ID, "", ReasonEmpty, fmt.Sprintf("none of the archive's %d entries is a .txt", len(archive.File)))
		return
	}
	// Entries can lie over one another: each is harmless, all together a bomb.
	if info, err := os.Stat(file.Path); err == nil {
		l := opts.Limits.WithDefaults()
		if limit := l.Unpacked(info.Size(), l.Bytes); promised > uint64(limit) && len(entries) > 1 {
			refuse(file.ID, "", ReasonLimit, bounded.Over("ratio", l.Ratio, "%d bytes of archive hold more than %d", info.Size(), limit).Error())
			return
		}
	}
	slices.SortStableFunc(entries, func(a, b *zip.File) int { return strings.Compare(a.Name, b.Name) })
	taken := map[string]bool{}
	for _, e := range entries {
		name := e.Name
		id := strings.TrimSuffix(file.ID, ".zip")
		if list := (File{Path: name}).isLines(); texts > 1 || list {
			id += "/" + ID(name)
		}
		ok := true
		switch what, bad := unsafeName(e), crawl.BadID(id); {
		case bad != "":
			ok = refuse(id, name, ReasonBadID, bad)
		case what != "":
			ok = refuse(id, name, ReasonUnsafe, what)
		case isArchive(e.Name):
			ok = refuse(id, name, ReasonNested, "an archive inside an archive is not opened; unpack it")
		case (File{Path: name}).isLines():
			ok = refuse(id, name, ReasonNotText, listInArchive)
		case e.Flags&1 != 0:
			ok = refuse(id, name, ReasonZip, "the entry is encrypted")
		case taken[name]:
			ok = refuse(id, name, ReasonDuplicate, "another entry has this name already")
		default:
			ok = yield(Entry{ID: id, Name: name, CRC: e.CRC32, Size: int64(e.UncompressedSize64)}, nil)
		}
		taken[name] = true
		if !ok {
			return
		}
	}
}

// openZip makes the entries of an archive readable in any order.
func (o *Opened) openZip() error {
	archive, err := bounded.OpenZip(o.file.Path, o.opts.Limits)
	if err != nil {
		_, err = refusal(o.file.ID, o.file.Path)(zipReason(err), err.Error())
		return err
	}
	o.shut = archive.Close
	first := map[string]*zip.File{}
	for _, e := range archive.File {
		if first[e.Name] == nil {
			first[e.Name] = e
		}
	}
	o.read = func(ctx context.Context, e Entry) (commonplace.Document, error) {
		entry := first[e.Name]
		if entry == nil || entry.CRC32 != e.CRC || int64(entry.UncompressedSize64) != e.Size {
			return refusal(e.ID, o.file.Path+e.Where())(ReasonChanged, "the archive has changed since it was listed; run again")
		}
		return readEntry(ctx, o.file, entry, e.ID, o.opts)
	}
	return nil
}

// isEntry says that an entry is a text by its name, or is to be refused aloud.
func isEntry(e *zip.File) bool {
	return strings.HasSuffix(strings.ToLower(e.Name), ".txt") || unsafeName(e) != "" || isArchive(e.Name) || (File{Path: e.Name}).isLines()
}

// listInArchive is what lines of JSON in an archive get: passed over in silence, their
// documents would be missed.
const listInArchive = "a list inside an archive is not read; unpack it, and name the list"

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

// readEntry reads one text.
func readEntry(ctx context.Context, file File, e *zip.File, id string, opts Options) (commonplace.Document, error) {
	refuse := refusal(id, file.Path+":"+e.Name)
	limit := opts.unpacked(int64(min(e.CompressedSize64, 1<<40)))
	r, err := e.Open()
	if err != nil {
		return refuse(zipReason(err), err.Error())
	}
	defer r.Close()
	raw, err := take(ctx, r, int64(min(e.UncompressedSize64, e.CompressedSize64*16, 1<<40)), limit)
	switch {
	case errors.Is(err, errLimit):
		return refuse(ReasonLimit, fmt.Sprintf("%d bytes of the archive hold more than %d (%s)", e.CompressedSize64, limit, opts.limitInWords()))
	case err != nil:
		return refuse(zipReason(err), fmt.Sprintf("after %d bytes of text: %v", len(raw), err))
	}
	return document(File{ID: id, Path: file.Path + ":" + e.Name, Rel: file.Rel + ":" + e.Name, Encoding: file.Encoding, EBook: file.EBook}, raw, opts)
}

// zipReason distinguishes a broken archive from one that cannot be opened.
func zipReason(err error) string {
	var pe *fs.PathError
	var over *bounded.Error
	if errors.As(err, &over) {
		return ReasonLimit
	}
	if errors.As(err, &pe) || errors.Is(err, context.Canceled) {
		return unreadable(err)
	}
	return ReasonZip
}
