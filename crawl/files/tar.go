package files

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"

	commonplace "github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/bounded"
	"github.com/commonplace/commonplace/crawl"
	"github.com/commonplace/commonplace/storage"
)

// ReasonTar is the reason for a tar archive that cannot be read to its end. Nothing is
// taken of it.
const ReasonTar = "broken tar"

// listTar names the texts of a tar archive, in its order, each with its hash. Their ids
// are archive/entry, also of one alone.
func listTar(ctx context.Context, file File, opts Options, yield func(Entry, error) bool) {
	refuse := func(id, name, reason, detail string) bool {
		at := file.Path
		if name != "" {
			at += ":" + crawl.Printable(name)
		}
		return yield(Entry{}, refused(id, at, reason, detail))
	}
	breakOff := func(err error) {
		refuse(file.ID, "", tarReason(err), fmt.Sprintf("the archive ends here, before its end, and nothing is taken of it: %v", err))
	}
	archive, err := bounded.OpenTar(ctx, file.Path, opts.Limits)
	if err != nil {
		refuse(file.ID, "", tarReason(err), err.Error())
		return
	}
	defer archive.Close()
	taken, budget := map[string]bool{}, bounded.Budget{Most: opts.Limits.WithDefaults().Memory}
	base, _ := bounded.CutTar(file.ID)
	any := false
	for {
		e, err := archive.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			breakOff(err)
			return
		}
		if e.Dir || strings.HasPrefix(path.Base(e.Name), ".") || !isTarText(e) {
			continue
		}
		any = true
		if err := budget.Hold(int64(len(e.Name)) + 64); err != nil {
			breakOff(err)
			return
		}
		id := base + "/" + ID(e.Name)
		ok := true
		switch what, bad := unsafeEntry(e), crawl.BadID(id); {
		case bad != "":
			ok = refuse(id, e.Name, ReasonBadID, bad)
		case what != "":
			ok = refuse(id, e.Name, ReasonUnsafe, what)
		case isArchive(e.Name):
			ok = refuse(id, e.Name, ReasonNested, "an archive inside an archive is not opened; unpack it")
		case (File{Path: e.Name}).isLines():
			ok = refuse(id, e.Name, ReasonNotText, listInArchive)
		case taken[e.Name]:
			ok = refuse(id, e.Name, ReasonDuplicate, "another entry has this name already")
		default:
			sum := sha256.New()
			if _, err := io.Copy(sum, archive); err != nil {
				breakOff(err)
				return
			}
			ok = yield(Entry{ID: id, Name: e.Name, Begin: e.Begin, Size: e.Size, SHA256: hex.EncodeToString(sum.Sum(nil))}, nil)
		}
		taken[e.Name] = true
		if !ok {
			return
		}
	}
	if !any {
		refuse(file.ID, "", ReasonEmpty, "none of the archive's entries is a .txt")
	}
}

// isTarText says that an entry is a text by its name, or is to be refused aloud.
// Project Gutenberg has called texts .txt.utf-8.
func isTarText(e bounded.TarEntry) bool {
	name := strings.ToLower(e.Name)
	return strings.HasSuffix(name, ".txt") || strings.HasSuffix(name, ".txt.utf-8") || strings.HasSuffix(name, ".txt.utf8") || unsafeEntry(e) != "" || isArchive(name) || (File{Path: name}).isLines()
}

// unsafeEntry says what is wrong with an entry that is not a plain file below the
// archive's root.
func unsafeEntry(e bounded.TarEntry) string {
	switch {
	case e.Wrong != "":
		return e.Wrong
	case strings.ContainsAny(e.Name, "\\\x00"):
		return "its name holds a backslash or a NUL"
	case !fs.ValidPath(e.Name):
		return "its name leads out of the archive"
	}
	return ""
}

// openTar makes the entries of a tar archive readable in any order. A packed one is
// unpacked into a temporary file first.
func (o *Opened) openTar(ctx context.Context) error {
	refuse := func(err error) error {
		if errors.Is(err, storage.ErrRefused) {
			return err
		}
		return refused(o.file.ID, o.file.Path, tarReason(err), err.Error())
	}
	var f *os.File
	var err error
	if bounded.IsPackedTar(o.file.Path) {
		if f, err = os.CreateTemp(o.opts.Temp, "tar-*.tmp"); err != nil {
			return refuse(err)
		}
		os.Remove(f.Name()) // it goes when it is closed
		if err := UnpackTar(ctx, o.file.Path, f, o.opts.Limits); err != nil {
			f.Close()
			return refuse(err)
		}
	} else if f, _, err = bounded.OpenFile(o.file.Path); err != nil {
		return refuse(err)
	}
	o.shut = f.Close
	o.read = func(ctx context.Context, e Entry) (commonplace.Document, error) {
		refuse := refusal(e.ID, o.file.Path+e.Where())
		if e.Size > o.opts.maxBytes() {
			return refuse(ReasonLimit, fmt.Sprintf("%d bytes, more than max_bytes %d", e.Size, o.opts.maxBytes()))
		}
		raw, err := take(ctx, io.NewSectionReader(f, e.Begin, e.Size), e.Size, e.Size)
		if ctx.Err() != nil {
			return commonplace.Document{}, ctx.Err()
		}
		if err != nil {
			return refuse(unreadable(err), err.Error())
		}
		if sum(raw) != e.SHA256 {
			return refuse(ReasonChanged, "the archive has changed since it was listed; run again")
		}
		return document(File{ID: e.ID, Path: o.file.Path + e.Where(), Rel: o.file.Rel + e.Where(), Encoding: cmp.Or(e.Encoding, o.file.Encoding), EBook: cmp.Or(e.EBook, o.file.EBook)}, raw, o.opts)
	}
	return nil
}

// UnpackTar writes a packed tar archive as it is without its packing. Its entries lie
// there at their Begin. An error of what is written is [storage.ErrRefused].
func UnpackTar(ctx context.Context, path string, to io.Writer, l bounded.Limits) error {
	archive, err := bounded.OpenTar(ctx, path, l)
	if err != nil {
		return err
	}
	defer archive.Close()
	disk := &written{to: to}
	if err := archive.Unpack(disk); disk.err == nil {
		return err
	}
	return storage.Mark(disk.err)
}

// written remembers why it could not be written: that is no fault of what was read.
type written struct {
	to  io.Writer
	err error
}

func (w *written) Write(p []byte) (int, error) {
	n, err := w.to.Write(p)
	if err != nil {
		w.err = err
	}
	return n, err
}

// tarReason is the reason for an archive that cannot be opened or read to its end.
func tarReason(err error) string {
	var broken *bounded.BrokenTar
	var over *bounded.Error
	switch {
	case errors.As(err, &over):
		return ReasonFileLimit
	case errors.As(err, &broken):
		return ReasonTar
	}
	return unreadable(err)
}
