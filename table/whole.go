package table

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"github.com/commonplace/commonplace/storage"
)

// ErrNotWhole says that a run's tables are not all finished, or not all made
// from one another: what they say together is of no library that ever was.
var ErrNotWhole = errors.New("the run is not whole")

// Whole gives the commit records of a run's tables as [Commits] does. It is
// [ErrNotWhole] where the tables do not fit one another ([Fitting]), and where no build
// has finished ([Published]): a first build that ended between two stages leaves tables
// that fit one another, and others are missing. A program that gives a run on, or shows it as a
// whole, begins here.
func Whole(ctx context.Context, files storage.FileSystem, run string) (map[string]Commit, error) {
	commits, err := Fitting(ctx, files, run)
	if err != nil {
		return nil, err
	}
	switch why, err := unpublished(ctx, run); {
	case err != nil:
		return nil, err
	case why != "":
		return nil, notWhole(run, "%s", why)
	}
	return commits, nil
}

// Published says that a build has finished in the folder. It has not where a run's first
// build is at work or was stopped, where single stages were run and others were not yet,
// and in the folder in which a later build works. A folder of version 0.1.0 does not say,
// and counts as published.
func Published(ctx context.Context, run string) (bool, error) {
	why, err := unpublished(ctx, run)
	return why == "", err
}

// unpublished says why a folder is not published, or nothing.
func unpublished(ctx context.Context, run string) (string, error) {
	home := Home(run)
	current, err := Current(ctx, home)
	if err != nil {
		return "", err
	}
	if run == home {
		run = current
	}
	if run == home {
		return "", nil
	}
	switch r, err := readNight(ctx, run); {
	case err != nil:
		return "", err
	case r.State == nightFirst:
		return "its first build is not finished", nil
	case r.State != nightWhole && (r.State != nightNext || run != current): // else the build died before it could say that it is whole
		return "the build in " + run + " is not finished", nil
	case r.Partial:
		return "not all tables are made that its config asks for", nil
	}
	return "", nil
}

// Fitting gives the commit records of a run's tables, and is [ErrNotWhole] where a table
// was begun and has no record, and where one was made from a table that is missing or is
// now another.
func Fitting(ctx context.Context, files storage.FileSystem, run string) (map[string]Commit, error) {
	commits, err := Commits(ctx, files, run)
	if err != nil {
		return nil, err
	}
	for _, t := range All() {
		name := t.Describe().Name
		c, there := commits[name]
		if !there {
			begun, err := Begun(ctx, files, run, name)
			if err != nil {
				return nil, err
			}
			if begun {
				return nil, notWhole(run, "table %s was begun and is not finished", name)
			}
			continue
		}
		for _, in := range slices.Sorted(maps.Keys(c.Inputs)) {
			switch now, there := commits[in]; {
			case !there:
				return nil, notWhole(run, "table %s was made from table %s, which is not there or not finished", name, in)
			case now.Fingerprint() != c.Inputs[in]:
				return nil, notWhole(run, "table %s was made from another version of %s", name, in)
			}
		}
	}
	return commits, nil
}

func notWhole(run, format string, args ...any) error {
	return fmt.Errorf("%s: %w: %s; run `commonplace build` first", Home(run), ErrNotWhole, fmt.Sprintf(format, args...))
}

// Begun tells whether a table has shards or records of them, finished or not.
func Begun(ctx context.Context, files storage.FileSystem, run, name string) (bool, error) {
	dir := Dir(run, name)
	for _, folder := range []string{dir, RecordsDir(run, name), storage.Join(dir, earlierRecords)} {
		names, err := files.List(ctx, folder)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return false, storage.Wrap("list", folder, err)
		}
		ours := func(n string) bool { return isShard(n) || isRecord(n) || name == versionedBefore && isVersion(n) }
		if slices.ContainsFunc(names, ours) {
			return true, nil
		}
	}
	return false, nil
}
