package table_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
	"github.com/commonplace/commonplace/table/verify"
)

// pail is a bucket in memory that fails from one of its calls on.
type pail struct {
	objects map[string][]byte
	calls   int
	failAt  int // from 1; 0: never
}

var errPail = errors.New("503 Service Unavailable")

func (p *pail) call() error {
	p.calls++
	if p.failAt > 0 && p.calls >= p.failAt {
		return errPail
	}
	return nil
}

func (p *pail) Read(ctx context.Context, path string) (io.ReadCloser, error) {
	b, ok := p.objects[path]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return io.NopCloser(bytes.NewReader(b)), p.call()
}

func (p *pail) Write(ctx context.Context, path string, from io.Reader) error {
	b, err := io.ReadAll(from)
	if err := errors.Join(err, p.call()); err != nil {
		return err
	}
	p.objects[path] = b
	return nil
}

func (p *pail) Size(ctx context.Context, path string) (int64, error) {
	b, ok := p.objects[path]
	if !ok {
		return 0, fs.ErrNotExist
	}
	return int64(len(b)), p.call()
}

func (p *pail) List(ctx context.Context, dir string, depth int) (below []string, err error) {
	for path := range p.objects {
		if rest, ok := strings.CutPrefix(path, dir+"/"); ok && strings.Count(rest, "/") < depth {
			below = append(below, rest)
		}
	}
	return below, p.call()
}

func (p *pail) Remove(ctx context.Context, path string) error {
	delete(p.objects, path)
	return p.call()
}

// v is the name of a version.
func v(letter string) string { return strings.Repeat(letter, 16) }

// usePail makes pail://… a pail of the test's own.
func usePail(t *testing.T) *pail {
	t.Setenv("TMPDIR", t.TempDir())
	p := &pail{objects: map[string][]byte{}}
	storage.RegisterBuckets("pail", func() (storage.Bucket, error) { return p, nil })
	t.Cleanup(func() {
		storage.RegisterBuckets("pail", nil)
		if left, _ := os.ReadDir(os.TempDir()); len(left) > 0 {
			t.Errorf("%s is left in the temporary folder", left[0].Name())
		}
	})
	return p
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
	if len(p.objects) != 3 {
		t.Errorf("%d objects", len(p.objects))
	}
	for path, b := range p.objects {
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
	p.objects["pail://b/run/documents/"+table.ShardName(0, 1)][400] ^= 1
	found := 0
	if _, err := verify.Tables(t.Context(), storage.Default, "pail://b/run", func(verify.Problem) { found++ }); err != nil || found == 0 {
		t.Errorf("a flipped byte: %d problems, %v", found, err)
	}
}

// TestBucketFails lets the bucket fail from each of its calls on: the error is
// storage.ErrRefused, every object is whole, and the next run makes the same objects.
func TestBucketFails(t *testing.T) {
	p := usePail(t)
	if err := writeRun(t.Context(), "pail://b/run"); err != nil {
		t.Fatal(err)
	}
	good, calls := p.objects, p.calls
	if calls < 6 {
		t.Fatalf("only %d calls", calls)
	}
	for n := 1; n <= calls; n++ {
		*p = pail{objects: map[string][]byte{}, failAt: n}
		if err := writeRun(t.Context(), "pail://b/run"); !errors.Is(err, storage.ErrRefused) || !errors.Is(err, errPail) || !strings.Contains(err.Error(), "pail://b/run/documents/") {
			t.Errorf("call %d: %v", n, err)
		}
		for path, b := range p.objects {
			if !bytes.Equal(b, good[path]) {
				t.Errorf("call %d: %s is not whole", n, path)
			}
		}
		p.failAt = 0
		if err := writeRun(t.Context(), "pail://b/run"); err != nil || !maps.EqualFunc(p.objects, good, bytes.Equal) {
			t.Errorf("call %d: the run after it made other objects: %v", n, err)
		}
	}
}

func TestVersionsInABucket(t *testing.T) {
	p := usePail(t)
	run := "pail://b/run"
	for _, version := range []string{v("1"), v("2"), v("3")} {
		w, err := table.Rankings.Create(t.Context(), table.Dir(run, "rankings/"+version), 0, 1)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Write(commonplace.Ranking{DocID: version}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if err := table.WriteCommit(t.Context(), storage.Default, run, table.Commit{Table: "rankings", Version: version}); err != nil {
			t.Fatal(err)
		}
		if err := table.MakeCurrent(t.Context(), run, "rankings", version); err != nil {
			t.Fatal(err)
		}
	}
	current, err := table.CurrentVersion(t.Context(), run, "rankings")
	previous, also := table.PreviousVersion(t.Context(), run, "rankings")
	if current != v("3") || previous != v("2") || err != nil || also != nil {
		t.Errorf("current %q, previous %q, %v, %v", current, previous, err, also)
	}
	for row, err := range table.Rankings.Rows(t.Context(), storage.Join(table.Dir(run, "rankings"), table.ShardName(0, 1))) {
		if err != nil || row.DocID != v("3") {
			t.Errorf("row %q: %v", row.DocID, err)
		}
	}
	if len(p.objects) != 6 { // two versions of two files, and two links
		t.Errorf("%d objects are left", len(p.objects))
	}
	if none, err := table.CurrentVersion(t.Context(), "pail://b/other", "rankings"); none != "" || err != nil {
		t.Errorf("a run without rankings: %q, %v", none, err)
	}
}
