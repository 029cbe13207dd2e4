package table

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"

	"github.com/commonplace/commonplace/storage"
)

// A table that is kept in versions, such as rankings, changes as a whole with
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

// Versioned tells whether a table is kept in versions.
func Versioned(name string) bool {
	t, ok := Named(name)
	return ok && t.versioned()
}

// CurrentVersion is the version that counts, or nothing.
func CurrentVersion(run, name string) (string, error) { return link(run, name, currentVersion) }

// PreviousVersion is the version that counted before, or nothing.
func PreviousVersion(run, name string) (string, error) { return link(run, name, previousVersion) }

func link(run, name, which string) (string, error) {
	path := storage.Join(run, name, which)
	version, err := storage.Default.ReadLink(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err == nil && !isVersion(version) {
		return "", fmt.Errorf("%s: %w: it leads to %q, which is no version of this table", path, storage.ErrDamaged, version)
	}
	return version, storage.Refuse("read", path, err)
}

// MakeCurrent makes a whole version the one that counts, in one step for whoever
// reads, keeps the one that counted before and removes all others.
func MakeCurrent(run, name, version string) error {
	was, err := CurrentVersion(run, name)
	if err != nil {
		return err
	}
	if was != "" && was != version {
		if err := pointAt(run, name, previousVersion, was); err != nil {
			return err
		}
	}
	if was != version {
		if err := pointAt(run, name, currentVersion, version); err != nil {
			return err
		}
	}
	return removeVersions(run, name)
}

func pointAt(run, name, which, version string) error {
	path := storage.Join(run, name, which)
	return storage.Refuse("link", path, storage.Default.Link(version, path))
}

// ForgetVersions removes the records that vouch for the shards of all versions.
// The versions stay for whoever reads them.
func ForgetVersions(run, name string) error {
	all, err := versions(run, name)
	for _, n := range all {
		err = errors.Join(err, RemoveTasks(run, path.Join(name, n)))
	}
	return err
}

// MakeVersion makes room for a version: what is left of others that nothing names
// is removed, and the record of this one, unless it is named and may be read.
func MakeVersion(run, name, version string) error {
	others, err := unnamed(run, name)
	for _, n := range others {
		if n == version {
			err = errors.Join(err, RemoveCommit(storage.Default, run, path.Join(name, version)))
		} else {
			err = errors.Join(err, RemoveTable(run, path.Join(name, n)))
		}
	}
	return err
}

// UnfinishedVersion is the version that is being made, or was when a run was
// killed, or nothing.
func UnfinishedVersion(run, name string) (string, error) {
	others, err := unnamed(run, name)
	if len(others) == 0 {
		return "", err
	}
	return others[0], err
}

// removeVersions removes all versions but the two that have a name.
func removeVersions(run, name string) error {
	others, err := unnamed(run, name)
	for _, n := range others {
		err = errors.Join(err, RemoveTable(run, path.Join(name, n)))
	}
	return err
}

// versions are those of a table, whole or not. What else lies in its folder is
// somebody else's.
func versions(run, name string) ([]string, error) {
	names, err := storage.List(storage.Join(run, name))
	return slices.DeleteFunc(names, func(n string) bool { return !isVersion(n) }), err
}

// unnamed are the versions of a table that no link names.
func unnamed(run, name string) ([]string, error) {
	keep := map[string]bool{}
	for _, which := range []string{currentVersion, previousVersion} {
		version, err := link(run, name, which)
		if err != nil {
			return nil, err
		}
		keep[version] = true
	}
	all, err := versions(run, name)
	return slices.DeleteFunc(all, func(n string) bool { return keep[n] }), err
}
