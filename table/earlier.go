package table

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"syscall"

	"golang.org/x/sync/errgroup"

	"github.com/commonplace/commonplace/storage"
)

// Version 0.1.0, and what was built before a table's folder held its shards alone, kept
// the records in that folder, and rankings in versions of their own:
//
//	passages/part-…, _commit.json, .records/part-….json
//	rankings/1c0f5e…/part-…, _commit.json, .records/
//	rankings/current  -> 1c0f5e…
//	rankings/previous -> 77ab90…
//
// Such a folder is read, and nothing is written into it: the next build begins with a
// copy of it in the layout of today.
const (
	earlierRecords  = ".records"
	versionedBefore = "rankings"
	currentVersion  = "current"
	previousVersion = "previous"
)

// earlierVersion is the version of rankings that a link names, or nothing. It is
// [storage.ErrDamaged] where something else has the link's name, or where it leads to what
// is no folder of a version: somebody else made it.
func earlierVersion(ctx context.Context, files storage.FileSystem, run, which string) (string, error) {
	at := storage.Join(run, versionedBefore, which)
	version, err := files.ReadLink(ctx, at)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return "", nil
	case errors.Is(err, syscall.EINVAL):
		return "", fmt.Errorf("%s: %w: it is no link; remove it and build again, or if the run was copied, copy it with its links (cp -a)", at, storage.ErrDamaged)
	case err != nil:
		return "", storage.Wrap("read", at, err)
	case !isVersion(version) || isLink(ctx, files, storage.Join(run, versionedBefore, version)):
		return "", fmt.Errorf("%s: %w: it leads to %q, which is no version of this table; build again", at, storage.ErrDamaged, version)
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

// earlierFolder is the folder of a table below the run's; of rankings, that of a version.
// Nothing is no such version.
func earlierFolder(ctx context.Context, files storage.FileSystem, run, name, which string) (string, error) {
	if name != versionedBefore {
		return name, nil
	}
	version, err := earlierVersion(ctx, files, run, which)
	if version == "" {
		return "", err
	}
	return path.Join(name, version), nil
}

// readEarlier is [ReadCommit] for a table of an earlier release.
func readEarlier(ctx context.Context, files storage.FileSystem, run, name string) (Commit, error) {
	return readEarlierVersion(ctx, files, run, name, currentVersion)
}

func readEarlierVersion(ctx context.Context, files storage.FileSystem, run, name, which string) (Commit, error) {
	folder, err := earlierFolder(ctx, files, run, name, which)
	if err == nil && folder == "" {
		err = ErrNoRecord
	}
	if err != nil {
		return Commit{}, err
	}
	c, err := readCommit(ctx, files, storage.Join(run, folder, commitFile), folder)
	c.earlier = true
	return c, err
}

// adopt makes in one version's folder a table as it is in another that has the layout of
// an earlier release. What is damaged there is left out, and so made again.
func adopt(ctx context.Context, from, to, name string) error {
	folder, err := earlierFolder(ctx, storage.Default, from, name, currentVersion)
	if errors.Is(err, storage.ErrDamaged) || folder == "" && err == nil {
		return nil
	}
	if err != nil {
		return err
	}
	if err := mirrorFiles(ctx, storage.Join(from, folder), Dir(to, name), isShard, nil); err != nil {
		return err
	}
	records := storage.Join(from, folder, earlierRecords)
	names, err := storage.List(ctx, records)
	if err != nil {
		return err
	}
	group, within := errgroup.WithContext(ctx)
	group.SetLimit(16)
	for _, file := range names {
		k, of, ok := ParseShardName(strings.TrimSuffix(file, ".json") + ".parquet")
		if !ok {
			continue
		}
		group.Go(func() error {
			r, err := readTask(within, storage.Default, from, folder, records, k, of)
			if errors.Is(err, storage.ErrDamaged) || errors.Is(err, storage.ErrFormat) || errors.Is(err, ErrNoRecord) {
				return nil
			}
			if err != nil {
				return err
			}
			r.Version = ""
			return WriteTask(within, storage.Default, to, r)
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	c, err := readEarlier(ctx, storage.Default, from, name)
	if errors.Is(err, storage.ErrDamaged) || errors.Is(err, ErrEarlier) || errors.Is(err, ErrNoRecord) {
		return nil
	}
	if err != nil {
		return err
	}
	c.Version = ""
	return WriteCommit(ctx, storage.Default, to, c)
}

// removeEarlier removes from a table's folder what an earlier release wrote into it, its
// commit record first.
func removeEarlier(ctx context.Context, dir string, versioned bool) error {
	err := removeNamed(ctx, storage.Default, dir, func(name string) bool { return name == commitFile })
	if err == nil {
		err = removeWith(ctx, storage.Join(dir, earlierRecords), isRecord)
	}
	if err != nil || !versioned {
		return errors.Join(err, RemoveShards(ctx, dir))
	}
	for _, which := range []string{currentVersion, previousVersion} {
		link := storage.Join(dir, which)
		if _, err := storage.Default.ReadLink(ctx, link); err == nil {
			if err := storage.Remove(ctx, link); err != nil {
				return err
			}
		}
	}
	names, err := storage.List(ctx, dir)
	for _, name := range names {
		if version := storage.Join(dir, name); isVersion(name) && !isLink(ctx, storage.Default, version) {
			err = errors.Join(err, removeEarlier(ctx, version, false))
		}
	}
	return errors.Join(err, RemoveShards(ctx, dir))
}
