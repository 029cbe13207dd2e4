package lake

import (
	"bytes"
	"crypto/sha256"
	"strconv"

	"github.com/twmb/avro"
	"github.com/twmb/avro/ocf"

	"github.com/commonplace/commonplace/storage"
)

// States of a file in a manifest.
const (
	existing = 0 // an earlier snapshot has it, too
	added    = 1
	deleted  = 2 // the snapshot before had it
)

// dataFile is a file of a snapshot, as ID-files.json keeps it.
type dataFile struct {
	Name     string `json:"name"` // in the folder data
	Rows     int64  `json:"rows"`
	Bytes    int64  `json:"bytes"`
	Snapshot int64  `json:"snapshot"` // that added it
	Sequence int64  `json:"sequence"` // of that snapshot
}

// entry is a row of a manifest.
type entry struct {
	Status       int        `avro:"status"`
	Snapshot     int64      `avro:"snapshot_id"`
	Sequence     int64      `avro:"sequence_number"`
	FileSequence int64      `avro:"file_sequence_number"`
	File         avroedFile `avro:"data_file"`
}

type avroedFile struct {
	Content   int      `avro:"content"`
	Path      string   `avro:"file_path"`
	Format    string   `avro:"file_format"`
	Partition struct{} `avro:"partition"`
	Rows      int64    `avro:"record_count"`
	Bytes     int64    `avro:"file_size_in_bytes"`
}

// The ids are Iceberg's. Columns that may be missing and that we do not know are left out.
var entrySchema = avro.MustParse(`{"type": "record", "name": "manifest_entry", "fields": [
	{"name": "status", "type": "int", "field-id": 0},
	{"name": "snapshot_id", "type": ["null", "long"], "default": null, "field-id": 1},
	{"name": "sequence_number", "type": ["null", "long"], "default": null, "field-id": 3},
	{"name": "file_sequence_number", "type": ["null", "long"], "default": null, "field-id": 4},
	{"name": "data_file", "field-id": 2, "type": {"type": "record", "name": "r2", "fields": [
		{"name": "content", "type": "int", "field-id": 134},
		{"name": "file_path", "type": "string", "field-id": 100},
		{"name": "file_format", "type": "string", "field-id": 101},
		{"name": "partition", "type": {"type": "record", "name": "r102", "fields": []}, "field-id": 102},
		{"name": "record_count", "type": "long", "field-id": 103},
		{"name": "file_size_in_bytes", "type": "long", "field-id": 104}
	]}}
]}`)

// listed is a row of a manifest list.
type listed struct {
	Path          string `avro:"manifest_path"`
	Length        int64  `avro:"manifest_length"`
	Spec          int    `avro:"partition_spec_id"`
	Content       int    `avro:"content"`
	Sequence      int64  `avro:"sequence_number"`
	MinSequence   int64  `avro:"min_sequence_number"`
	Snapshot      int64  `avro:"added_snapshot_id"`
	AddedFiles    int    `avro:"added_files_count"`
	ExistingFiles int    `avro:"existing_files_count"`
	DeletedFiles  int    `avro:"deleted_files_count"`
	AddedRows     int64  `avro:"added_rows_count"`
	ExistingRows  int64  `avro:"existing_rows_count"`
	DeletedRows   int64  `avro:"deleted_rows_count"`
}

var listSchema = avro.MustParse(`{"type": "record", "name": "manifest_file", "fields": [
	{"name": "manifest_path", "type": "string", "field-id": 500},
	{"name": "manifest_length", "type": "long", "field-id": 501},
	{"name": "partition_spec_id", "type": "int", "field-id": 502},
	{"name": "content", "type": "int", "field-id": 517},
	{"name": "sequence_number", "type": "long", "field-id": 515},
	{"name": "min_sequence_number", "type": "long", "field-id": 516},
	{"name": "added_snapshot_id", "type": "long", "field-id": 503},
	{"name": "added_files_count", "type": "int", "field-id": 504},
	{"name": "existing_files_count", "type": "int", "field-id": 505},
	{"name": "deleted_files_count", "type": "int", "field-id": 506},
	{"name": "added_rows_count", "type": "long", "field-id": 512},
	{"name": "existing_rows_count", "type": "long", "field-id": 513},
	{"name": "deleted_rows_count", "type": "long", "field-id": 514}
]}`)

// change is what a snapshot does to the files of the one before.
type change struct {
	snapshot, sequence, parent int64
	now                        []dataFile
	gone                       []dataFile
}

// entries are the rows of the snapshot's one manifest, and their sums for its list.
func (c change) entries(uri func(name string) string) ([]entry, listed) {
	var rows []entry
	sums := listed{Snapshot: c.snapshot, Sequence: c.sequence, MinSequence: c.sequence}
	add := func(f dataFile, status int) {
		e := entry{Status: status, Snapshot: f.Snapshot, Sequence: f.Sequence, FileSequence: f.Sequence}
		e.File = avroedFile{Path: uri(f.Name), Format: "PARQUET", Rows: f.Rows, Bytes: f.Bytes}
		switch status {
		case added:
			sums.AddedFiles, sums.AddedRows = sums.AddedFiles+1, sums.AddedRows+f.Rows
		case existing:
			sums.ExistingFiles, sums.ExistingRows = sums.ExistingFiles+1, sums.ExistingRows+f.Rows
		case deleted:
			e.Snapshot = c.snapshot
			sums.DeletedFiles, sums.DeletedRows = sums.DeletedFiles+1, sums.DeletedRows+f.Rows
		}
		if status != deleted {
			sums.MinSequence = min(sums.MinSequence, f.Sequence)
		}
		rows = append(rows, e)
	}
	for _, f := range c.now {
		if f.Snapshot == c.snapshot {
			add(f, added)
		} else {
			add(f, existing)
		}
	}
	for _, f := range c.gone {
		add(f, deleted)
	}
	return rows, sums
}

// manifest is the file of a snapshot's entries.
func manifest(s schema, rows []entry) ([]byte, error) {
	return container(entrySchema, map[string][]byte{
		"schema":            storage.MustJSON(s),
		"schema-id":         []byte(strconv.Itoa(s.ID)),
		"partition-spec":    []byte("[]"),
		"partition-spec-id": []byte("0"),
		"format-version":    []byte(strconv.Itoa(formatVersion)),
		"content":           []byte("data"),
	}, rows)
}

// manifestList is the file that names a snapshot's manifest.
func manifestList(c change, row listed) ([]byte, error) {
	parent := "null"
	if c.parent != 0 {
		parent = strconv.FormatInt(c.parent, 10)
	}
	return container(listSchema, map[string][]byte{
		"snapshot-id":        []byte(strconv.FormatInt(c.snapshot, 10)),
		"parent-snapshot-id": []byte(parent),
		"sequence-number":    []byte(strconv.FormatInt(c.sequence, 10)),
		"format-version":     []byte(strconv.Itoa(formatVersion)),
	}, []listed{row})
}

// container is a file of Avro rows. Its marker, which Avro leaves open, is a hash: the
// same rows give the same bytes. It is compressed: pyiceberg takes a head without a codec
// for one that it does not know.
func container[T any](s *avro.Schema, head map[string][]byte, rows []T) ([]byte, error) {
	sum := sha256.Sum256(storage.MustJSON(rows))
	var b bytes.Buffer
	w, err := ocf.NewWriter(&b, s, ocf.WithMetadata(head), ocf.WithCodec(ocf.DeflateCodec(6)), ocf.WithSyncMarker([16]byte(sum[:16])))
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		if err := w.Encode(&row); err != nil {
			return nil, err
		}
	}
	err = w.Close()
	return b.Bytes(), err
}
