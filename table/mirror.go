package table

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"sync/atomic"
	"syscall"

	"golang.org/x/sync/errgroup"

	"github.com/commonplace/commonplace/storage"
)

// mirror makes one night's folder a copy of another's: what a build has not changed
// since is there already, the rest gets a second name. What is ours and not in the
// other one is removed. One that an earlier release laid out is copied as this release
// does it.
func mirror(ctx context.Context, from, to string, earlier bool) error {
	if err := Clean(ctx, storage.Default, to); err != nil {
		return err
	}
	for _, t := range All() {
		name := t.name()
		if name == rejectsFolder {
			continue
		}
		copied := mirrorTable
		if earlier {
			copied = adopt
		}
		if err := copied(ctx, from, to, name); err != nil {
			return err
		}
	}
	stages := map[string]bool{}
	for _, night := range []string{from, to} {
		names, err := storage.List(ctx, storage.Join(night, rejectsFolder))
		if err != nil {
			return err
		}
		for _, name := range names {
			stages[name] = true
		}
	}
	for stage := range stages {
		err := mirrorFiles(ctx, RejectsDir(from, stage), RejectsDir(to, stage), isShard, nil)
		if err != nil && !errors.Is(err, syscall.ENOTDIR) { // somebody's own file
			return err
		}
	}
	return mirrorFiles(ctx, from, to, func(name string) bool { return slices.Contains(nightFiles, name) }, nil)
}

// mirrorTable copies a table: shards, their records, and last the commit record.
func mirrorTable(ctx context.Context, from, to, name string) error {
	var same map[string]bool
	if storage.Remote(to) { // a bucket does not know which files are the same
		same = sameShards(ctx, from, to, name)
	}
	a, b := RecordsDir(from, name), RecordsDir(to, name)
	err := mirrorFiles(ctx, a, b, isRecord, same)
	if err == nil {
		err = mirrorFiles(ctx, Dir(from, name), Dir(to, name), isShard, same)
	}
	if err == nil {
		err = mirrorFiles(ctx, a, b, func(name string) bool { return name == commitFile }, nil)
	}
	return err
}

// sameShards are the names of the shards, and of their records, that two commit
// records have in common.
func sameShards(ctx context.Context, from, to, name string) map[string]bool {
	a, err := ReadCommit(ctx, storage.Default, from, name)
	if err != nil {
		return nil
	}
	b, err := ReadCommit(ctx, storage.Default, to, name)
	if err != nil {
		return nil
	}
	same := map[string]bool{}
	for i := range min(len(a.Shards), len(b.Shards)) {
		if a.Shards[i] == b.Shards[i] {
			file := a.Shards[i].File
			same[file], same[recordName(file)] = true, true
		}
	}
	return same
}

// mirrorFiles copies the files of a folder that are ours. same are those that need not
// be copied where they are there.
func mirrorFiles(ctx context.Context, from, to string, ours func(string) bool, same map[string]bool) error {
	names, err := storage.List(ctx, from)
	if err != nil {
		return err
	}
	there, err := storage.List(ctx, to)
	if err != nil {
		return err
	}
	names = slices.DeleteFunc(names, func(name string) bool { return !ours(name) })
	err = removeNamed(ctx, storage.Default, to, func(name string) bool {
		_, stays := slices.BinarySearch(names, name)
		return ours(name) && !stays || IsTemporary(name)
	})
	if err != nil {
		return err
	}
	if len(names) == 0 {
		return storage.Wrap("remove", to, storage.Default.RemoveEmpty(ctx, to))
	}
	if err := storage.Default.MkdirAll(ctx, to); err != nil {
		return storage.Wrap("make the folder", to, err)
	}
	var changed atomic.Bool
	group, within := errgroup.WithContext(ctx)
	group.SetLimit(16)
	for _, name := range names {
		if _, found := slices.BinarySearch(there, name); found && same[name] {
			continue
		}
		group.Go(func() error {
			path := storage.Join(to, name)
			done, err := storage.Default.Share(within, storage.Join(from, name), path)
			if done {
				changed.Store(true)
			}
			if errors.Is(err, fs.ErrNotExist) {
				return nil // gone since it was listed: it counts as not made
			}
			return storage.Wrap("write", path, err)
		})
	}
	if err := group.Wait(); err != nil || !changed.Load() {
		return err
	}
	return storage.Wrap("sync", to, storage.Default.SyncDir(ctx, to))
}
