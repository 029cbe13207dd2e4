package lake

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"github.com/commonplace/commonplace/storage"
)

// metadata is a file vN.metadata.json: what we write of Iceberg's table metadata.
type metadata struct {
	FormatVersion    int               `json:"format-version"`
	UUID             string            `json:"table-uuid"`
	Location         string            `json:"location"`
	LastSequence     int64             `json:"last-sequence-number"`
	LastUpdated      int64             `json:"last-updated-ms"`
	LastColumn       int               `json:"last-column-id"`
	Schemas          []schema          `json:"schemas"`
	CurrentSchema    int               `json:"current-schema-id"`
	Specs            []partitionSpec   `json:"partition-specs"`
	DefaultSpec      int               `json:"default-spec-id"`
	LastPartition    int               `json:"last-partition-id"`
	Properties       map[string]string `json:"properties"`
	CurrentSnapshot  int64             `json:"current-snapshot-id"`
	Refs             map[string]ref    `json:"refs"`
	Snapshots        []snapshot        `json:"snapshots"`
	SnapshotLog      []snapshotLog     `json:"snapshot-log"`
	MetadataLog      []metadataLog     `json:"metadata-log"`
	SortOrders       []sortOrder       `json:"sort-orders"`
	DefaultSortOrder int               `json:"default-sort-order-id"`
}

// noFields is a list without elements: the table has no partitions, and no sort order
// over all of its files.
type noFields []struct{}

type partitionSpec struct {
	ID     int      `json:"spec-id"`
	Fields noFields `json:"fields"`
}

type sortOrder struct {
	ID     int      `json:"order-id"`
	Fields noFields `json:"fields"`
}

type ref struct {
	Snapshot int64  `json:"snapshot-id"`
	Type     string `json:"type"`
}

type snapshot struct {
	ID           int64             `json:"snapshot-id"`
	Parent       int64             `json:"parent-snapshot-id,omitempty"`
	Sequence     int64             `json:"sequence-number"`
	Time         int64             `json:"timestamp-ms"`
	ManifestList string            `json:"manifest-list"`
	Summary      map[string]string `json:"summary"`
	Schema       int               `json:"schema-id"`
}

type snapshotLog struct {
	Snapshot int64 `json:"snapshot-id"`
	Time     int64 `json:"timestamp-ms"`
}

type metadataLog struct {
	File string `json:"metadata-file"`
	Time int64  `json:"timestamp-ms"`
}

// current is the snapshot that readers get, nil where there is none.
func (m *metadata) current() *snapshot {
	for i := range m.Snapshots {
		if m.Snapshots[i].ID == m.CurrentSnapshot {
			return &m.Snapshots[i]
		}
	}
	return nil
}

// maxMetadata is the size of a file of metadata above which it is not ours: the files of
// a snapshot take 300 bytes each, and a table has at most some thousands.
const maxMetadata = 64 << 20

const (
	dataFolder     = "data"
	metadataFolder = "metadata"
	hintFile       = "version-hint.text"
)

// Properties of a table that only this program sets.
const (
	tableProperty       = "commonplace.table"
	fingerprintProperty = "commonplace.fingerprint" // in the summary of a snapshot
	mappingProperty     = "schema.name-mapping.default"
)

func versionFile(n int) string { return "v" + strconv.Itoa(n) + ".metadata.json" }

// open reads the newest version of a table. It is version 0 where there is no table yet.
// The hint may be one version late: a publish ended before it was replaced.
func (l *lake) open(ctx context.Context) error {
	names, err := l.files.List(ctx, l.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return storage.Wrap("list", l.dir, err)
	}
	for _, name := range names {
		if name != dataFolder && name != metadataFolder && name != lockFile {
			return fmt.Errorf("%s: %w: it holds %s; choose an empty or a new folder", l.dir, ErrForeign, name)
		}
	}
	for _, folder := range []string{dataFolder, metadataFolder} {
		if err := storage.RefuseLink(ctx, storage.Join(l.dir, folder)); err != nil {
			return err
		}
	}
	hint, err := l.read(ctx, hintFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	default:
		if l.hint, err = strconv.Atoi(strings.TrimSpace(string(hint))); err != nil || l.hint < 1 {
			return fmt.Errorf("%s: %w: it is %.20q, must be the number of a version", storage.Join(l.dir, metadataFolder, hintFile), storage.ErrDamaged, hint)
		}
	}
	for n := max(l.hint, 1); ; n++ {
		raw, err := l.read(ctx, versionFile(n))
		if errors.Is(err, fs.ErrNotExist) && n != l.hint {
			return nil
		}
		if err != nil {
			return err
		}
		if err := l.understand(raw, versionFile(n)); err != nil {
			return err
		}
		l.version = n
	}
}

// understand takes metadata that this program wrote for this table and this folder. What
// another program added would be lost with the next version, so it is refused.
func (l *lake) understand(raw []byte, name string) error {
	path := storage.Join(l.dir, metadataFolder, name)
	var m metadata
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(&m); err != nil {
		return fmt.Errorf("%s: %w: not metadata that publish wrote: %v; choose an empty or a new folder", path, ErrForeign, err)
	}
	switch of := m.Properties[tableProperty]; {
	case of != l.table || m.FormatVersion != formatVersion || m.current() == nil || len(m.Schemas) == 0:
		return fmt.Errorf("%s: %w: not metadata that publish wrote of %s; choose an empty or a new folder", path, ErrForeign, l.table)
	case m.Location != l.location:
		return fmt.Errorf("%s: %w: the table was published as %s, and its files are named by this path; publish into a new folder, or move it back", path, ErrForeign, m.Location)
	}
	l.was = &m
	return nil
}

// read reads a file of the metadata, up to a size.
func (l *lake) read(ctx context.Context, name string) ([]byte, error) {
	path := storage.Join(l.dir, metadataFolder, name)
	size, err := l.files.Size(ctx, path)
	if err == nil && size > maxMetadata {
		return nil, fmt.Errorf("%s: %w: %d bytes, over the limit of %d, which is fixed", path, storage.ErrDamaged, size, maxMetadata)
	}
	if err != nil {
		return nil, storage.Wrap("read", path, err)
	}
	raw, err := storage.Read(ctx, l.files, path)
	if err != nil {
		return nil, storage.Wrap("read", path, err)
	}
	return raw, nil
}

// write writes a file of the metadata, whole or not at all.
func (l *lake) write(ctx context.Context, name string, content []byte) error {
	return storage.Write(ctx, l.files, storage.Join(l.dir, metadataFolder, name), content)
}

// uri is how metadata names a file of the table.
func (l *lake) uri(folder, name string) string { return l.location + "/" + folder + "/" + name }
