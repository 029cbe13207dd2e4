package table

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
)

// task does what a stage's task does: shard, rejects, record; then the table's
// commit record.
func task(ctx context.Context, m *memory, rows []commonplace.Document) error {
	w, err := Documents.On(m).Create(ctx, "run/documents", 0, 1)
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
	rw, err := Rejects.On(m).Create(ctx, "run/rejects/crawl", 0, 1)
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
	rec := TaskRecord{Table: "documents", Stage: "crawl", Shard: shard, Rejects: &rejects, In: map[string]int64{"files": 4}}
	if err := WriteTask(ctx, m, "run", rec); err != nil {
		return err
	}
	c, err := NewCommit("documents", "crawl", 1, []byte(`{}`), map[string]string{}, []TaskRecord{rec})
	if err != nil {
		return err
	}
	return WriteCommit(ctx, m, "run", c)
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
	good := newMemory()
	if err := task(t.Context(), good, taskRows()); err != nil {
		t.Fatal(err)
	}
	if good.ops < 20 {
		t.Fatalf("only %d operations", good.ops)
	}
	old := newMemory()
	if err := task(t.Context(), old, taskRows()[:1]); err != nil {
		t.Fatal(err)
	}
	for _, before := range []map[string][]byte{{}, old.files} {
		for n := 1; n <= good.ops; n++ {
			m := newMemory()
			m.files = maps.Clone(before)
			m.failAt = n
			err := task(t.Context(), m, taskRows())
			if !errors.Is(err, storage.ErrRefused) || !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "free some space") || !strings.Contains(err.Error(), "run/") {
				t.Errorf("operation %d: %v", n, err)
			}
			for path, b := range m.files {
				if strings.HasSuffix(path, ".tmp") {
					t.Errorf("operation %d: %s is left", n, path)
				}
				if !bytes.Equal(b, good.files[path]) && !bytes.Equal(b, before[path]) {
					t.Errorf("operation %d: %s is neither the old nor the new one", n, path)
				}
			}
			// A record must not vouch for a shard that is not there.
			if rec, err := ReadTask(t.Context(), m, "run", "documents", 0, 1); err == nil && len(before) == 0 {
				if rec.Shard.SHA256 == "" || m.files["run/documents/"+rec.Shard.File] == nil {
					t.Errorf("operation %d: record %+v", n, rec)
				}
			}
			m.failAt = 0
			if err := task(t.Context(), m, taskRows()); err != nil {
				t.Errorf("operation %d, again: %v", n, err)
			}
			if !maps.EqualFunc(m.files, good.files, bytes.Equal) {
				t.Errorf("operation %d: the run after it made other files", n)
			}
		}
	}
}

func TestReadOnlyFolder(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Log("root may write anywhere: the folder is a file instead")
	}
	path := filepath.Join(t.TempDir(), "file")
	os.WriteFile(path, nil, 0o644)
	if _, err := Documents.Create(t.Context(), filepath.Join(path, "documents"), 0, 1); !errors.Is(err, storage.ErrRefused) {
		t.Errorf("%v", err)
	}
	m := newMemory()
	m.failAt, m.failure = 2, syscall.EROFS
	if _, err := Documents.On(m).Create(t.Context(), "run", 0, 1); !errors.Is(err, storage.ErrRefused) || !strings.Contains(err.Error(), "may write to") {
		t.Errorf("%v", err)
	}
}

func TestShardsAreReadable(t *testing.T) {
	dir := t.TempDir()
	rec := write(t, Documents, dir, taskRows())
	info, err := os.Stat(filepath.Join(dir, rec.File))
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm()&0o600 != 0o600 || info.Mode().Perm()&0o111 != 0 {
		t.Errorf("mode %v", info.Mode())
	}
	want, _ := os.OpenFile(filepath.Join(dir, "umask"), os.O_CREATE|os.O_WRONLY, 0o644)
	like, _ := want.Stat()
	if info.Mode() != like.Mode() {
		t.Errorf("mode %v, a plain file has %v", info.Mode(), like.Mode())
	}
}

func TestAbortAndClean(t *testing.T) {
	dir := t.TempDir()
	w, err := Documents.Create(t.Context(), dir, 0, 1)
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
	write(t, Documents, dir, taskRows())
	os.WriteFile(filepath.Join(dir, ".part-00000-of-00001.parquet.0123456789ab.tmp"), nil, 0o644) // as a killed run leaves it
	if err := Clean(t.Context(), storage.Local, dir); err != nil {
		t.Fatal(err)
	}
	if names, _ := storage.Local.List(t.Context(), dir); len(names) != 1 || names[0] != ShardName(0, 1) {
		t.Errorf("after Clean: %v", names)
	}
	if err := Clean(t.Context(), storage.Local, filepath.Join(dir, "absent")); err != nil {
		t.Error(err)
	}
}

func TestOrder(t *testing.T) {
	for _, c := range []struct {
		rows []commonplace.Passage
		want []string
	}{
		{[]commonplace.Passage{{DocID: "b"}, {DocID: "a"}}, []string{`doc_id "a", index 0`, `doc_id "b", index 0`, "sorted"}},
		{[]commonplace.Passage{{DocID: "a", Index: 10}, {DocID: "a", Index: 9}}, []string{"index 9", "index 10", "sorted"}},
		{[]commonplace.Passage{{DocID: "a", Index: 1}, {DocID: "a", Index: 1}}, []string{"two rows", "index 1"}},
		{[]commonplace.Passage{{DocID: "a", Text: "\xff"}}, []string{"text", "UTF-8", `doc_id "a"`}},
	} {
		dir := t.TempDir()
		w, err := Passages.Create(t.Context(), dir, 0, 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range c.rows {
			err = w.Write(r)
		}
		if err == nil {
			t.Fatalf("%+v was written", c.rows)
		}
		for _, s := range c.want {
			if !strings.Contains(err.Error(), s) {
				t.Errorf("%q does not say %q", err, s)
			}
		}
		if _, closing := w.Close(); closing == nil {
			t.Error("Close after a wrong row worked")
		}
		if names, _ := storage.Local.List(t.Context(), dir); len(names) != 0 {
			t.Errorf("left: %v", names)
		}
	}
	w, _ := Examples.On(newMemory()).Create(t.Context(), "run", 0, 1)
	if err := w.Write(commonplace.Example{Tokens: []string{"a", "\x80"}}); err == nil || !strings.Contains(err.Error(), "tokens") {
		t.Errorf("a list with bytes that are not UTF-8: %v", err)
	}
}

func TestLargestValue(t *testing.T) {
	defer func(n int) { maxValue = n }(maxValue)
	maxValue = 1000
	w, err := Documents.On(newMemory()).Create(t.Context(), "run", 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write(commonplace.Document{ID: "a", Text: strings.Repeat("x", 900)}); err != nil {
		t.Error(err)
	}
	if err := w.Write(commonplace.Document{ID: "b", Text: strings.Repeat("x", 1001)}); err == nil || !strings.Contains(err.Error(), `doc_id "b"`) {
		t.Errorf("%v", err)
	}
}

func TestShardOf(t *testing.T) {
	// Published FNV-1a values: "" is the offset basis, "a" 0xaf63dc4c8601ec8c.
	for id, want := range map[string]uint64{"": 0xcbf29ce484222325, "a": 0xaf63dc4c8601ec8c, "foobar": 0x85944171f73967e8} {
		for _, of := range []int{1, 2, 16, 1000} {
			if got := ShardOf(id, of); got != int(want%uint64(of)) {
				t.Errorf("ShardOf(%q, %d) = %d", id, of, got)
			}
		}
	}
	if k, of, ok := ParseShardName(ShardName(3, 16)); k != 3 || of != 16 || !ok {
		t.Error(k, of, ok)
	}
	for _, bad := range []string{"", "part-3-of-16.parquet", "part-00016-of-00016.parquet", "part-00003-of-00016.parquet.tmp", "x"} {
		if _, _, ok := ParseShardName(bad); ok {
			t.Errorf("%q is taken for a shard", bad)
		}
	}
}
