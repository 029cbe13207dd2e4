package table

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/storage"
)

// Format is the version of the records' shape. Records of another version are
// refused: their tables must be built again.
const Format = 1

// The records of all tables lie apart from them, so that a table's folder holds its
// shards alone and any tool can read it.
const (
	recordsFolder = "records"      // with a folder for each table
	commitFile    = "_commit.json" // among the records of its tasks
)

// ErrNoRecord says that a table has no commit record, or a task none of its own:
// it was not finished.
var ErrNoRecord = errors.New("no commit record")

// ErrEarlier says that a record has the format of an earlier release: its table is made
// again. It is [storage.ErrFormat], too.
var ErrEarlier = fmt.Errorf("%w, of an earlier release", storage.ErrFormat)

// TaskRecord is what one task leaves beside its shard once the shard and its
// rejects are in place. A run that was killed finds in it what need not be done
// again.
type TaskRecord struct {
	Format  int              `json:"format"`
	Table   string           `json:"table"`
	Version string           `json:"version,omitempty"` // of rankings; see earlier.go
	Stage   string           `json:"stage"`
	Shard   ShardRecord      `json:"shard"`
	Rejects *ShardRecord     `json:"rejects,omitempty"` // in rejects/<stage>
	Untold  int64            `json:"untold,omitempty"`  // rejects without a row: another's detail gives their number
	In      map[string]int64 `json:"in,omitempty"`      // what the task read, by name: documents 12
	Counts  map[string]int64 `json:"counts,omitempty"`  // what else it counted: truncated 3
	Program string           `json:"program,omitempty"` // that made the shard: its version and commit

	// MadeFrom are short hashes of the fingerprint's parts by name, which say why the
	// shard is made again. Key is a hash of all else in the record, which shows that it
	// is damaged. Records of version 0.1.0 have neither.
	MadeFrom map[string]string `json:"made_from,omitempty"`
	Key      string            `json:"key,omitempty"`
}

// Commit is a table's commit record: the table is whole, and this is what it
// was made from. It holds no clock and no machine's paths, so the same table
// always has the same record.
type Commit struct {
	Format   int               `json:"format"`
	Table    string            `json:"table"`
	Version  string            `json:"version,omitempty"` // of rankings; see earlier.go
	Stage    string            `json:"stage"`
	Revision int               `json:"revision"` // of the stage's code: it grows when the same input would give other rows
	Config   json.RawMessage   `json:"config"`   // the stage's part of the config, defaults written out
	Inputs   map[string]string `json:"inputs"`   // fingerprints of what was read, by table or file
	Shards   []ShardRecord     `json:"shards"`
	Rejects  []ShardRecord     `json:"rejects"` // in rejects/<stage>
	Rows     int64             `json:"rows"`
	Rejected int64             `json:"rejected"`
	Untold   int64             `json:"untold,omitempty"` // of the rejected, those without a row
	In       map[string]int64  `json:"in"`               // sums of the tasks'
	Counts   map[string]int64  `json:"counts"`           // sums of the tasks'

	// Program committed the table; its shards' records say which one made each. Neither
	// is part of a fingerprint, and no shard names a program: its bytes decide what is
	// made again of it.
	Program string `json:"program,omitempty"`

	// Checks is what the whole table was checked for before it was committed, and
	// how many things were looked at: quotes_in_one_split 375.
	Checks map[string]int64 `json:"checks,omitempty"`

	earlier bool // it lies in the table's folder; see earlier.go
}

// NewCommit sums up the records of all tasks of a stage, in any order.
func NewCommit(name, stage string, revision int, config json.RawMessage, inputs map[string]string, tasks []TaskRecord) (Commit, error) {
	c := Commit{Format: Format, Program: commonplace.Program(), Table: name, Stage: stage, Revision: revision, Config: config, Inputs: inputs,
		Shards: make([]ShardRecord, len(tasks)), Rejects: []ShardRecord{}, In: map[string]int64{}, Counts: map[string]int64{}}
	rejects := make([]*ShardRecord, len(tasks))
	for _, t := range tasks {
		k, of, ok := ParseShardName(t.Shard.File)
		if !ok || of != len(tasks) || c.Shards[k].File != "" {
			return Commit{}, fmt.Errorf("table %s: %q among %d tasks: a shard twice, or of another number", name, t.Shard.File, len(tasks))
		}
		c.Shards[k], rejects[k] = t.Shard, t.Rejects
		c.Rows += t.Shard.Rows
		c.Untold += t.Untold
		for name, n := range t.In {
			c.In[name] += n
		}
		for name, n := range t.Counts {
			c.Counts[name] += n
		}
	}
	for _, r := range rejects {
		if r != nil {
			c.Rejects = append(c.Rejects, *r)
			c.Rejected += r.Rows
		}
	}
	c.Rejected += c.Untold
	return c, nil
}

// Fingerprint changes when the table's rows change, and only then: later stages
// name it among their inputs.
func (c Commit) Fingerprint() string {
	h := sha256.New()
	fmt.Fprintf(h, "%d\n%s\n", c.Format, c.Table)
	for _, s := range c.Shards {
		fmt.Fprintf(h, "%s %s\n", s.File, s.SHA256)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Outdated names the first table, of those that a table was made from and of
// those behind them, that is now another than it was then; nothing where the
// table is up to date or not there. commits are those of the run, by table.
func Outdated(commits map[string]Commit, name string) string {
	c := commits[name]
	for _, in := range slices.Sorted(maps.Keys(c.Inputs)) {
		now, ok := commits[in]
		if ok && now.Fingerprint() != c.Inputs[in] {
			return in
		}
		if behind := Outdated(commits, in); behind != "" {
			return behind
		}
	}
	return ""
}

// Commits are the commit records of all tables of a run, by table. A record that
// is damaged is an error; a table without one is left out.
func Commits(ctx context.Context, files storage.FileSystem, run string) (map[string]Commit, error) {
	commits := map[string]Commit{}
	for _, t := range All() {
		name := t.Describe().Name
		c, err := ReadCommit(ctx, files, run, name)
		if errors.Is(err, ErrNoRecord) {
			continue
		}
		if err != nil {
			return nil, err
		}
		commits[name] = c
	}
	return commits, nil
}

// ShardPaths are the table's shards in order.
func (c Commit) ShardPaths(run string) []string {
	paths := make([]string, len(c.Shards))
	for i, s := range c.Shards {
		paths[i] = storage.Join(run, c.Folder(), s.File)
	}
	return paths
}

// Folder is the table's folder below the run's.
func (c Commit) Folder() string { return path.Join(c.Table, c.Version) }

// IsEarlier says that the record lies where an earlier release wrote it, in the table's
// folder.
func (c Commit) IsEarlier() bool { return c.earlier }

// Files are the names that the table's folder may hold.
func (c Commit) Files() map[string]bool {
	names := map[string]bool{commitFile: c.earlier, earlierRecords: c.earlier}
	for _, s := range c.Shards {
		names[s.File] = true
	}
	return names
}

// Fresh tells whether a task whose inputs, config and code have the given
// fingerprint would write what this record's task wrote.
func Fresh(record TaskRecord, fingerprint string) bool {
	return record.Format == Format && fingerprint != "" && record.Shard.Fingerprint == fingerprint
}

// Dir is the folder of a table in a run's folder. It holds the shards and nothing else.
func Dir(run, name string) string { return storage.Join(run, name) }

// RecordsDir is the folder of a table's commit record and of its tasks' records.
func RecordsDir(run, name string) string { return storage.Join(run, recordsFolder, name) }

// RejectsDir is the folder of what a stage refused.
func RejectsDir(run, stage string) string { return storage.Join(run, "rejects", stage) }

func recordPath(run, name, shard string) string {
	return storage.Join(RecordsDir(run, name), recordName(shard))
}

// recordName is the file name of a shard's record.
func recordName(shard string) string { return strings.TrimSuffix(shard, ".parquet") + ".json" }

// WriteTask writes a task's record. Call it when the shard and its rejects are
// closed, never before.
func WriteTask(ctx context.Context, files storage.FileSystem, run string, r TaskRecord) error {
	r.Format = Format
	r.Key = r.keyOf()
	return writeJSON(ctx, files, recordPath(run, r.Table, r.Shard.File), r)
}

// keyOf is a hash of all of a record but its key.
func (r TaskRecord) keyOf() string {
	r.Key = ""
	return storage.Key(r)
}

// whole tells whether a record is what was written, as far as this can be checked. A
// decoder takes names in letters of any case, so the bytes are compared too.
func (r TaskRecord) whole(b []byte) bool {
	if r.Key == "" {
		return true
	}
	again, err := encode(r)
	return err == nil && r.Key == r.keyOf() && bytes.Equal(again, b)
}

// RemoveTask removes the record of shard k of of. A task does it before it
// publishes a new shard: were it killed in between, the old record would vouch
// for the new shard, whose size may be the same.
func RemoveTask(ctx context.Context, files storage.FileSystem, run, name string, k, of int) error {
	file := recordPath(run, name, ShardName(k, of))
	err := files.Remove(ctx, file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = files.SyncDir(ctx, storage.Folder(file))
	}
	return storage.Wrap("remove", file, err)
}

// ReadTask reads the record of shard k of of, and compares the sizes of the files
// with it. It is [ErrNoRecord] when the task was not finished, or when its
// files are gone or were cut.
func ReadTask(ctx context.Context, files storage.FileSystem, run, name string, k, of int) (TaskRecord, error) {
	return readTask(ctx, files, run, name, RecordsDir(run, name), k, of)
}

// Task reads the record of shard k as [ReadTask] does, also that of an earlier release.
func (c Commit) Task(ctx context.Context, files storage.FileSystem, run string, k int) (TaskRecord, error) {
	records := RecordsDir(run, c.Table)
	if c.earlier {
		records = storage.Join(run, c.Folder(), earlierRecords)
	}
	return readTask(ctx, files, run, c.Folder(), records, k, len(c.Shards))
}

func readTask(ctx context.Context, files storage.FileSystem, run, folder, records string, k, of int) (TaskRecord, error) {
	var r TaskRecord
	shard := ShardName(k, of)
	file := storage.Join(records, recordName(shard))
	b, err := readJSON(ctx, files, file, &r)
	if err != nil {
		return TaskRecord{}, err
	}
	if r.Format != Format || path.Join(r.Table, r.Version) != folder || r.Shard.File != shard {
		return TaskRecord{}, fmt.Errorf("%s: %w for this shard in format %d", file, ErrNoRecord, Format)
	}
	if !r.whole(b) {
		return TaskRecord{}, fmt.Errorf("%s: %w: it is not what was written", file, storage.ErrDamaged)
	}
	if why := r.impossible(k, of); why != "" {
		return TaskRecord{}, fmt.Errorf("%s: %w: %s", file, storage.ErrDamaged, why)
	}
	r.Key = "" // for the file alone
	err = sameSize(ctx, files, storage.Join(run, folder, shard), r.Shard)
	if err == nil && r.Rejects != nil {
		err = sameSize(ctx, files, storage.Join(RejectsDir(run, r.Stage), r.Rejects.File), *r.Rejects)
	}
	return r, err
}

func sameSize(ctx context.Context, files storage.FileSystem, path string, want ShardRecord) error {
	size, err := files.Size(ctx, path)
	if err != nil {
		return fmt.Errorf("%s: %w: %w", path, ErrNoRecord, err)
	}
	if size != want.Bytes {
		return fmt.Errorf("%s: %w: it has %d bytes, its record says %d", path, ErrNoRecord, size, want.Bytes)
	}
	return nil
}

// WriteCommit makes the table count as whole.
func WriteCommit(ctx context.Context, files storage.FileSystem, run string, c Commit) error {
	c.Format = Format
	return writeJSON(ctx, files, CommitPath(run, c.Table), c)
}

// CommitPath is where a table's commit record lies.
func CommitPath(run, name string) string { return storage.Join(RecordsDir(run, name), commitFile) }

// ReadCommit reads a table's commit record, also that of an earlier release. It is
// [ErrNoRecord] when the table is not there or not whole.
//
// An earlier program that builds in a folder of today's layout writes its record into the
// table's folder, where today's has none. So that one is the newer of two.
func ReadCommit(ctx context.Context, files storage.FileSystem, run, name string) (Commit, error) {
	was, failed := readEarlier(ctx, files, run, name)
	if failed == nil {
		return was, nil
	}
	c, err := readCommit(ctx, files, CommitPath(run, name), name)
	if errors.Is(err, ErrNoRecord) && !errors.Is(failed, ErrNoRecord) {
		return was, failed
	}
	return c, err
}

// readCommit reads the commit record of the table in a folder.
func readCommit(ctx context.Context, files storage.FileSystem, file, folder string) (c Commit, err error) {
	if _, err := readJSON(ctx, files, file, &c); err != nil {
		return Commit{}, err
	}
	if c.Format != Format {
		return Commit{}, otherFormat(file, c.Format)
	}
	if c.Table != path.Dir(folder) && c.Folder() != folder {
		return Commit{}, fmt.Errorf("%s is of table %q: was the folder renamed?", file, c.Table)
	}
	if c.Folder() != folder {
		return Commit{}, fmt.Errorf("%s: %w: it is of version %q", file, storage.ErrDamaged, c.Version)
	}
	if why := c.impossible(); why != "" {
		return Commit{}, fmt.Errorf("%s: %w: %s; build again", file, storage.ErrDamaged, why)
	}
	return c, nil
}

// RemoveCommit makes the table count as unfinished: a stage does it before its
// tasks write.
func RemoveCommit(ctx context.Context, files storage.FileSystem, run, name string) error {
	file := CommitPath(run, name)
	err := files.Remove(ctx, file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = files.SyncDir(ctx, storage.Folder(file))
	}
	return storage.Wrap("remove", file, err)
}

// writeJSON writes a record whose bytes depend on its content alone: fields in
// order, maps by key.
func writeJSON(ctx context.Context, files storage.FileSystem, path string, v any) error {
	b, err := encode(v)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return storage.Write(ctx, files, path, b)
}

func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(v)
	return b.Bytes(), err
}

// formatOf is the format that a record says it has; 0 where it says none.
func formatOf(record []byte) int {
	var r struct {
		Format int `json:"format"`
	}
	_ = json.Unmarshal(record, &r) // what is no record has none
	return r.Format
}

// otherFormat refuses a record. One of an earlier format is made again by a build; one
// of a later format is for a later program.
func otherFormat(path string, format int) error {
	is, advice := ErrEarlier, "`commonplace build` makes the table again"
	if format > Format {
		is, advice = storage.ErrFormat, "use the release that wrote it, or build into another folder"
	}
	return fmt.Errorf("%s: %w: it has format %d, and this program reads format %d; %s", path, is, format, Format, advice)
}

func readJSON(ctx context.Context, files storage.FileSystem, path string, v any) ([]byte, error) {
	b, err := storage.Read(ctx, files, path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s: %w", path, ErrNoRecord)
	case errors.Is(err, storage.ErrDamaged):
		return nil, err
	case err != nil:
		return nil, storage.Wrap("read", path, err)
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		if format := formatOf(b); format > Format {
			return nil, otherFormat(path, format)
		}
		return nil, fmt.Errorf("%s: %w: %v; build again, which writes it again", path, storage.ErrDamaged, err)
	}
	return b, nil
}
