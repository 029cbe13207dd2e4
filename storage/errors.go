package storage

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"syscall"
)

// ErrRefused marks what the disk or the folder refused: full, read-only, not
// permitted, failed. Nothing half-written is visible after it, and the same run
// can be started again once the cause is gone.
var ErrRefused = errors.New("storage refused")

// noLinks are the answers of file systems that know no symbolic links, such as those of
// memory sticks.
var noLinks = []error{syscall.EPERM, syscall.ENOSYS, syscall.ENOTSUP, syscall.EOPNOTSUPP}

// storageError says which file, why, and what to do.
type storageError struct {
	verb, path string
	err        error
}

func (e *storageError) Error() string {
	advice := "run again when the cause is gone: what is finished is kept"
	switch {
	case e.verb == "link" && slices.ContainsFunc(noLinks, func(no error) bool { return errors.Is(e.err, no) }):
		advice = "this file system has no symbolic links, or you may not make any: choose a folder on another one"
	case errors.Is(e.err, syscall.ENOSPC), errors.Is(e.err, syscall.EDQUOT):
		advice = "free some space and run again: what is finished is kept"
	case errors.Is(e.err, syscall.EROFS), errors.Is(e.err, syscall.ENOTDIR), errors.Is(e.err, fs.ErrPermission):
		advice = "choose a folder that you may write to"
	}
	return fmt.Sprintf("%s %s: %v; %s", e.verb, e.path, e.err, advice)
}

func (e *storageError) Unwrap() []error { return []error{ErrRefused, e.err} }

// Wrap says which file could not be read or written, and marks the error as
// [ErrRefused]. That a context ended is no fault of the storage, and is passed on;
// nil stays nil.
func Wrap(verb, path string, err error) error {
	if err == nil || interrupted(err) {
		return err
	}
	var file *fs.PathError // its path is the temporary name, which helps nobody
	var link *os.LinkError // of a renaming
	switch {
	case errors.As(err, &file):
		err = file.Err
	case errors.As(err, &link):
		err = link.Err
	}
	return &storageError{verb, path, err}
}

// Mark marks an error of temporary files, which says itself what failed, as
// [ErrRefused].
func Mark(err error) error {
	if err == nil || interrupted(err) || errors.Is(err, ErrRefused) {
		return err
	}
	return fmt.Errorf("%w: %w", ErrRefused, err)
}

// Starved reports whether an error says that the process or the machine has no file
// descriptor or no memory left: that is no fault of the file.
func Starved(err error) bool {
	return errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) || errors.Is(err, syscall.ENOMEM)
}

func interrupted(err error) bool {
	return errors.Is(err, context.Canceled) // a deadline is a server's that does not answer
}

// ErrDamaged marks a file that is not Parquet, is cut, or has a byte that is not
// what was written.
var ErrDamaged = errors.New("damaged or not a Parquet file")

// ErrFormat marks a file that another release of the program wrote in a format that this
// one does not read. It is not damaged.
var ErrFormat = errors.New("another format")

// Renamed names path in an error's text in the place of name, which is that of a
// copy of it. The error stays what it is.
func Renamed(err error, name, path string) error {
	if err == nil || name == path {
		return err
	}
	return &renamed{strings.ReplaceAll(err.Error(), name, path), err}
}

// renamed is an error with another path in its text.
type renamed struct {
	text string
	err  error
}

func (e *renamed) Error() string { return e.text }
func (e *renamed) Unwrap() error { return e.err }
