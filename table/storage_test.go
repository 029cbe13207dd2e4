package table_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/storage/storagetest"
	"github.com/commonplace/commonplace/table"
)

// task does what a stage's task does: shard, rejects, record; then the table's
// commit record.
func task(ctx context.Context, m *storagetest.Memory, rows []commonplace.Document) error {
	w, err := table.Documents.On(m).Create(ctx, "run/documents", 0, 1)
	if err != nil {
		return err
	}
	defer w.Abort()
	for _, r := range rows {
		if err := w.Write(r); err != nil {
			return err
		}
	}
	shard, err := w.Close()
	if err != nil {
		return err
	}
	shard.Fingerprint = "f"
	rw, err := table.Rejects.On(m).Create(ctx, "run/rejects/crawl", 0, 1)
	if err != nil {
		return err
	}
	defer rw.Abort()
	if err := rw.Write(commonplace.Reject{Stage: "crawl", Reason: "empty"}); err != nil {
		return err
	}
	rejects, err := rw.Close()
	if err != nil {
		return err
	}
	rec := table.TaskRecord{Table: "documents", Stage: "crawl", Shard: shard, Rejects: &rejects, In: map[string]int64{"files": 4}}
	if err := table.WriteTask(ctx, m, "run", rec); err != nil {
		return err
	}
	c, err := table.NewCommit("documents", "crawl", 1, []byte(`{}`), map[string]string{}, []table.TaskRecord{rec})
	if err != nil {
		return err
	}
	return table.WriteCommit(ctx, m, "run", c)
}

func taskRows() []commonplace.Document {
	var rows []commonplace.Document
	for i := range 3 {
		text := strings.Repeat(fmt.Sprintf("%d é ", i), 1000)
		n := int64(len([]rune(text)))
		rows = append(rows, commonplace.Document{ID: fmt.Sprint(i), Text: text, Characters: n, FrameEnd: n})
	}
	return rows
}

// TestStorageFails lets every operation of a task fail in turn, with and without
// the table's older version in place: the error is storage.ErrRefused, every shard that
// is visible is whole, no temporary file is left, and the next run ends with
// the same bytes as if nothing had happened.
func TestStorageFails(t *testing.T) {
	good := storagetest.NewMemory()
	if err := task(t.Context(), good, taskRows()); err != nil {
		t.Fatal(err)
	}
	if good.Ops < 20 {
		t.Fatalf("only %d operations", good.Ops)
	}
	old := storagetest.NewMemory()
	if err := task(t.Context(), old, taskRows()[:1]); err != nil {
		t.Fatal(err)
	}
	for _, before := range []map[string][]byte{{}, old.Files} {
		for n := 1; n <= good.Ops; n++ {
			m := storagetest.NewMemory()
			m.Files = maps.Clone(before)
			m.FailAt = n
			err := task(t.Context(), m, taskRows())
			if !errors.Is(err, storage.ErrRefused) || !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "free some space") || !strings.Contains(err.Error(), "run/") {
				t.Errorf("operation %d: %v", n, err)
			}
			for path, b := range m.Files {
				if strings.HasSuffix(path, ".tmp") {
					t.Errorf("operation %d: %s is left", n, path)
				}
				if !bytes.Equal(b, good.Files[path]) && !bytes.Equal(b, before[path]) {
					t.Errorf("operation %d: %s is neither the old nor the new one", n, path)
				}
			}
			// A record must not vouch for a shard that is not there.
			if rec, err := table.ReadTask(t.Context(), m, "run", "documents", 0, 1); err == nil && len(before) == 0 {
				if rec.Shard.SHA256 == "" || m.Files["run/documents/"+rec.Shard.File] == nil {
					t.Errorf("operation %d: record %+v", n, rec)
				}
			}
			m.FailAt = 0
			if err := task(t.Context(), m, taskRows()); err != nil {
				t.Errorf("operation %d, again: %v", n, err)
			}
			if !maps.EqualFunc(m.Files, good.Files, bytes.Equal) {
				t.Errorf("operation %d: the run after it made other files", n)
			}
		}
	}
}

func TestAbortAndClean(t *testing.T) {
	dir := t.TempDir()
	w, err := table.Documents.Create(t.Context(), dir, 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	names, _ := storage.Local.List(t.Context(), dir)
	if len(names) != 1 || !strings.HasPrefix(names[0], ".") || strings.HasSuffix(names[0], ".parquet") {
		t.Errorf("while writing: %v", names)
	}
	w.Abort()
	w.Abort()
	if err := w.Write(commonplace.Document{}); err == nil {
		t.Error("wrote to an aborted shard")
	}
	if _, err := w.Close(); err == nil {
		t.Error("closed an aborted shard")
	}
	if names, _ := storage.Local.List(t.Context(), dir); len(names) != 0 {
		t.Errorf("after Abort: %v", names)
	}
	w, err = table.Documents.Create(t.Context(), dir, 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Close(); err != nil {
		t.Fatal(err)
	}
	os.WriteFile(filepath.Join(dir, ".part-00000-of-00001.parquet.0123456789ab.tmp"), nil, 0o644) // as a killed run leaves it
	if err := table.Clean(t.Context(), storage.Local, dir); err != nil {
		t.Fatal(err)
	}
	if names, _ := storage.Local.List(t.Context(), dir); len(names) != 1 || names[0] != table.ShardName(0, 1) {
		t.Errorf("after Clean: %v", names)
	}
	if err := table.Clean(t.Context(), storage.Local, filepath.Join(dir, "absent")); err != nil {
		t.Error(err)
	}
}

func TestShardOf(t *testing.T) {
	// Published FNV-1a values: "" is the offset basis, "a" 0xaf63dc4c8601ec8c.
	for id, want := range map[string]uint64{"": 0xcbf29ce484222325, "a": 0xaf63dc4c8601ec8c, "foobar": 0x85944171f73967e8} {
		for _, of := range []int{1, 2, 16, 1000} {
			if got := table.ShardOf(id, of); got != int(want%uint64(of)) {
				t.Errorf("ShardOf(%q, %d) = %d", id, of, got)
			}
		}
	}
	if k, of, ok := table.ParseShardName(table.ShardName(3, 16)); k != 3 || of != 16 || !ok {
		t.Error(k, of, ok)
	}
	for _, bad := range []string{"", "part-3-of-16.parquet", "part-00016-of-00016.parquet", "part-00003-of-00016.parquet.tmp", "x"} {
		if _, _, ok := table.ParseShardName(bad); ok {
			t.Errorf("%q is taken for a shard", bad)
		}
	}
}
