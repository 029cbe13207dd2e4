package table_test

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/storage/storagetest"
	"github.com/commonplace/commonplace/table"
	"github.com/commonplace/commonplace/table/verify"
)

var errPail = errors.New("503 Service Unavailable")

// usePail makes pail://… a bucket of the test's own.
func usePail(t *testing.T) *storagetest.Bucket {
	t.Setenv("TMPDIR", t.TempDir())
	t.Cleanup(func() {
		if left, _ := os.ReadDir(os.TempDir()); len(left) > 0 {
			t.Errorf("%s is left in the temporary folder", left[0].Name())
		}
	})
	return storagetest.NewBucket(t, "pail")
}

// writeRun writes a table of one shard with its records.
func writeRun(ctx context.Context, run string) error {
	w, err := table.Documents.Create(ctx, table.Dir(run, "documents"), 0, 1)
	if err != nil {
		return err
	}
	defer w.Abort()
	for _, row := range taskRows() {
		if err := w.Write(row); err != nil {
			return err
		}
	}
	shard, err := w.Close()
	if err != nil {
		return err
	}
	shard.Fingerprint = "f"
	rec := table.TaskRecord{Table: "documents", Stage: "crawl", Shard: shard, In: map[string]int64{"inputs": 3}}
	if err := table.WriteTask(ctx, storage.Default, run, rec); err != nil {
		return err
	}
	c, err := table.NewCommit("documents", "crawl", 1, []byte(`{}`), map[string]string{}, []table.TaskRecord{rec})
	if err != nil {
		return err
	}
	return table.WriteCommit(ctx, storage.Default, run, c)
}

// TestBucketHoldsTheSameBytes writes a table into a bucket and into a folder and
// reads it back from the bucket.
func TestBucketHoldsTheSameBytes(t *testing.T) {
	p, dir := usePail(t), t.TempDir()
	for _, run := range []string{"pail://b/run", dir} {
		if err := writeRun(t.Context(), run); err != nil {
			t.Fatal(err)
		}
	}
	if len(p.Objects) != 3 {
		t.Errorf("%d objects", len(p.Objects))
	}
	for path, b := range p.Objects {
		local, err := os.ReadFile(filepath.Join(dir, strings.TrimPrefix(path, "pail://b/run/")))
		if err != nil || !bytes.Equal(b, local) {
			t.Errorf("%s: %v, other bytes than in a folder", path, err)
		}
	}
	if rec, err := table.ReadTask(t.Context(), storage.Default, "pail://b/run", "documents", 0, 1); err != nil || rec.Shard.Rows != 3 {
		t.Errorf("record %+v: %v", rec, err)
	}
	if _, err := verify.Tables(t.Context(), storage.Default, "pail://b/run", func(p verify.Problem) { t.Error(p) }); err != nil {
		t.Error(err)
	}
	var ids []string
	for doc, err := range table.Documents.Rows(t.Context(), "pail://b/run/documents/"+table.ShardName(0, 1)) {
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, doc.ID)
	}
	if strings.Join(ids, " ") != "0 1 2" {
		t.Errorf("documents %v", ids)
	}
	if _, err := table.ReadCommit(t.Context(), storage.Default, "pail://b/none", "documents"); !errors.Is(err, table.ErrNoRecord) {
		t.Errorf("a run that is not there: %v", err)
	}
	p.Objects["pail://b/run/documents/"+table.ShardName(0, 1)][400] ^= 1
	found := 0
	if _, err := verify.Tables(t.Context(), storage.Default, "pail://b/run", func(verify.Problem) { found++ }); err != nil || found == 0 {
		t.Errorf("a flipped byte: %d problems, %v", found, err)
	}
}

// TestBucketFails lets the bucket fail from each of its calls on: the error is
// storage.ErrRefused, every object is whole, and the next run makes the same objects.
func TestBucketFails(t *testing.T) {
	p := usePail(t)
	calls, failAt := 0, 0
	p.Fail = func() error {
		if calls++; failAt > 0 && calls >= failAt {
			return errPail
		}
		return nil
	}
	if err := writeRun(t.Context(), "pail://b/run"); err != nil {
		t.Fatal(err)
	}
	good, all := p.Objects, calls
	if all < 6 {
		t.Fatalf("only %d calls", all)
	}
	for n := 1; n <= all; n++ {
		p.Objects, calls, failAt = map[string][]byte{}, 0, n
		if err := writeRun(t.Context(), "pail://b/run"); !errors.Is(err, storage.ErrRefused) || !errors.Is(err, errPail) || !strings.Contains(err.Error(), "/documents/") {
			t.Errorf("call %d: %v", n, err)
		}
		for path, b := range p.Objects {
			if !bytes.Equal(b, good[path]) {
				t.Errorf("call %d: %s is not whole", n, path)
			}
		}
		failAt = 0
		if err := writeRun(t.Context(), "pail://b/run"); err != nil || !maps.EqualFunc(p.Objects, good, bytes.Equal) {
			t.Errorf("call %d: the run after it made other objects: %v", n, err)
		}
	}
}

// A bucket of version 0.1.0, whose rankings lie in versions that small objects name.
func TestEarlierInABucket(t *testing.T) {
	p := usePail(t)
	run, folder := "pail://b/run", "rankings/0123456789abcdef"
	w, err := table.Rankings.Create(t.Context(), storage.Join(run, folder), 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write(commonplace.Ranking{DocID: "a"}); err != nil {
		t.Fatal(err)
	}
	shard, err := w.Close()
	if err != nil {
		t.Fatal(err)
	}
	c, err := table.NewCommit("rankings", "rank", 1, []byte(`{}`), map[string]string{}, []table.TaskRecord{{Shard: shard}})
	if err != nil {
		t.Fatal(err)
	}
	c.Version = "0123456789abcdef"
	p.Objects[run+"/"+folder+"/_commit.json"] = storage.MustJSON(c)
	if _, err := table.ReadCommit(t.Context(), storage.Default, run, "rankings"); !errors.Is(err, table.ErrNoRecord) {
		t.Errorf("no object names the version: %v", err)
	}
	p.Objects[run+"/rankings/current"] = []byte(c.Version)
	c, err = table.ReadCommit(t.Context(), storage.Default, run, "rankings")
	if err != nil || !c.IsEarlier() {
		t.Fatalf("%+v, %v", c, err)
	}
	for row, err := range table.Rankings.Rows(t.Context(), c.ShardPaths(run)[0]) {
		if err != nil || row.DocID != "a" {
			t.Errorf("row %q: %v", row.DocID, err)
		}
	}
}
