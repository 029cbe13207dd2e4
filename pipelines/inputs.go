package pipelines

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/crawl/files"
	"github.com/commonplace/commonplace/storage"
)

// What is read may lie in a bucket. The rooms below read files of this machine,
// by name and in any order, so a file is brought here while it is being read.

// onDisk gives the name of a file of this machine with a path's contents: the
// file itself, or a copy of what lies in a bucket, which done removes. The copy
// has the same last name, by which its format is known.
func onDisk(path string) (name string, done func(), err error) {
	if !storage.Remote(path) {
		return path, func() {}, nil
	}
	dir, err := os.MkdirTemp("", "input-")
	if err != nil {
		return "", nil, err
	}
	done = func() { os.RemoveAll(dir) }
	name = filepath.Join(dir, filepath.Base(path))
	if err := bring(path, name); err != nil {
		done()
		return "", nil, err
	}
	return name, done, nil
}

// brought tells apart what is no longer there, which is refused as an unreadable
// file is, and a bucket that fails: the document may be there tomorrow, so the
// task fails and is made again.
type brought struct{ failed error }

func (b *brought) refuse(id string, err error) *commonplace.Reject {
	if !errors.Is(err, fs.ErrNotExist) && b.failed == nil {
		b.failed = fmt.Errorf("%s: %w: %w; run again", id, storage.ErrRefused, err)
	}
	return &commonplace.Reject{ID: id, Reason: files.ReasonUnreadable, Detail: "it is no longer there; run again"}
}

// bring copies a file of any storage to one of this machine.
func bring(path, to string) error {
	from, err := openInput(path)
	if err != nil {
		return err
	}
	defer from.Close()
	f, err := os.Create(to)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, from)
	return errors.Join(err, f.Close())
}

// input is a file of any storage, read from its beginning.
type input struct {
	io.Reader
	io.Closer
	size int64
}

// openInput opens a file of any storage.
func openInput(path string) (input, error) {
	f, err := storage.Default.Open(path)
	if err != nil {
		return input{}, err
	}
	return input{io.NewSectionReader(f, 0, f.Size()), f, f.Size()}, nil
}

// deepest is how many folders deep a bucket's folder is looked into.
const deepest = 8

// shadows are empty files of this machine in the place of a bucket's objects,
// so that the rooms that walk folders name what lies in a bucket as they name
// what lies in a folder.
type shadows struct {
	dir string
	of  map[string]string // root below dir to the bucket's path
}

// shadow gives for each path or glob one of this machine. Those of this machine
// stay as they are.
func shadow(patterns []string) (local []string, s *shadows, err error) {
	s = &shadows{of: map[string]string{}}
	for _, p := range patterns {
		if !storage.Remote(p) {
			local = append(local, p)
			continue
		}
		l, err := s.add(p)
		if err != nil {
			s.remove()
			return nil, nil, err
		}
		local = append(local, l)
	}
	return local, s, nil
}

func (s *shadows) add(pattern string) (string, error) {
	if s.dir == "" {
		dir, err := os.MkdirTemp("", "bucket-")
		if err != nil {
			return "", err
		}
		if s.dir, err = filepath.EvalSymlinks(dir); err != nil {
			return "", err
		}
	}
	root := filepath.Join(s.dir, fmt.Sprint(len(s.of)))
	folder, glob := beforeGlob(pattern)
	if glob == "" && !strings.HasSuffix(pattern, "/") {
		if _, err := storage.Default.Size(pattern); err == nil { // an object, not a folder
			folder = storage.Folder(pattern)
			name := path.Base(pattern)
			s.of[root] = folder
			return filepath.Join(root, name), touch(root, name)
		} else if !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	folder = strings.TrimSuffix(folder, "/")
	names, err := storage.ListBelow(folder, deepest)
	if err != nil {
		return "", err
	}
	if len(names) == 0 {
		return "", fmt.Errorf("no input at %s: nothing lies there", pattern)
	}
	s.of[root] = folder
	for _, name := range names {
		if !filepath.IsLocal(name) {
			return "", fmt.Errorf("%s/%s: a name that no folder can hold", folder, name)
		}
		if err := touch(root, name); err != nil {
			return "", err
		}
	}
	return filepath.Join(root, filepath.FromSlash(glob)), nil
}

// beforeGlob parts a pattern before its first name with a wildcard.
func beforeGlob(pattern string) (folder, glob string) {
	names := strings.Split(pattern, "/")
	at := slices.IndexFunc(names, func(n string) bool { return strings.ContainsAny(n, "*?[") })
	if at < 0 {
		return pattern, ""
	}
	return strings.Join(names[:at], "/"), strings.Join(names[at:], "/")
}

func touch(root, name string) error {
	path := filepath.Join(root, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, nil, 0o644)
}

// back is the bucket's path of a shadow; other paths stay as they are.
func (s *shadows) back(p string) string {
	for root, folder := range s.of {
		if rest, ok := strings.CutPrefix(p, root+string(filepath.Separator)); ok {
			return storage.Join(folder, filepath.ToSlash(rest))
		}
		if p == root {
			return folder
		}
	}
	return p
}

// told puts the bucket's paths into an error's words.
func (s *shadows) told(err error) error {
	if err == nil || len(s.of) == 0 {
		return err
	}
	text := err.Error()
	for root, folder := range s.of {
		text = strings.ReplaceAll(text, root, folder)
	}
	return errors.New(text)
}

func (s *shadows) remove() {
	if s.dir != "" {
		os.RemoveAll(s.dir)
	}
}

// folderOnDisk gives a folder of this machine with what a bucket's folder holds,
// for models, which are opened by name and used as long as the process lives. It
// stays in the user's cache: a folder with the same names, sizes and times is
// not brought again.
func folderOnDisk(folder string) (string, error) {
	if !storage.Remote(folder) || folder == "" {
		return folder, nil
	}
	folder = strings.TrimSuffix(folder, "/")
	names, err := storage.ListBelow(folder, deepest)
	if err != nil {
		return "", err
	}
	if len(names) == 0 {
		return "", fmt.Errorf("%w: %s: nothing lies there", fs.ErrNotExist, folder)
	}
	slices.Sort(names)
	var made []string
	for _, name := range names {
		if !filepath.IsLocal(name) {
			return "", fmt.Errorf("%s/%s: a name that no folder can hold", folder, name)
		}
		t, err := lastChange(folder + "/" + name)
		if err != nil {
			return "", err
		}
		made = append(made, name, t.UTC().Format(time.RFC3339Nano))
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir() // a worker without a home
	}
	cache = filepath.Join(cache, "commonplace", "models")
	there := filepath.Join(cache, keyOf(folder, made))
	if _, err := os.Stat(there); err == nil {
		return there, nil
	}
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return "", err
	}
	temp, err := os.MkdirTemp(cache, ".model-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(temp)
	for _, name := range names {
		to := filepath.Join(temp, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return "", err
		}
		if err := bring(folder+"/"+name, to); err != nil {
			return "", err
		}
	}
	if err := os.Rename(temp, there); err != nil {
		if _, made := os.Stat(there); made != nil { // else another process was first
			return "", err
		}
	}
	return there, nil
}
