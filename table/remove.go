package table

import (
	"context"
	"errors"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"github.com/commonplace/commonplace/storage"
)

// What lies in a run's folder is removed by name and by nothing else: shards,
// their records, commit records, files of the cache, and what a
// killed run was writing under one of these names. Whatever has another name is
// somebody else's, and stays wherever it lies, also in a folder of ours. So no
// function here, and none of [storage.FileSystem], removes a folder that is not empty.

var (
	versionForm = regexp.MustCompile(`^[0-9a-f]{16}$`)
	indexForm   = regexp.MustCompile(`^([a-z]+)-[0-9a-f]{16}$`)
	temporary   = regexp.MustCompile(`^\.(.+)\.[0-9a-f]{12}\.tmp$`)
)

// runFiles are the other names that a run's own files have.
var runFiles = []string{MarkFile, "settings.json", "guard.json", "forgotten.json", "sought.json", "run.json", LeaseFile, commitFile, currentVersion, previousVersion, currentNight, nightFile, pinFile}

// IsRecord says whether a name is one of a run's own files of JSON.
func IsRecord(name string) bool { return isRecord(name) || slices.Contains(runFiles, name) }

// MarkFile says that a folder is a run's.
const MarkFile = storage.MarkFile

// LeaseFile names the build that works in a run's folder, for other machines.
const LeaseFile = ".building.json"

// isVersion says whether a name can be one of a version of rankings; see earlier.go.
func isVersion(name string) bool { return versionForm.MatchString(name) }

// isShard says whether a name is one of a shard.
func isShard(name string) bool {
	_, _, ok := ParseShardName(name)
	return ok
}

// isRecord says whether a name is one of a task's record.
func isRecord(name string) bool {
	shard, ok := strings.CutSuffix(name, ".json")
	return ok && isShard(shard+".parquet")
}

// CacheKind is the kind of a file of the cache, by its name, or nothing.
func CacheKind(name string) string {
	if m := indexForm.FindStringSubmatch(name); m != nil {
		return m[1]
	}
	return ""
}

// IsTemporary says whether a name is one that a file of a run has while it is
// written.
func IsTemporary(name string) bool {
	m := temporary.FindStringSubmatch(name)
	return m != nil && (isShard(m[1]) || isRecord(m[1]) || CacheKind(m[1]) != "" || slices.Contains(runFiles, m[1]) || slices.Contains(nightNames(), m[1]))
}

// removeNamed removes the files of a folder whose names are ours.
func removeNamed(ctx context.Context, files storage.FileSystem, dir string, ours func(name string) bool) error {
	names, err := files.List(ctx, dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return storage.Wrap("list", dir, err)
	}
	for _, name := range names {
		if !ours(name) {
			continue
		}
		path := storage.Join(dir, name)
		if gone := files.Remove(ctx, path); !errors.Is(gone, fs.ErrNotExist) {
			err = errors.Join(err, storage.Wrap("remove", path, gone))
		}
	}
	return err
}

// Clean removes the temporary files that killed runs left in dir. Call it only
// while no other run writes there.
func Clean(ctx context.Context, files storage.FileSystem, dir string) error {
	if storage.Remote(dir) {
		return nil // what is being written for a bucket does not lie in it
	}
	return removeNamed(ctx, files, dir, IsTemporary)
}

// RemoveTable removes a table: first its commit record, for what is left of it is then no
// table. Of its folders remain those that hold something else.
func RemoveTable(ctx context.Context, run, name string) error {
	err := RemoveCommit(ctx, storage.Default, run, name)
	if err == nil {
		err = RemoveTasks(ctx, run, name)
	}
	if err == nil {
		err = RemoveShards(ctx, Dir(run, name))
	}
	return err
}

// RemoveTasks removes the records that vouch for a table's shards.
func RemoveTasks(ctx context.Context, run, name string) error {
	return removeWith(ctx, RecordsDir(run, name), isRecord)
}

// RemoveShards removes the shards of a table, or of a stage's rejects.
func RemoveShards(ctx context.Context, dir string) error { return removeWith(ctx, dir, isShard) }

// removeWith removes files of ours, finished or not, and the folder that is then empty. A
// link to a folder is somebody else's.
func removeWith(ctx context.Context, dir string, ours func(name string) bool) error {
	if isLink(ctx, storage.Default, dir) {
		return nil
	}
	err := removeNamed(ctx, storage.Default, dir, func(name string) bool { return ours(name) || IsTemporary(name) })
	return errors.Join(err, storage.Wrap("remove", dir, storage.Default.RemoveEmpty(ctx, dir)))
}
