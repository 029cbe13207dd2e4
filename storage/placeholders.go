package storage

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// What is read may lie in a bucket. The packages of crawl read files of this
// machine, by name and in any order, so a file is downloaded while it is being read.

// Placeholders are empty files of this machine in the place of a bucket's objects,
// so that the packages that walk folders name what lies in a bucket as they name
// what lies in a folder.
type Placeholders struct {
	dir string
	of  map[string]string // root below dir to the bucket's path
}

// NewPlaceholders gives for each path or glob one of this machine. Those of this machine
// stay as they are.
func NewPlaceholders(ctx context.Context, patterns []string) (here []string, s *Placeholders, err error) {
	s = &Placeholders{of: map[string]string{}}
	for _, p := range patterns {
		if !Remote(p) {
			here = append(here, p)
			continue
		}
		l, err := s.add(ctx, p)
		if err != nil {
			s.Remove()
			return nil, nil, err
		}
		here = append(here, l)
	}
	return here, s, nil
}

func (s *Placeholders) add(ctx context.Context, pattern string) (string, error) {
	if s.dir == "" {
		dir, err := os.MkdirTemp(TempDir(ctx), "bucket-")
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
		if _, err := Default.Size(ctx, pattern); err == nil { // an object, not a folder
			folder = Folder(pattern)
			name := path.Base(pattern)
			s.of[root] = folder
			return filepath.Join(root, name), createEmpty(root, name)
		} else if !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	folder = strings.TrimSuffix(folder, "/")
	names, err := ListBelow(ctx, folder, deepest)
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
		if err := createEmpty(root, name); err != nil {
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

// createEmpty makes an empty file, and the folders that lead to it.
func createEmpty(root, name string) error {
	path := filepath.Join(root, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, nil, 0o644)
}

// Original is the bucket's path of a placeholder; other paths stay as they are.
func (s *Placeholders) Original(p string) string {
	for root, folder := range s.of {
		if rest, ok := strings.CutPrefix(p, root+string(filepath.Separator)); ok {
			return Join(folder, filepath.ToSlash(rest))
		}
		if p == root {
			return folder
		}
	}
	return p
}

// WithOriginals names the bucket's paths in an error's text where it names
// placeholders. The error stays what it is.
func (s *Placeholders) WithOriginals(err error) error {
	if err == nil || len(s.of) == 0 {
		return err
	}
	text := err.Error()
	for root, folder := range s.of {
		text = strings.ReplaceAll(text, root, folder)
	}
	return &renamed{text, err}
}

// Renamed names path in an error's text in the place of name, which is that of a
// copy of it. The error stays what it is.
func Renamed(err error, name, path string) error {
	if err == nil || name == path {
		return err
	}
	return &renamed{strings.ReplaceAll(err.Error(), name, path), err}
}

// renamed is an error with other paths in its text.
type renamed struct {
	text string
	err  error
}

func (e *renamed) Error() string { return e.text }
func (e *renamed) Unwrap() error { return e.err }

// Remove removes the placeholders.
func (s *Placeholders) Remove() {
	if s.dir != "" {
		os.RemoveAll(s.dir)
	}
}
