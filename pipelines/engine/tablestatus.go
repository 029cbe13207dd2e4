package engine

import (
	"context"
	"errors"
	"io/fs"

	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// What can be said of a table.
const (
	TableDone       = "done"
	TableOutdated   = "outdated"   // it was made from another version of a table
	TableUnfinished = "unfinished" // some shards are there, and no commit record
	TableMissing    = "missing"    // nothing of it is there
)

// Status is what the records say of a run's folder.
type Status struct {
	Folder  string        `json:"folder"`
	Working string        `json:"working,omitempty"` // folder of a build that is at work or did not finish
	Pinned  *int          `json:"pinned,omitempty"`  // number of the version that readers keep; builds are refused
	Whole   bool          `json:"whole"`             // all tables are done, and so is the build
	Changed []string      `json:"changed,omitempty"` // settings of the config that the tables were not made with
	Tables  []TableStatus `json:"tables"`
	Run     *RunRecord    `json:"run"` // the last build; null where none of this release has begun
}

// TableStatus is what the records say of a table.
type TableStatus struct {
	Table      string      `json:"table"`
	State      string      `json:"state"`
	Rows       int64       `json:"rows"`
	Bytes      int64       `json:"bytes"`
	Shards     int         `json:"shards"`
	Rejected   int64       `json:"rejected"`
	LeftOut    int64       `json:"left_out,omitempty"`    // documents that the sources' conditions leave out
	OutdatedBy string      `json:"outdated_by,omitempty"` // a table that is another one now
	Because    []string    `json:"because,omitempty"`     // why it is outdated, in words
	Unfinished *Unfinished `json:"unfinished,omitempty"`  // how far a build is that makes it
}

// Look tells what is there of the tables that a config asks for; without a config, of
// those that the last build was asked for. It reads records alone.
func Look(ctx context.Context, out string, c *config.Config) (*Status, error) {
	if _, err := storage.Default.List(ctx, out); c == nil && errors.Is(err, fs.ErrNotExist) && !storage.Remote(out) {
		return nil, config.Refusef("there is no folder %s; see out in the config, or --out", out)
	}
	run, err := ReadRun(ctx, out)
	if err != nil {
		return nil, err
	}
	commits, err := table.Commits(ctx, storage.Default, out)
	if err != nil {
		return nil, err
	}
	asked := map[string]bool{}
	switch {
	case c != nil:
		for _, s := range stages {
			asked[s.Table] = s.enabled(c)
		}
	case run != nil:
		for _, name := range run.Tables {
			asked[name] = true
		}
	default: // of an earlier release: what every config asks for
		for _, t := range Tables() {
			asked[t.Table] = !t.Optional
		}
	}
	working, err := table.Working(ctx, table.Home(out))
	if err != nil {
		return nil, err
	}
	number, isPinned, err := table.Pinned(ctx, table.Home(out))
	if err != nil {
		return nil, err
	}
	if working == out || table.Home(out) == out {
		working = ""
	}
	published, err := table.Published(ctx, out)
	if err != nil {
		return nil, err
	}
	status := &Status{Folder: table.Home(out), Working: working, Whole: published, Tables: []TableStatus{}, Run: run}
	if isPinned {
		status.Pinned = &number
	}
	for _, s := range stages {
		commit, there := commits[s.Table]
		if !there && !asked[s.Table] {
			if begun, err := table.Begun(ctx, storage.Default, out, s.Table); err != nil || !begun {
				continue
			}
		}
		t := lookAt(ctx, out, s.Table, commits)
		if there {
			t.Rows, t.Shards, t.Rejected, t.LeftOut = commit.Rows, len(commit.Shards), commit.Rejected, commit.Counts[LeftOut]
		}
		for _, shard := range commit.Shards {
			t.Bytes += shard.Bytes
		}
		status.Whole = status.Whole && t.State == TableDone
		status.Tables = append(status.Tables, t)
	}
	if c != nil {
		if status.Changed, err = ChangedSettings(ctx, out, c); err != nil {
			return nil, err
		}
		status.Whole = status.Whole && len(status.Changed) == 0
	}
	return status, nil
}

// lookAt says whether a table is done.
func lookAt(ctx context.Context, out, name string, commits map[string]table.Commit) TableStatus {
	t := TableStatus{Table: name, State: TableDone}
	if _, there := commits[name]; !there {
		t.State = TableMissing
		if u, err := LookUnfinished(ctx, out, name); err == nil && u.Of > 0 && u.Made < u.Of {
			t.State, t.Unfinished = TableUnfinished, &u
		}
		return t
	}
	t.OutdatedBy = table.Outdated(commits, name)
	t.Because = OutdatedReasons(ctx, out, commits, name)
	if t.OutdatedBy != "" {
		t.State = TableOutdated
	}
	return t
}
