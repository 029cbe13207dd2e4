package cache

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/storage/storagetest"
)

// groupRows deals so many groups to the first of two shards, and one to the other.
func groupRows(n int) func() (RowsByShard, error) {
	return func() (RowsByShard, error) {
		return func(put func(int, any) error) error {
			for i := range n {
				g := commonplace.Group{AlignmentID: strings.Repeat("a", 60), DocID: "doc", SourceBegin: int64(i), SourceEnd: int64(i + 1), Group: strings.Repeat("g", 60)}
				if err := put(0, g); err != nil {
					return err
				}
			}
			return put(1, commonplace.Group{DocID: "other"})
		}, nil
	}
}

// A shard's section may be larger than memory: its rows are read one by one.
func TestASectionIsReadRowByRow(t *testing.T) {
	path := filepath.Join(t.TempDir(), Folder, "groups-x")
	const n = 100_000
	d, err := Partition(t.Context(), path, 2, groupRows(n))
	if err != nil {
		t.Fatal(err)
	}
	if d.Ends[0] < 15<<20 {
		t.Fatalf("the section has %d bytes", d.Ends[0])
	}
	held := func() int64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	before, most, rows := held(), int64(0), 0
	for g, err := range Rows[commonplace.Group](t.Context(), d, 0) {
		if err != nil || g.SourceBegin != int64(rows) {
			t.Fatalf("row %d is %+v, %v", rows, g, err)
		}
		if rows++; rows%20_000 == 1 {
			most = max(most, held()-before)
		}
	}
	if rows != n || most > 2<<20 {
		t.Errorf("%d rows, %d bytes were held of %d", rows, most, d.Ends[0])
	}
	for g, err := range Rows[commonplace.Group](t.Context(), d, 1) {
		if err != nil || g.DocID != "other" {
			t.Errorf("%+v, %v", g, err)
		}
	}
}

// A damaged section gives no row, and is removed, so that the next run partitions again.
func TestADamagedSectionGivesNoRow(t *testing.T) {
	path := filepath.Join(t.TempDir(), Folder, "groups-x")
	d, err := Partition(t.Context(), path, 2, groupRows(50))
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	b[len(b)-500] ^= 1
	for how, b := range map[string][]byte{"flipped": b, "cut": b[:len(b)-400]} {
		if err := os.WriteFile(path, b, 0o644); err != nil {
			t.Fatal(err)
		}
		refused := 0
		for g, err := range Rows[commonplace.Group](t.Context(), d, 0) {
			if refused++; !errors.Is(err, storage.ErrRefused) {
				t.Errorf("%s: it gave %+v, %v", how, g, err)
			}
		}
		if refused != 1 {
			t.Errorf("%s: %d errors", how, refused)
		}
		if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: it is still there (%v)", how, err)
		}
	}
}

// A bucket that fails for a moment says nothing of what is there: who asks then
// gets the advice to run again, and does not rebuild what others made.
func TestAFailingBucketIsNotAMissingFile(t *testing.T) {
	bucket := storagetest.NewBucket(t, "memory")
	t.Setenv("TMPDIR", t.TempDir())
	path := "memory://bucket/run/cache/groups-x"
	if _, err := Partition(t.Context(), path, 2, groupRows(5)); err != nil {
		t.Fatal(err)
	}
	kept := "memory://bucket/run/cache/sketches-x"
	if err := WriteLines(t.Context(), kept, []commonplace.Document{{ID: "a"}}); err != nil {
		t.Fatal(err)
	}
	elsewhere := func() { os.RemoveAll(filepath.Dir(LocalFile(t.Context(), path))) } // another worker's machine
	elsewhere()
	bucket.Fail = func() error { return errors.New("503 slow down") }
	anew := func() (RowsByShard, error) {
		t.Error("it was partitioned again")
		return groupRows(5)()
	}
	if _, err := Partition(t.Context(), path, 2, anew); !errors.Is(err, storage.ErrRefused) || !strings.Contains(err.Error(), "slow down") {
		t.Errorf("partitioned: %v", err)
	}
	var refused error
	for _, err := range Lines[commonplace.Document](t.Context(), kept, func(func(any) error) error {
		t.Error("sketches were made anew")
		return nil
	}) {
		refused = err
	}
	if !errors.Is(refused, storage.ErrRefused) {
		t.Errorf("lines: %v", refused)
	}
	bucket.Fail = nil
	if d, err := Partition(t.Context(), path, 2, anew); err != nil || len(d.Sums) != 2 {
		t.Errorf("when it answers again: %v", err)
	}
	elsewhere()
	delete(bucket.Objects, path)
	if _, err := Partition(t.Context(), path, 2, groupRows(5)); err != nil || bucket.Objects[path] == nil {
		t.Errorf("one that is not there is not made: %v", err)
	}
}
