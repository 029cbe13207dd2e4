package storage

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/commonplace/commonplace/bounded"
)

// MarkFile is the name of the file that marks a folder as a run's. Sources leave such
// folders out, or a run whose folder lies in its library would read what it wrote.
const MarkFile = ".commonplace.json"

// Tree is what a path or a glob names: a folder of this machine or of a bucket, and
// what of it is meant.
type Tree struct {
	Root string // the folder
	FS   fs.FS  // what is below it
	Glob string // below the root; empty: all
	File string // name of the only file, where the path names one
	path string // of that file, as it was given
}

// OpenTree finds what a pattern names. In a glob, everything from the first name
// with a wildcard on is Tree.Glob; a name that is there as it is written is no glob.
func OpenTree(ctx context.Context, pattern string) (Tree, error) {
	open := localTree
	if Remote(pattern) {
		open = bucketTree
	}
	t, err := open(ctx, pattern)
	if err != nil {
		return Tree{}, fmt.Errorf("no input at %s: %w", pattern, err)
	}
	return t, nil
}

// Path is where a name below the root is.
func (t Tree) Path(name string) string {
	if t.path != "" {
		return t.path
	}
	return Join(t.Root, filepath.FromSlash(name))
}

// LeadsOut says that a name below the root is a link to what is not below it. By such a link
// a folder from somebody else can name a private file of the user's. A link to nowhere leads
// nowhere.
func (t Tree) LeadsOut(name string) bool {
	if _, local := t.FS.(localFolder); !local {
		return false
	}
	if info, err := os.Lstat(t.Path(name)); err == nil && info.Mode()&fs.ModeSymlink == 0 {
		return false // no link, and links to folders are not followed
	}
	at, err := followed(t.Path(name))
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist)
	}
	root, err := followed(t.Root)
	if err != nil {
		return true
	}
	rel, err := filepath.Rel(root, at)
	return err != nil || !filepath.IsLocal(rel)
}

// followed is the absolute path of what a path leads to.
func followed(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(path)
}

func localTree(_ context.Context, pattern string) (Tree, error) {
	root, glob := beforeGlob(filepath.ToSlash(pattern))
	if _, err := os.Stat(pattern); err == nil { // also a name with [ or * in it
		root, glob = pattern, ""
	}
	info, err := os.Stat(root)
	if err != nil {
		return Tree{}, cause(err)
	}
	if info.Mode().IsRegular() {
		dir, name := filepath.Split(root)
		return Tree{Root: filepath.Clean(dir), FS: localFolder(filepath.Clean(dir)), File: name, path: root}, nil
	}
	if !info.IsDir() {
		return Tree{}, errors.New("it is neither a file nor a folder")
	}
	if root, err = filepath.EvalSymlinks(root); err != nil {
		return Tree{}, cause(err)
	}
	return Tree{Root: root, FS: localFolder(root), Glob: glob}, nil
}

// cause is the reason inside a path error, whose path the caller names.
func cause(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

// beforeGlob parts a pattern before its first name with a wildcard.
func beforeGlob(pattern string) (root, glob string) {
	names := strings.Split(pattern, "/")
	at := slices.IndexFunc(names, func(n string) bool { return strings.ContainsAny(n, "*?[") })
	switch root = strings.Join(names[:max(at, 0)], "/"); {
	case at < 0:
		return pattern, ""
	case at == 0:
		root = "."
	case root == "":
		root = "/"
	}
	return root, strings.Join(names[at:], "/")
}

// InGlob writes a folder's path for the beginning of a glob: a wildcard in a name of it
// stands for itself.
func InGlob(folder string) string {
	root, names := beforeGlob(filepath.ToSlash(folder))
	if names == "" {
		return folder
	}
	names = strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(names)
	if root == "." {
		return names
	}
	return strings.TrimSuffix(root, "/") + "/" + names
}

// localFolder is a folder of this machine. Unlike os.DirFS it takes names that are not
// UTF-8, which files may have.
type localFolder string

func (f localFolder) path(name string) string {
	return filepath.Join(string(f), filepath.FromSlash(name))
}

func (f localFolder) Open(name string) (fs.File, error) {
	file, _, err := bounded.OpenFile(f.path(name))
	if err != nil {
		return nil, err
	}
	return file, nil
}

func (f localFolder) ReadDir(name string) ([]fs.DirEntry, error) { return os.ReadDir(f.path(name)) }

func (f localFolder) Stat(name string) (fs.FileInfo, error) { return os.Stat(f.path(name)) }

func bucketTree(ctx context.Context, pattern string) (Tree, error) {
	root, glob := beforeGlob(pattern)
	if glob == "" && !strings.HasSuffix(pattern, "/") {
		if _, err := Default.Size(ctx, pattern); err == nil { // an object, not a folder
			f := newObjects(ctx, Folder(pattern))
			f.add(path.Base(pattern))
			return Tree{Root: f.root, FS: f, File: path.Base(pattern), path: pattern}, nil
		} else if !errors.Is(err, fs.ErrNotExist) {
			return Tree{}, err
		}
	}
	f := newObjects(ctx, strings.TrimSuffix(root, "/"))
	names, err := ListBelow(ctx, f.root, deepest)
	if err != nil {
		return Tree{}, err
	}
	if len(names) == 0 {
		return Tree{}, errors.New("nothing lies there")
	}
	for _, name := range names {
		if !filepath.IsLocal(name) {
			return Tree{}, fmt.Errorf("%s/%s is a name that no folder can hold", f.root, name)
		}
		f.add(name)
	}
	return Tree{Root: f.root, FS: f, Glob: glob}, nil
}

// objects are those below a bucket's folder, as they were when they were listed.
// Sizes are not known.
type objects struct {
	ctx    context.Context
	root   string
	inside map[string][]fs.DirEntry // by folder, sorted
}

func newObjects(ctx context.Context, root string) *objects {
	return &objects{ctx, root, map[string][]fs.DirEntry{".": nil}}
}

// add adds an object, and the folders that lead to it. They are added in order.
func (f *objects) add(name string) {
	e, dir := object{path.Base(name), 0}, path.Dir(name)
	for {
		at, there := slices.BinarySearchFunc(f.inside[dir], e, func(a fs.DirEntry, b object) int {
			return cmp.Or(strings.Compare(a.Name(), b.name), cmp.Compare(a.Type(), b.Type()))
		})
		if there {
			return
		}
		f.inside[dir] = slices.Insert(f.inside[dir], at, fs.DirEntry(e))
		if dir == "." {
			return
		}
		e, dir = object{path.Base(dir), fs.ModeDir}, path.Dir(dir)
	}
}

func (f *objects) ReadDir(name string) ([]fs.DirEntry, error) {
	if list, there := f.inside[name]; there {
		return list, nil
	}
	return nil, &fs.PathError{Op: "list", Path: Join(f.root, name), Err: fs.ErrNotExist}
}

func (f *objects) Stat(name string) (fs.FileInfo, error) {
	for _, e := range f.inside[path.Dir(name)] {
		if e.Name() == path.Base(name) {
			return e.Info()
		}
	}
	if _, there := f.inside[name]; there {
		return object{path.Base(name), fs.ModeDir}, nil
	}
	return nil, &fs.PathError{Op: "stat", Path: Join(f.root, name), Err: fs.ErrNotExist}
}

// Open downloads an object to read it.
func (f *objects) Open(name string) (fs.File, error) {
	info, err := f.Stat(name)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return nil, &fs.PathError{Op: "open", Path: Join(f.root, name), Err: fs.ErrInvalid}
	}
	in, err := OpenInput(f.ctx, Join(f.root, name))
	if err != nil {
		return nil, err
	}
	return openObject{in, info}, nil
}

// openObject is an object that is being read.
type openObject struct {
	input
	info fs.FileInfo
}

func (f openObject) Stat() (fs.FileInfo, error) { return f.info, nil }

// object is an object of a bucket, or a folder that leads to one.
type object struct {
	name string
	mode fs.FileMode
}

func (o object) Name() string               { return o.name }
func (o object) IsDir() bool                { return o.mode.IsDir() }
func (o object) Type() fs.FileMode          { return o.mode.Type() }
func (o object) Mode() fs.FileMode          { return o.mode }
func (o object) Info() (fs.FileInfo, error) { return o, nil }
func (o object) Size() int64                { return 0 }
func (o object) ModTime() time.Time         { return time.Time{} }
func (o object) Sys() any                   { return nil }
