package lake

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

const (
	formatVersion = 2
	lockFile      = ".commonplace.lock"
)

// ErrForeign says that the folder holds something other than a table that this package
// wrote there.
var ErrForeign = errors.New("not a published table")

// ErrPath says that readers would look for the table in another folder.
var ErrPath = errors.New("no path for a published table")

// readable says whether a path is the same in an address.
func readable(path string) bool {
	return utf8.ValidString(path) && !strings.ContainsFunc(path, func(r rune) bool { return r == '#' || r == '?' || unicode.IsControl(r) })
}

// ErrBusy says that another process publishes into the folder.
var ErrBusy = errors.New("another publish is at work there")

// Options of a publish.
type Options struct {
	Keep int              // how many snapshots before the current one stay
	Now  func() time.Time // for the times of snapshots, by which readers go back; nil is the clock

	// Begin, where it is set, is called before anything is written, when dir is known to be
	// new, empty or a table that was published there.
	Begin func()
}

// Result is what a publish did.
type Result struct {
	Version   int // of the metadata: N of vN.metadata.json
	Snapshot  int64
	Rows      int64
	Files     int
	NewFiles  int
	Unchanged bool // the table had this version already
	Earlier   int  // snapshots that readers can go back to
	Expired   int  // snapshots that were removed
}

// lake is a table in a folder, and one publish into it.
type lake struct {
	files    storage.FileSystem
	dir      string
	location string
	table    string
	keep     int

	was     *metadata // nil where there is no table yet
	version int       // of was
	hint    int       // the version that the hint names; 0 is none
}

// Publish makes the rows of one committed table of a run the content of the Iceberg table
// in dir, as one snapshot. The run is the folder of one version. Until the last step
// readers get the snapshot before. A table that has these rows already gets no snapshot.
func Publish(ctx context.Context, files storage.FileSystem, run string, d table.Descriptor, c table.Commit, dir string, o Options) (r Result, err error) {
	full, err := filepath.Abs(dir)
	if err != nil {
		return Result{}, err
	}
	begun := lake{files: files, dir: full, location: "file://" + filepath.ToSlash(full), table: c.Table, keep: o.Keep}
	l := begun
	if err := l.open(ctx); err != nil { // before anything is written into what is not ours
		return Result{}, err
	}
	if l.was == nil && !readable(full) {
		return Result{}, fmt.Errorf("%q: %w: readers take the path for an address, which ends at # or ?, and has no control characters; choose another folder", full, ErrPath)
	}
	if o.Begin != nil {
		o.Begin()
	}
	for _, folder := range []string{dataFolder, metadataFolder} {
		if err := files.MkdirAll(ctx, storage.Join(l.dir, folder)); err != nil {
			return Result{}, storage.Wrap("make the folder", storage.Join(l.dir, folder), err)
		}
	}
	if err := files.SyncDir(ctx, l.dir); err != nil {
		return Result{}, storage.Wrap("sync", l.dir, err)
	}
	unlock, err := lock(l.dir)
	if err != nil {
		return Result{}, err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	l = begun
	if err := l.open(ctx); err != nil { // again: another process may have published meanwhile
		return Result{}, err
	}
	return l.publish(ctx, run, d.Describe().Columns, c, o.Now)
}

// lock keeps other processes from publishing into a folder.
func lock(dir string) (func() error, error) {
	path := storage.Join(dir, lockFile)
	f, err := storage.NewLock(path)
	if err != nil {
		return nil, err
	}
	switch got, err := f.TryLock(); {
	case err != nil:
		return nil, storage.Wrap("lock", path, err)
	case !got:
		return nil, fmt.Errorf("%s: %w: wait for it, or choose another folder", dir, ErrBusy)
	}
	return f.Unlock, nil
}

func (l *lake) publish(ctx context.Context, run string, columns []table.Column, c table.Commit, now func() time.Time) (Result, error) {
	var before []dataFile
	if l.was != nil {
		var err error
		if before, err = l.filesOf(ctx, l.was.CurrentSnapshot); err != nil {
			return Result{}, err
		}
	}
	next, err := l.begin(columns, now)
	if err != nil {
		return Result{}, err
	}
	r := Result{Rows: c.Rows}
	if at := l.was; at != nil && at.current().Summary[fingerprintProperty] == c.Fingerprint() && next.CurrentSchema == at.CurrentSchema {
		r.Unchanged, r.Files = true, len(before)
	} else if err := l.snapshot(ctx, run, c, before, next, &r); err != nil {
		return Result{}, err
	}
	l.expire(next, &r)
	if r.Unchanged && r.Expired == 0 {
		next = l.was
	} else {
		l.version++
		if err := l.write(ctx, versionFile(l.version), storage.MustJSON(next)); err != nil {
			return Result{}, err
		}
	}
	if l.hint != l.version { // no line end after the number: pyiceberg takes it for a part of a name
		if err := l.write(ctx, hintFile, []byte(strconv.Itoa(l.version))); err != nil {
			return Result{}, err
		}
	}
	r.Version, r.Snapshot, r.Earlier = l.version, next.CurrentSnapshot, len(next.Snapshots)-1
	if err := l.sweep(ctx, next); err != nil {
		return r, fmt.Errorf("version %d is published, and files of earlier ones could not be removed: %w; publish again", l.version, err)
	}
	return r, nil
}

// begin is the metadata of the next version, with its time and schema and as yet without
// another snapshot.
func (l *lake) begin(columns []table.Column, now func() time.Time) (*metadata, error) {
	if now == nil {
		now = time.Now
	}
	ids := idsOf(l.was)
	fields, err := fieldsOf(columns, "", ids, l.was == nil)
	if err != nil {
		return nil, err
	}
	m := &metadata{FormatVersion: formatVersion, Location: l.location, LastPartition: 999, LastUpdated: now().UnixMilli(), LastColumn: ids.last,
		Specs: []partitionSpec{{Fields: noFields{}}}, SortOrders: []sortOrder{{Fields: noFields{}}}, MetadataLog: []metadataLog{}}
	if l.was != nil {
		copied := *l.was
		copied.LastUpdated = max(m.LastUpdated, l.was.LastUpdated+1) // a clock that was set back
		copied.LastColumn = ids.last
		copied.Schemas, copied.Snapshots, copied.SnapshotLog = slices.Clone(l.was.Schemas), slices.Clone(l.was.Snapshots), slices.Clone(l.was.SnapshotLog)
		copied.MetadataLog = append(slices.Clone(l.was.MetadataLog), metadataLog{l.uri(metadataFolder, versionFile(l.version)), l.was.LastUpdated})
		m = &copied
	} else {
		m.UUID = uuidOf(l.location, m.LastUpdated)
	}
	s := schema{Type: "struct", ID: len(m.Schemas), Fields: fields}
	if at := slices.IndexFunc(m.Schemas, func(was schema) bool { return sameFields(was, s) }); at >= 0 {
		m.CurrentSchema = m.Schemas[at].ID
	} else {
		m.Schemas, m.CurrentSchema = append(m.Schemas, s), s.ID
	}
	m.Properties = map[string]string{tableProperty: l.table, mappingProperty: string(storage.MustJSON(mappingOf(m.Schemas)))}
	return m, nil
}

func sameFields(a, b schema) bool {
	return string(storage.MustJSON(a.Fields)) == string(storage.MustJSON(b.Fields))
}

// snapshot puts the shards of a table beside those that are there, writes what names them,
// and adds them to next as the snapshot that readers get.
func (l *lake) snapshot(ctx context.Context, run string, c table.Commit, before []dataFile, next *metadata, r *Result) error {
	next.LastSequence++
	id := snapshotID(next.UUID, next.LastSequence, next.LastUpdated, c.Fingerprint())
	ch := change{snapshot: id, sequence: next.LastSequence, parent: next.CurrentSnapshot}
	gone := map[string]dataFile{}
	for _, f := range before {
		gone[f.Name] = f
	}
	paths := c.ShardPaths(run)
	for i, s := range c.Shards {
		if err := ctx.Err(); err != nil {
			return err
		}
		if s.Rows == 0 {
			continue // such shards have the same bytes, and a snapshot names no file twice
		}
		f := dataFile{Name: s.SHA256 + ".parquet", Rows: s.Rows, Bytes: s.Bytes, Snapshot: id, Sequence: ch.sequence}
		if was, there := gone[f.Name]; there {
			f = was
			delete(gone, f.Name)
		} else {
			r.NewFiles++
			if err := l.place(ctx, paths[i], s, f.Name); err != nil {
				return err
			}
		}
		ch.now = append(ch.now, f)
	}
	ch.gone = slices.SortedFunc(maps.Values(gone), func(a, b dataFile) int { return cmp.Compare(a.Name, b.Name) })
	if err := l.files.SyncDir(ctx, storage.Join(l.dir, dataFolder)); err != nil {
		return storage.Wrap("sync", storage.Join(l.dir, dataFolder), err)
	}
	rows, sums := ch.entries(func(name string) string { return l.uri(dataFolder, name) })
	entries, err := manifest(next.Schemas[schemaAt(next)], rows)
	if err != nil {
		return err
	}
	sums.Path, sums.Length = l.uri(metadataFolder, manifestFile(id)), int64(len(entries))
	list, err := manifestList(ch, sums)
	if err != nil {
		return err
	}
	for _, file := range []struct {
		name    string
		content []byte
	}{{manifestFile(id), entries}, {filesFile(id), storage.MustJSON(ch.now)}, {listFile(id), list}} {
		if err := l.write(ctx, file.name, file.content); err != nil {
			return err
		}
	}
	operation := "overwrite"
	if len(before) == 0 {
		operation = "append"
	}
	next.Snapshots = append(next.Snapshots, snapshot{ID: id, Parent: ch.parent, Sequence: ch.sequence, Time: next.LastUpdated,
		ManifestList: l.uri(metadataFolder, listFile(id)), Schema: next.CurrentSchema, Summary: map[string]string{
			"operation": operation, fingerprintProperty: c.Fingerprint(), "commonplace.program": c.Program,
			"added-data-files": strconv.Itoa(sums.AddedFiles), "added-records": strconv.FormatInt(sums.AddedRows, 10),
			"deleted-data-files": strconv.Itoa(sums.DeletedFiles), "deleted-records": strconv.FormatInt(sums.DeletedRows, 10),
			"total-data-files": strconv.Itoa(len(ch.now)), "total-records": strconv.FormatInt(c.Rows, 10),
		}})
	next.SnapshotLog = append(next.SnapshotLog, snapshotLog{id, next.LastUpdated})
	next.CurrentSnapshot = id
	next.Refs = map[string]ref{"main": {id, "branch"}}
	r.Files = len(ch.now)
	return nil
}

// place gives a shard a second name in the table, or copies it, and looks if it has the
// bytes that were committed.
func (l *lake) place(ctx context.Context, from string, s table.ShardRecord, name string) error {
	to := storage.Join(l.dir, dataFolder, name)
	if storage.Remote(from) {
		in, err := storage.Default.Open(ctx, from)
		if err != nil {
			return storage.Wrap("read", from, err)
		}
		defer in.Close()
		if err := storage.WriteWith(ctx, l.files, to, func(w storage.Writer) error {
			_, err := io.Copy(w, storage.NewReader(ctx, in))
			return err
		}); err != nil {
			return err
		}
	} else if _, err := l.files.Share(ctx, from, to); err != nil {
		return storage.Wrap("share", from, err)
	}
	switch whole, err := storage.HasSum(ctx, to, s.SHA256); {
	case err != nil:
		return err
	case !whole:
		damaged := fmt.Errorf("%s: %w: it has not the SHA-256 of its record; build with --check first", from, storage.ErrDamaged)
		return errors.Join(damaged, l.files.Remove(ctx, to))
	}
	return nil
}

// filesOf are the files of a kept snapshot.
func (l *lake) filesOf(ctx context.Context, id int64) (all []dataFile, err error) {
	raw, err := l.read(ctx, filesFile(id))
	if err == nil && json.Unmarshal(raw, &all) != nil {
		err = fmt.Errorf("%s: %w: no list of files; publish into a new folder", storage.Join(l.dir, metadataFolder, filesFile(id)), storage.ErrDamaged)
	}
	return all, err
}

func schemaAt(m *metadata) int {
	return slices.IndexFunc(m.Schemas, func(s schema) bool { return s.ID == m.CurrentSchema })
}

func manifestFile(id int64) string { return strconv.FormatInt(id, 10) + "-manifest.avro" }
func listFile(id int64) string     { return strconv.FormatInt(id, 10) + "-list.avro" }
func filesFile(id int64) string    { return strconv.FormatInt(id, 10) + "-files.json" }

// snapshotID is positive, and another for each snapshot of a table.
func snapshotID(uuid string, sequence, time int64, fingerprint string) int64 {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %d %d %s", uuid, sequence, time, fingerprint))
	return int64(binary.BigEndian.Uint64(sum[:])>>1 | 1)
}

// uuidOf is a UUID of version 8, one that we make as we like, of a folder and a moment.
func uuidOf(location string, time int64) string {
	b := sha256.Sum256(fmt.Appendf(nil, "%s %d", location, time))
	b[6], b[8] = b[6]&0x0f|0x80, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:16])
}
