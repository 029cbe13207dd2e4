package table

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/commonplace/commonplace/storage"
)

// A program of an earlier release that builds in today's layout leaves its record in the
// table's folder. It is the newer one. What is no such record hides nothing.
func TestTheRecordOfAnEarlierProgramIsTheNewer(t *testing.T) {
	run := t.TempDir()
	record := func(sum string) Commit {
		return Commit{Format: Format, Table: "passages", Stage: "segment", Shards: []ShardRecord{{File: ShardName(0, 1), SHA256: sum}}}
	}
	if err := WriteCommit(t.Context(), storage.Local, run, record("today's")); err != nil {
		t.Fatal(err)
	}
	beside := storage.Join(run, "passages", commitFile)
	if err := writeJSON(t.Context(), storage.Local, beside, record("the earlier program's")); err != nil {
		t.Fatal(err)
	}
	if c, err := ReadCommit(t.Context(), storage.Local, run, "passages"); err != nil || c.Shards[0].SHA256 != "the earlier program's" {
		t.Errorf("%v is read, %v", c.Shards, err)
	}
	if err := os.WriteFile(beside, []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	if c, err := ReadCommit(t.Context(), storage.Local, run, "passages"); err != nil || c.Shards[0].SHA256 != "today's" {
		t.Errorf("%v is read, %v", c.Shards, err)
	}
}

// A link or a file of somebody's that has a name of the run's is not replaced: the build
// is refused before it writes anything. A folder of somebody's makes way, as often as that
// happens.
func TestWhatIsNotOursIsNotReplaced(t *testing.T) {
	run := t.TempDir()
	n := &Night{run: run, current: storage.Join(run, nightsFolder, "1"), record: nightRecord{Number: 1, State: nightWhole, Layout: layout}}
	if err := errors.Join(writeNight(t.Context(), n.current, n.record), os.MkdirAll(filepath.Join(n.current, recordsFolder), 0o755), n.expose(t.Context())); err != nil {
		t.Fatal(err)
	}
	if err := n.refuseForeign(t.Context()); err != nil {
		t.Fatalf("the run's own links: %v", err)
	}
	at := filepath.Join(run, recordsFolder)
	for what, put := range map[string]func() error{
		"a link": func() error { return os.Symlink(t.TempDir(), at) },
		"a file": func() error { return os.WriteFile(at, []byte("mine"), 0o644) },
	} {
		if err := errors.Join(os.Remove(at), put()); err != nil {
			t.Fatal(err)
		}
		if err := n.Stage(t.Context(), 1); !errors.Is(err, errForeign) || !strings.Contains(err.Error(), at) {
			t.Errorf("%s: %v", what, err)
		}
		if _, err := os.Lstat(filepath.Join(run, nightsFolder, "0")); err == nil {
			t.Errorf("%s: a build began", what)
		}
	}
	for range 3 {
		if err := errors.Join(os.Remove(at), os.Mkdir(at, 0o755), os.WriteFile(filepath.Join(at, "mine"), nil, 0o644), n.refuseForeign(t.Context()), n.expose(t.Context())); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := filepath.Glob(filepath.Join(run, recordsFolder+".before*", "mine"))
	if err != nil || len(kept) != 3 {
		t.Errorf("of three folders are left %v, %v", kept, err)
	}
}

// A build that was killed just after readers got its version gives up, too, what a
// rollback left behind.
func TestAResumedBuildGivesUpWhatWasRolledBack(t *testing.T) {
	run := t.TempDir()
	n := &Night{run: run, current: storage.Join(run, nightsFolder, "0"), record: nightRecord{Number: 4, State: nightNext, From: 1, Layout: layout}}
	left := storage.Join(run, nightsFolder, "3")
	if err := errors.Join(writeNight(t.Context(), n.current, n.record), writeNight(t.Context(), left, nightRecord{Number: 3, State: nightWhole, Layout: layout})); err != nil {
		t.Fatal(err)
	}
	if err := n.Resume(t.Context()); err != nil {
		t.Fatal(err)
	}
	if r, err := readNight(t.Context(), left); err != nil || r.State != nightPreparing {
		t.Errorf("the version that was rolled back is %v, %v", r.State, err)
	}
}
