package engine

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// Task is one element of a job: which shard of which table to make, from what.
// It travels as JSON and holds names, never text.
type Task struct {
	Stage       string          `json:"stage"`
	Table       string          `json:"table"`            // that it writes; of one that is kept in versions, the version too
	Out         string          `json:"out"`              // folder of the tables
	Shard       int             `json:"shard"`            // output shard
	Of          int             `json:"of"`               // shards of the output table
	Fingerprint string          `json:"fingerprint"`      // of everything that decides the shard's rows
	Settings    json.RawMessage `json:"settings"`         // the stage's part of the config
	Extra       json.RawMessage `json:"extra,omitempty"`  // where this stage finds what is no table: files, the model's folder
	Inputs      []Input         `json:"inputs,omitempty"` // input shards
	Parts       Parts           `json:"parts,omitempty"`  // of the fingerprint, for the shard's record
	NoReuse     bool            `json:"anew,omitempty"`   // nothing of yesterday's table is to be taken over
}

// Input is one shard that a task reads, or a whole table.
type Input struct {
	Table  string `json:"table"`
	File   string `json:"file,omitempty"` // of the shard
	Of     int    `json:"of,omitempty"`   // shards of the whole table
	SHA256 string `json:"sha256"`         // of the shard's bytes, or the table's fingerprint
}

// Folder is where a table is.
func (t Task) Folder(name string) string { return table.Dir(t.Out, name) }

// Path is the task's shard of a table that it reads one shard of. Of another table
// it is a file that there cannot be, whose name says so.
func (t Task) Path(name string) string {
	for _, in := range t.Inputs {
		if in.Table == name && in.File != "" {
			return storage.Join(t.Folder(name), in.File)
		}
	}
	return storage.Join(t.Folder(name), "stage "+t.Stage+" reads no single shard of it")
}

// Paths are the shards of a table that the task reads whole, in their order.
func (t Task) Paths(name string) []string {
	var paths []string
	for _, in := range t.Inputs {
		if in.Table == name {
			for k := range in.Of {
				paths = append(paths, storage.Join(t.Folder(name), table.ShardName(k, in.Of)))
			}
		}
	}
	return paths
}

// Decode reads the stage's part of the config back.
func (t Task) Decode(v any) error { return json.Unmarshal(t.Settings, v) }

// FingerprintWith covers what decides the rows of the task's shard: the stage and its
// revision, the settings, which shard it is, and the contents of what it reads.
func (t Task) FingerprintWith(revision int, inputs []Input, contents string) string {
	b := storage.MustJSON(struct {
		Stage    string
		Revision int
		Format   int
		Settings json.RawMessage
		Shard    int
		Of       int
		Inputs   []Input
		Contents string
	}{t.Stage, revision, table.Format, t.Settings, t.Shard, t.Of, inputs, contents})
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// InputsKey names the contents of a table that a task reads whole.
func (t Task) InputsKey(name string) string {
	for _, in := range t.Inputs {
		if in.Table == name && in.Of > 0 {
			return in.SHA256
		}
	}
	return ""
}
