package export

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"

	"github.com/gofrs/flock"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/storage"
)

// ErrForeign says that the folder to write holds something else.
var ErrForeign = errors.New("not an export")

// ErrBusy says that another export is being written into the same place.
var ErrBusy = errors.New("another export writes there")

const (
	sumsFile     = "SHA256SUMS"
	manifestFile = "manifest.json"
	markFile     = ".commonplace-export" // says that a folder is one in the making
)

// folder is an export in the making: a hidden folder beside the one that it
// becomes.
type folder struct {
	final, temp string
	lock        *flock.Flock
	published   bool // temp is what was replaced, or somebody else's

	mu    sync.Mutex
	files []record
}

// record is one file of the export.
type record struct {
	Path   string // with slashes, from the export's folder
	Bytes  int64
	SHA256 string
}

// open takes away what a killed run left, and begins again.
func open(final string) (*folder, error) {
	final, err := filepath.Abs(final)
	if err != nil {
		return nil, err
	}
	if err := replaceable(final); err != nil {
		return nil, err
	}
	// Folders are removed whole below: only those that hold nothing of others are.
	dir, name := filepath.Split(final)
	f := &folder{final: final, temp: filepath.Join(dir, "."+name+".partial")}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, refused("make the folder", dir, err)
	}
	f.lock = flock.New(f.temp + ".lock")
	if info, err := os.Stat(f.lock.Path()); err == nil && info.Size() > 0 {
		return nil, fmt.Errorf("%s: %w: move it away, or choose another folder", f.lock.Path(), ErrForeign)
	}
	got, err := f.lock.TryLock()
	if err != nil {
		return nil, refused("lock", f.temp, err)
	}
	if !got {
		return nil, fmt.Errorf("%s: %w: wait for it, or choose another folder", final, ErrBusy)
	}
	if err := f.begin(); err != nil {
		f.unlock()
		return nil, err
	}
	return f, nil
}

// begin makes a new temporary folder and marks it as ours.
func (f *folder) begin() error {
	for _, left := range []string{f.temp, f.temp + ".old"} {
		if err := removable(left); err != nil {
			return err
		}
		if err := remove(left); err != nil {
			return refused("clear", left, err)
		}
	}
	if err := os.Mkdir(f.temp, 0o755); err != nil {
		return refused("make the folder", f.temp, err)
	}
	if err := mark(f.temp); err != nil {
		os.Remove(f.temp)
		return refused("write into", f.temp, err)
	}
	return nil
}

// mark says that a folder is one in the making. No link is followed.
func mark(path string) error {
	f, err := storage.OpenOwn(filepath.Join(path, markFile), os.O_WRONLY|os.O_CREATE)
	if err != nil {
		return err
	}
	return f.Close()
}

// maxList is how much of the list of an export's files is read, or of its manifest.
const maxList = 64 << 20

// removable refuses a folder that is neither one in the making, which bears the
// mark, nor what an export may replace.
func removable(path string) error {
	if info, err := os.Lstat(filepath.Join(path, markFile)); err == nil && info.Mode().IsRegular() {
		return nil
	}
	if err := replaceable(path); err != nil {
		return fmt.Errorf("%w (a killed export of version 0.1.0 leaves such a folder: remove it then)", err)
	}
	return nil
}

// replaceable refuses a folder that is neither empty nor an earlier export.
func replaceable(path string) error {
	entries, err := os.ReadDir(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%s: %w: %w; choose a folder", path, ErrForeign, cause(err))
	}
	if len(entries) == 0 {
		return nil
	}
	foreign := entries[0].Name()
	if ours := listed(path); ours != nil {
		foreign = ""
		err = filepath.WalkDir(path, func(at string, d fs.DirEntry, err error) error {
			name, _ := filepath.Rel(path, at)
			if err != nil || d.IsDir() || d.Type().IsRegular() && ours[filepath.ToSlash(name)] {
				return err
			}
			foreign = name
			return fs.SkipAll
		})
		if err != nil {
			return fmt.Errorf("%s: %w: %w; choose another folder", path, ErrForeign, cause(err))
		}
	}
	if foreign != "" {
		return fmt.Errorf("%s: %w: it holds %s; choose an empty or a new folder", path, ErrForeign, foreign)
	}
	return nil
}

// listed are the files that an export in a folder says are its own; nil where
// there is none.
func listed(path string) map[string]bool {
	var m struct {
		Program string `json:"program"`
	}
	b, err := storage.ReadOwn(filepath.Join(path, manifestFile), maxList)
	if err != nil || json.Unmarshal(b, &m) != nil || m.Program != program {
		return nil
	}
	sums, err := storage.ReadOwn(filepath.Join(path, sumsFile), maxList)
	if err != nil {
		return nil
	}
	files := map[string]bool{sumsFile: true}
	for line := range strings.Lines(string(sums)) {
		if _, name, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "  "); ok {
			files[name] = true
		}
	}
	return files
}

// drop gives up, unless the export is published: nothing of it stays.
func (f *folder) drop() {
	if f.published {
		return
	}
	remove(f.temp)
	f.unlock()
}

func (f *folder) unlock() {
	os.Remove(f.lock.Path()) // which was empty when it was taken
	f.lock.Unlock()
}

// add takes note of a file that another writer made in the folder.
func (f *folder) add(r record) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.files = append(f.files, r)
}

// path is where a file of the export lies while it is made.
func (f *folder) path(name string) string { return filepath.Join(f.temp, filepath.FromSlash(name)) }

// publish writes the sums and lets the folder appear in place of the old one.
func (f *folder) publish(ctx context.Context) error {
	slices.SortFunc(f.files, func(a, b record) int { return strings.Compare(a.Path, b.Path) })
	var sums strings.Builder
	for _, r := range f.files {
		fmt.Fprintf(&sums, "%s  %s\n", r.SHA256, r.Path)
	}
	if err := f.write(sumsFile, sums.String()); err != nil {
		return err
	}
	if err := os.Remove(filepath.Join(f.temp, markFile)); err != nil { // whole: its sums are its mark
		return refused("write into", f.temp, err)
	}
	if err := syncFolders(ctx, f.temp); err != nil {
		return err
	}
	if err := f.swap(ctx); err != nil {
		return refused("replace", f.final, err)
	}
	f.published = true
	defer f.unlock()
	if err := storage.Local.SyncDir(ctx, filepath.Dir(f.final)); err != nil {
		return refused("sync the folder of", f.final, err)
	}
	return removeOld(f.temp)
}

// swap gives the new folder its name and the old one, if there is one, the
// temporary name.
func (f *folder) swap(ctx context.Context) error {
	err := os.Rename(f.temp, f.final) // goes where nothing is, or an empty folder
	if !errors.Is(err, syscall.ENOTEMPTY) && !errors.Is(err, syscall.EEXIST) {
		return err
	}
	if err := storage.Local.Exchange(ctx, f.temp, f.final); !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	// Not in one step, then: killed in between, the old one is not there.
	old := f.temp + ".old"
	if err := os.Rename(f.final, old); err != nil {
		return err
	}
	if err := os.Rename(f.temp, f.final); err != nil {
		return errors.Join(err, os.Rename(old, f.final))
	}
	return removeOld(old)
}

// removeOld removes the export that was replaced, if there was one. What somebody
// put into it meanwhile stays, and so does all beside it.
func removeOld(path string) error {
	if err := replaceable(path); err != nil {
		return err
	}
	if err := remove(path); err != nil {
		return refused("remove", path, err)
	}
	return nil
}

// remove takes a folder of ours away.
func remove(path string) error { return removeBy(path, os.RemoveAll) }

// removeBy makes the mark first and removes it last, so that the next export continues a
// removal that was killed.
func removeBy(path string, removeAll func(string) error) error {
	entries, err := os.ReadDir(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = mark(path)
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Name() == markFile {
			continue
		}
		if err := removeAll(filepath.Join(path, e.Name())); err != nil {
			return err
		}
	}
	return removeAll(path)
}

func syncFolders(ctx context.Context, root string) error {
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			err = storage.Local.SyncDir(ctx, path)
		}
		if err != nil {
			return refused("sync", path, err)
		}
		return nil
	})
}

// write makes a small file whole.
func (f *folder) write(name, content string) error {
	w, err := f.create(name)
	if err != nil {
		return err
	}
	w.WriteString(commonplace.Printable(content)) // a card is read on terminals
	return w.close()
}

// file is a file of the export that is hashed as it is written. The first error
// is kept until close.
type file struct {
	*bufio.Writer
	folder *folder
	name   string
	on     *os.File
	sum    hash.Hash
	size   int64
}

func (f *folder) create(name string) (*file, error) {
	path := f.path(name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, refused("make the folder of", path, err)
	}
	on, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return nil, refused("create", path, err)
	}
	w := &file{folder: f, name: name, on: on, sum: sha256.New()}
	w.Writer = bufio.NewWriterSize(sink{w}, 64<<10)
	return w, nil
}

// sink is where the buffer goes.
type sink struct{ of *file }

func (s sink) Write(p []byte) (int, error) {
	n, err := s.of.on.Write(p)
	s.of.sum.Write(p[:n])
	s.of.size += int64(n)
	return n, err
}

func (w *file) close() error {
	err := w.Flush()
	if err == nil {
		err = w.on.Sync()
	}
	if closing := w.on.Close(); err == nil {
		err = closing
	}
	if err != nil {
		return refused("write", filepath.Join(w.folder.final, w.name), err)
	}
	w.folder.add(record{w.name, w.size, hex.EncodeToString(w.sum.Sum(nil))})
	return nil
}

// refused says what the disk would not do, without the temporary name.
func refused(verb, path string, err error) error {
	advice := "choose a folder that you may write to"
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		advice = "free some space and export again"
	}
	return fmt.Errorf("%s %s: %w: %w; %s", verb, path, storage.ErrRefused, cause(err), advice)
}

func cause(err error) error {
	var p *fs.PathError
	var l *os.LinkError
	switch {
	case errors.As(err, &p):
		return p.Err
	case errors.As(err, &l):
		return l.Err
	}
	return err
}
