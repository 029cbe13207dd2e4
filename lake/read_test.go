package lake

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/twmb/avro/ocf"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// runOf is a run with the rankings of documents, one a shard. A name is a document's id,
// and its score after a colon.
func runOf(t *testing.T, documents ...string) (dir string, c table.Commit) {
	t.Helper()
	dir = t.TempDir()
	return dir, committed(t, dir, documents...)
}

func committed(t *testing.T, dir string, documents ...string) table.Commit {
	t.Helper()
	var tasks []table.TaskRecord
	for i, name := range documents {
		w, err := table.Rankings.Create(t.Context(), storage.Join(dir, table.Rankings.Name), i, len(documents))
		if err != nil {
			t.Fatal(err)
		}
		if id, score, ok := strings.Cut(name, ":"); ok {
			value, err := strconv.ParseFloat(score, 64)
			if err == nil {
				err = w.Write(commonplace.Ranking{DocID: id, PassageID: id + ":000000", Score: value, Reasons: []commonplace.Reason{{Feature: "words", Effect: value}}})
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		shard, err := w.Close()
		if err != nil {
			t.Fatal(err)
		}
		tasks = append(tasks, table.TaskRecord{Shard: shard})
	}
	c, err := table.NewCommit(table.Rankings.Name, "rank", 1, []byte(`{}`), map[string]string{}, tasks)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// clock gives a later moment each time.
func clock() func() time.Time {
	at := time.UnixMilli(1_800_000_000_000)
	return func() time.Time { at = at.Add(time.Hour); return at }
}

// published are the rows of a table's snapshots, newest first, as a reader finds them who
// begins with the hint. There is none where there is no hint yet.
func published(t *testing.T, dir string) (snapshots [][]string, m metadata) {
	t.Helper()
	hint, err := os.ReadFile(filepath.Join(dir, "metadata", "version-hint.text"))
	if errors.Is(err, os.ErrNotExist) {
		return nil, m
	}
	if err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(filepath.Join(dir, "metadata", "v"+string(hint)+".metadata.json"))
	if err == nil {
		err = json.Unmarshal(raw, &m)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range slices.Backward(m.Snapshots) {
		var rows []string
		sums := listed{}
		for _, l := range decoded[listed](t, s.ManifestList) {
			if info, err := os.Stat(strings.TrimPrefix(l.Path, "file://")); err != nil || info.Size() != l.Length {
				t.Errorf("%s is not of %d bytes: %v", l.Path, l.Length, err)
			}
			for _, e := range decoded[entry](t, l.Path) {
				switch e.Status {
				case added:
					sums.AddedFiles, sums.AddedRows = sums.AddedFiles+1, sums.AddedRows+e.File.Rows
				case existing:
					sums.ExistingFiles, sums.ExistingRows = sums.ExistingFiles+1, sums.ExistingRows+e.File.Rows
				case deleted:
					sums.DeletedFiles, sums.DeletedRows = sums.DeletedFiles+1, sums.DeletedRows+e.File.Rows
					continue
				}
				path := strings.TrimPrefix(e.File.Path, "file://")
				if info, err := os.Stat(path); err != nil || info.Size() != e.File.Bytes {
					t.Errorf("%s is not of %d bytes: %v", path, e.File.Bytes, err)
				}
				n := int64(0)
				for row, err := range table.Rankings.Rows(t.Context(), path) {
					if err != nil {
						t.Fatal(err)
					}
					n++
					rows = append(rows, row.DocID+":"+strconv.FormatFloat(row.Score, 'g', -1, 64))
				}
				if n != e.File.Rows {
					t.Errorf("%s has %d rows, and the manifest says %d", path, n, e.File.Rows)
				}
			}
			said := listed{AddedFiles: l.AddedFiles, ExistingFiles: l.ExistingFiles, DeletedFiles: l.DeletedFiles, AddedRows: l.AddedRows, ExistingRows: l.ExistingRows, DeletedRows: l.DeletedRows}
			if said != sums {
				t.Errorf("the list says %+v, and the manifest has %+v", said, sums)
			}
		}
		slices.Sort(rows)
		snapshots = append(snapshots, rows)
	}
	return snapshots, m
}

func decoded[T any](t *testing.T, uri string) (rows []T) {
	t.Helper()
	raw, err := os.ReadFile(strings.TrimPrefix(uri, "file://"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := ocf.NewReader(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	for {
		var row T
		if err := r.Decode(&row); err == io.EOF {
			return rows
		} else if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row)
	}
}

// tree is every file of a folder with its bytes.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := storage.Walk(t.Context(), dir, func(file string) error {
		raw, err := os.ReadFile(file)
		all[strings.TrimPrefix(file, dir)] = string(raw)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
