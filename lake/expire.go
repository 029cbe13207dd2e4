package lake

import (
	"context"
	"regexp"
	"strconv"

	"github.com/commonplace/commonplace/storage"
)

// expire takes from the next version all snapshots but the newest, and the log of metadata
// with them: its files are named by no snapshot then.
func (l *lake) expire(next *metadata, r *Result) {
	if over := len(next.Snapshots) - 1 - l.keep; over > 0 {
		r.Expired = over
		next.Snapshots = next.Snapshots[over:]
		next.Snapshots[0].Parent = 0 // it is removed
		next.SnapshotLog = next.SnapshotLog[len(next.SnapshotLog)-len(next.Snapshots):]
	}
	if over := len(next.MetadataLog) - l.keep; over > 0 {
		next.MetadataLog = next.MetadataLog[over:]
	}
}

// The names of what this package writes. Nothing else is removed.
var (
	dataForm     = regexp.MustCompile(`^[0-9a-f]{64}\.parquet$`)
	snapshotForm = regexp.MustCompile(`^(\d{1,19})-(?:manifest\.avro|list\.avro|files\.json)$`)
	versionForm  = regexp.MustCompile(`^v(\d{1,9})\.metadata\.json$`)
	tempForm     = regexp.MustCompile(`^\.(?:[0-9a-f]{64}\.parquet|\d{1,19}-(?:manifest\.avro|list\.avro|files\.json)|v\d{1,9}\.metadata\.json|version-hint\.text)\.[0-9a-f]{12}\.tmp$`)
)

// sweep removes what no kept snapshot needs: files of expired ones, and of publishes that
// did not end. Nobody else writes, because the folder is locked.
func (l *lake) sweep(ctx context.Context, m *metadata) error {
	snapshots, data := map[string]bool{}, map[string]bool{}
	for _, s := range m.Snapshots {
		snapshots[strconv.FormatInt(s.ID, 10)] = true
		files, err := l.filesOf(ctx, s.ID)
		if err != nil {
			return err
		}
		for _, f := range files {
			data[f.Name] = true
		}
	}
	oldest := l.version - len(m.MetadataLog)
	if err := l.remove(ctx, dataFolder, func(name string) bool { return dataForm.MatchString(name) && !data[name] }); err != nil {
		return err
	}
	return l.remove(ctx, metadataFolder, func(name string) bool {
		if of := snapshotForm.FindStringSubmatch(name); of != nil {
			return !snapshots[of[1]]
		}
		if of := versionForm.FindStringSubmatch(name); of != nil {
			n, _ := strconv.Atoi(of[1])
			return n < oldest
		}
		return false
	})
}

// remove deletes the files of a folder that are chosen, and temporary ones.
func (l *lake) remove(ctx context.Context, folder string, chosen func(name string) bool) error {
	dir := storage.Join(l.dir, folder)
	names, err := l.files.List(ctx, dir)
	if err != nil {
		return storage.Wrap("list", dir, err)
	}
	for _, name := range names {
		if chosen(name) || tempForm.MatchString(name) {
			if err := l.files.Remove(ctx, storage.Join(dir, name)); err != nil {
				return storage.Wrap("remove", storage.Join(dir, name), err)
			}
		}
	}
	return nil
}
