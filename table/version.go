package table

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Rankings change as a whole with every new document, and somebody may be
// reading them: each version has a folder of its own, and two links name the
// current one and the one before it.
//
//	rankings/1c0f5e…/part-…, _commit.json
//	rankings/current  -> 1c0f5e…
//	rankings/previous -> 77ab90…
const (
	currentVersion  = "current"
	previousVersion = "previous"
)

// Versioned tells whether a table is kept in versions.
func Versioned(name string) bool { return name == Rankings.Name }

// CurrentVersion is the version that counts, or nothing.
func CurrentVersion(run, name string) (string, error) { return link(run, name, currentVersion) }

// PreviousVersion is the version that counted before, or nothing.
func PreviousVersion(run, name string) (string, error) { return link(run, name, previousVersion) }

func link(run, name, which string) (string, error) {
	version, err := os.Readlink(filepath.Join(run, name, which))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return version, storage("read", filepath.Join(run, name, which), err)
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
	dir := filepath.Join(run, name)
	var salt [6]byte
	rand.Read(salt[:])
	temp := filepath.Join(dir, "."+which+"."+hex.EncodeToString(salt[:])+".tmp")
	if err := os.Symlink(version, temp); err != nil {
		return storage("link", filepath.Join(dir, which), err)
	}
	if err := os.Rename(temp, filepath.Join(dir, which)); err != nil {
		os.Remove(temp)
		return storage("link", filepath.Join(dir, which), err)
	}
	return Local.SyncDir(dir)
}

// ForgetVersions removes the records that vouch for the shards of all versions.
// The versions stay for whoever reads them.
func ForgetVersions(run, name string) error {
	dir := filepath.Join(run, name)
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		err = errors.Join(err, os.RemoveAll(filepath.Join(dir, e.Name(), recordFolder)))
	}
	return storage("remove", dir, err)
}

// removeVersions removes all versions but the two that have a name.
func removeVersions(run, name string) error {
	dir := filepath.Join(run, name)
	keep := map[string]bool{currentVersion: true, previousVersion: true}
	for _, which := range []string{currentVersion, previousVersion} {
		version, err := link(run, name, which)
		if err != nil {
			return err
		}
		keep[version] = true
	}
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if !keep[e.Name()] {
			err = errors.Join(err, os.RemoveAll(filepath.Join(dir, e.Name())))
		}
	}
	if err != nil {
		return fmt.Errorf("remove old versions of %s: %w", name, err)
	}
	return nil
}
