package table

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"syscall"

	"github.com/commonplace/commonplace/storage"
)

// A table that has versions, such as rankings, changes as a whole with
// every new document, and somebody may be reading it. So each version has a
// folder of its own, and two links name the current one and the one before it;
// in a bucket, two small objects that hold the name.
//
//	rankings/1c0f5e…/part-…, _commit.json
//	rankings/current  -> 1c0f5e…
//	rankings/previous -> 77ab90…
const (
	currentVersion  = "current"
	previousVersion = "previous"
)

// Versioned reports whether a table has versions.
func Versioned(name string) bool {
	t, ok := Named(name)
	return ok && t.versioned()
}

// CurrentVersion is the version that counts, or nothing.
func CurrentVersion(ctx context.Context, run, name string) (string, error) {
	return link(ctx, storage.Default, run, name, currentVersion)
}

// PreviousVersion is the version that counted before, or nothing.
func PreviousVersion(ctx context.Context, run, name string) (string, error) {
	return link(ctx, storage.Default, run, name, previousVersion)
}

// link is the version that a link names. It is [storage.ErrDamaged] where something else
// has the link's name, or where it leads to what is no folder of a version: somebody
// else made it.
func link(ctx context.Context, files storage.FileSystem, run, name, which string) (string, error) {
	path := storage.Join(run, name, which)
	version, err := files.ReadLink(ctx, path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", nil
	case errors.Is(err, syscall.EINVAL):
		return "", fmt.Errorf("%s: %w: it is no link; remove it and build again, or if the run was copied, copy it with its links (cp -a)", path, storage.ErrDamaged)
	case err != nil:
		return "", storage.Wrap("read", path, err)
	case !isVersion(version) || isLink(ctx, files, storage.Join(run, name, version)):
		return "", fmt.Errorf("%s: %w: it leads to %q, which is no version of this table; build again", path, storage.ErrDamaged, version)
	}
	return version, nil
}

// isLink reports whether a folder is a link to another. Those of buckets are no folders.
func isLink(ctx context.Context, files storage.FileSystem, path string) bool {
	if storage.Remote(path) {
		return false
	}
	_, err := files.ReadLink(ctx, path)
	return err == nil
}

// MakeCurrent makes a whole version the one that counts, in one step for a program that
// reads, keeps the one that counted before, if it is whole, and removes all others.
func MakeCurrent(ctx context.Context, run, name, version string) error {
	was, err := CurrentVersion(ctx, run, name)
	if err == nil && was != "" {
		_, err = ReadCommit(ctx, storage.Default, run, path.Join(name, was))
	}
	if errors.Is(err, storage.ErrDamaged) || errors.Is(err, ErrNoRecord) {
		was, err = "", nil // what no build of ours committed is no version to go back to
	}
	if err != nil {
		return err
	}
	if was != "" && was != version {
		if err := pointAt(ctx, run, name, previousVersion, was); err != nil {
			return err
		}
	}
	if was != version {
		if err := pointAt(ctx, run, name, currentVersion, version); err != nil {
			return err
		}
	}
	return removeVersions(ctx, run, name)
}

func pointAt(ctx context.Context, run, name, which, version string) error {
	path := storage.Join(run, name, which)
	return storage.Wrap("link", path, storage.Default.Link(ctx, version, path))
}

// DropPrevious removes the version of a table that counted before.
func DropPrevious(ctx context.Context, run, name string) error {
	if err := storage.Remove(ctx, storage.Join(run, name, previousVersion)); err != nil {
		return err
	}
	return removeVersions(ctx, run, name)
}

// ForgetVersions removes the records that vouch for the shards of all versions.
// The versions stay for programs that read them.
func ForgetVersions(ctx context.Context, run, name string) error {
	all, err := versions(ctx, run, name)
	for _, n := range all {
		err = errors.Join(err, RemoveTasks(ctx, run, path.Join(name, n)))
	}
	return err
}

// MakeVersion prepares a version: what is left of others that nothing names is
// removed, and the record of this one, unless it is named and may be read.
func MakeVersion(ctx context.Context, run, name, version string) error {
	if _, err := CurrentVersion(ctx, run, name); errors.Is(err, storage.ErrDamaged) {
		return nil // one of the others may be what it named; they go when this one is current
	}
	others, err := unnamed(ctx, run, name)
	for _, n := range others {
		if n == version {
			err = errors.Join(err, RemoveCommit(ctx, storage.Default, run, path.Join(name, version)))
		} else {
			err = errors.Join(err, RemoveTable(ctx, run, path.Join(name, n)))
		}
	}
	return err
}

// UnfinishedVersion is the version that is being made, or was when a run was
// killed, or nothing.
func UnfinishedVersion(ctx context.Context, run, name string) (string, error) {
	others, err := unnamed(ctx, run, name)
	if len(others) == 0 {
		return "", err
	}
	return others[0], err
}

// removeVersions removes all versions but the two that have a name.
func removeVersions(ctx context.Context, run, name string) error {
	others, err := unnamed(ctx, run, name)
	for _, n := range others {
		err = errors.Join(err, RemoveTable(ctx, run, path.Join(name, n)))
	}
	return err
}

// removeAllVersions removes the two links, so that no version counts any more, and then
// the versions.
func removeAllVersions(ctx context.Context, run, name string) error {
	dir := storage.Join(run, name)
	for _, which := range []string{currentVersion, previousVersion} {
		path := storage.Join(dir, which)
		if err := storage.Default.Remove(ctx, path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return storage.Wrap("remove", path, err)
		}
	}
	all, err := versions(ctx, run, name)
	for _, n := range all {
		err = errors.Join(err, RemoveTable(ctx, run, path.Join(name, n)))
	}
	return errors.Join(err, storage.Wrap("remove", dir, storage.Default.RemoveEmpty(ctx, dir)))
}

// versions are those of a table, whole or not. What else lies in its folder is
// somebody else's.
func versions(ctx context.Context, run, name string) ([]string, error) {
	names, err := storage.List(ctx, storage.Join(run, name))
	return slices.DeleteFunc(names, func(n string) bool {
		return !isVersion(n) || isLink(ctx, storage.Default, storage.Join(run, name, n))
	}), err
}

// unnamed are the versions of a table that no link names. A damaged link names none.
func unnamed(ctx context.Context, run, name string) ([]string, error) {
	keep := map[string]bool{}
	for _, which := range []string{currentVersion, previousVersion} {
		version, err := link(ctx, storage.Default, run, name, which)
		if err != nil && !errors.Is(err, storage.ErrDamaged) {
			return nil, err
		}
		keep[version] = true
	}
	all, err := versions(ctx, run, name)
	return slices.DeleteFunc(all, func(n string) bool { return keep[n] }), err
}
