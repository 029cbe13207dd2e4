package lake

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/storage/storagetest"
	"github.com/commonplace/commonplace/table"
)

func mustPublish(t *testing.T, run string, c table.Commit, dir string, o Options) Result {
	t.Helper()
	r, err := Publish(t.Context(), storage.Local, run, table.Rankings, c, dir, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Each publish replaces the whole content, one snapshot before stays, and a version that
// is there already adds nothing. Shards without rows are left out; a shard of two
// versions is one file.
func TestPublish(t *testing.T) {
	dir, o := filepath.Join(t.TempDir(), "lake"), Options{Keep: 1, Now: clock()}
	see := func(what string, want ...[]string) metadata {
		t.Helper()
		got, m := published(t, dir)
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
		return m
	}
	first, c1 := runOf(t, "a:1", "b:2", "", "")
	if r := mustPublish(t, first, c1, dir, o); r.Version != 1 || r.Rows != 2 || r.Files != 2 || r.NewFiles != 2 || r.Unchanged {
		t.Errorf("first: %+v", r)
	}
	see("first", []string{"a:1", "b:2"})
	before := tree(t, dir)
	if r := mustPublish(t, first, c1, dir, o); !r.Unchanged || r.Files != 2 || r.Version != 1 {
		t.Errorf("again: %+v", r)
	}
	if !maps.Equal(before, tree(t, dir)) {
		t.Error("the same version again changed files")
	}
	second, c2 := runOf(t, "a:1", "b:3", "c:4")
	if r := mustPublish(t, second, c2, dir, o); r.NewFiles != 2 || r.Files != 3 || r.Earlier != 1 {
		t.Errorf("second: %+v", r)
	}
	for _, run := range []string{first, second} { // as a later build does
		if err := os.RemoveAll(run); err != nil {
			t.Fatal(err)
		}
	}
	m := see("second", []string{"a:1", "b:3", "c:4"}, []string{"a:1", "b:2"})
	if at, was := m.Snapshots[1], m.Snapshots[0]; at.ID != m.CurrentSnapshot || at.Parent != was.ID || at.Time <= was.Time || m.Refs["main"].Snapshot != at.ID || at.Summary["operation"] != "overwrite" {
		t.Errorf("snapshots: %+v", m.Snapshots)
	}
	if m.Properties["schema.name-mapping.default"] != string(storage.MustJSON(mappingOf(m.Schemas))) || len(m.Schemas) != 1 {
		t.Errorf("%d schemas, properties %v", len(m.Schemas), m.Properties)
	}
	third, c3 := runOf(t, "d:5")
	if r := mustPublish(t, third, c3, dir, o); r.Expired != 1 || r.Earlier != 1 {
		t.Errorf("third: %+v", r)
	}
	see("third", []string{"d:5"}, []string{"a:1", "b:3", "c:4"})
	o.Keep = 0
	if r := mustPublish(t, third, c3, dir, o); !r.Unchanged || r.Expired != 1 || r.Earlier != 0 {
		t.Errorf("keep 0: %+v", r)
	}
	see("keep 0", []string{"d:5"})
	var names []string
	for name := range tree(t, dir) {
		names = append(names, filepath.ToSlash(name))
	}
	if len(names) != 7 { // the lock, a shard, three files of the snapshot, the metadata and its hint
		t.Errorf("expired files are left: %v", names)
	}
}

// failing is a file system in which a call fails, and all after it where it died.
type failing struct {
	storage.FileSystem
	calls, at int
	died      bool
}

var errStep = errors.New("this step fails")

func (f *failing) step() error {
	f.calls++
	if f.calls == f.at || f.died && f.calls > f.at {
		return errStep
	}
	return nil
}

// Where a publish fails or dies at any step, readers have the version before, whole, with
// the one to go back to; or, in the last steps, the new one. The next publish succeeds.
func TestAFailingPublishChangesNothing(t *testing.T) {
	runs, commits := make([]string, 3), make([]table.Commit, 3)
	for i, names := range [][]string{{"a:1", "b:1"}, {"a:1", "b:2"}, {"a:3", "b:2", "c:3"}} {
		runs[i], commits[i] = runOf(t, names...)
	}
	old := [][]string{{"a:1", "b:2"}, {"a:1", "b:1"}}
	next := [][]string{{"a:3", "b:2", "c:3"}, {"a:1", "b:2"}}
	dir, o := filepath.Join(t.TempDir(), "lake"), Options{Keep: 1, Now: clock()}
	mustPublish(t, runs[0], commits[0], dir, o)
	mustPublish(t, runs[1], commits[1], dir, o)
	prepared := t.TempDir()
	if err := os.CopyFS(prepared, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	for _, died := range []bool{false, true} {
		early, late := 0, 0
		for at := 1; ; at++ {
			if err := errors.Join(os.RemoveAll(dir), os.CopyFS(dir, os.DirFS(prepared))); err != nil {
				t.Fatal(err)
			}
			f := &failing{FileSystem: storage.Local, at: at, died: died}
			_, err := Publish(t.Context(), f, runs[2], table.Rankings, commits[2], dir, o)
			if f.calls < at {
				if err != nil {
					t.Fatal(err)
				}
				break
			}
			got, _ := published(t, dir)
			switch {
			case reflect.DeepEqual(got, old):
				early++
				if err == nil {
					t.Errorf("step %d failed, and publish says nothing", at)
				}
			case len(got) >= 2 && slices.EqualFunc(got[:2], next, slices.Equal):
				late++
			default:
				t.Errorf("step %d: readers have %v", at, got)
			}
			mustPublish(t, runs[2], commits[2], dir, o)
			if got, _ := published(t, dir); !reflect.DeepEqual(got, next) {
				t.Errorf("step %d: after the next publish readers have %v", at, got)
			}
			for name := range tree(t, dir) {
				if strings.HasSuffix(name, ".tmp") || strings.Contains(name, "v1.metadata") {
					t.Errorf("step %d: %s is left", at, name)
				}
			}
		}
		if early < 20 || late < 3 {
			t.Errorf("only %d early and %d late steps failed", early, late)
		}
	}
}

// A first publish that fails leaves no table, and the next one makes it.
func TestAFailingFirstPublish(t *testing.T) {
	run, c := runOf(t, "a:1")
	for at := 1; ; at++ {
		dir, o := filepath.Join(t.TempDir(), "lake"), Options{Now: clock()}
		f := &failing{FileSystem: storage.Local, at: at, died: true}
		_, err := Publish(t.Context(), f, run, table.Rankings, c, dir, o)
		if f.calls < at {
			if err != nil {
				t.Fatal(err)
			}
			return
		}
		mustPublish(t, run, c, dir, o)
		if got, _ := published(t, dir); !reflect.DeepEqual(got, [][]string{{"a:1"}}) {
			t.Errorf("step %d: after the next publish readers have %v", at, got)
		}
	}
}

// A run in a bucket is copied. Begin is called for a folder that may be written, and else not.
func TestPublishFromABucket(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	storagetest.NewBucket(t, "pail")
	c := committed(t, "pail://b/run", "a:1", "b:2")
	dir, begun := filepath.Join(t.TempDir(), "lake"), 0
	o := Options{Now: clock(), Begin: func() { begun++ }}
	if _, err := Publish(t.Context(), storage.Default, "pail://b/run", table.Rankings, c, dir, o); err != nil {
		t.Fatal(err)
	}
	if got, _ := published(t, dir); !reflect.DeepEqual(got, [][]string{{"a:1", "b:2"}}) {
		t.Errorf("readers have %v", got)
	}
	if err := os.WriteFile(filepath.Join(dir, "book.txt"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Publish(t.Context(), storage.Default, "pail://b/run", table.Rankings, c, dir, o); !errors.Is(err, ErrForeign) || begun != 1 {
		t.Errorf("%v; begun %d times, want once", err, begun)
	}
}

// A publish that ended before it replaced the hint is finished by the next one: the
// metadata that some readers have found already stays.
func TestAHintThatIsLate(t *testing.T) {
	dir, o := filepath.Join(t.TempDir(), "lake"), Options{Keep: 1, Now: clock()}
	first, c1 := runOf(t, "a:1")
	mustPublish(t, first, c1, dir, o)
	second, c2 := runOf(t, "a:2")
	want := mustPublish(t, second, c2, dir, o)
	if err := os.WriteFile(filepath.Join(dir, metadataFolder, hintFile), []byte("1"), 0o644); err != nil {
		t.Fatal(err)
	}
	if r := mustPublish(t, second, c2, dir, o); !r.Unchanged || r.Version != 2 || r.Snapshot != want.Snapshot {
		t.Errorf("%+v, want version 2 with snapshot %d", r, want.Snapshot)
	}
	if got, _ := published(t, dir); !reflect.DeepEqual(got, [][]string{{"a:2"}, {"a:1"}}) {
		t.Errorf("readers have %v", got)
	}
}
