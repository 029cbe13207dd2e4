package table

import (
	"errors"
	"testing"

	"github.com/commonplace/commonplace/storage"
)

// A commit record with numbers that no stage writes, with a shard too few, or with a stage
// that is a path, is damaged for every reader.
func TestImpossibleCommits(t *testing.T) {
	for what, change := range map[string]func(c *Commit){
		"":                      func(*Commit) {},
		"without rejects":       func(c *Commit) { c.Rejects, c.Rejected, c.Untold = nil, 0, 0 },
		"large rows":            func(c *Commit) { c.Rows, c.Shards[0].Rows = 1<<62+3, 1<<62 },
		"an overflow":           func(c *Commit) { c.Rows, c.Shards[0].Rows, c.Shards[1].Rows = -2, 1<<63-1, 1<<63-1 },
		"rows below zero":       func(c *Commit) { c.Rows, c.Shards[0].Rows = -2, -5 },
		"other rows":            func(c *Commit) { c.Rows++ },
		"bytes below zero":      func(c *Commit) { c.Shards[1].Bytes = -1 },
		"large bytes":           func(c *Commit) { c.Shards[1].Bytes = 1 << 62 },
		"other rejects":         func(c *Commit) { c.Rejected = 5 },
		"untold below zero":     func(c *Commit) { c.Untold, c.Rejected = -1, 0 },
		"rejects below zero":    func(c *Commit) { c.Rejects[0].Rows, c.Rejected = -1, 2 },
		"a count below zero":    func(c *Commit) { c.Counts = map[string]int64{"a": -1} },
		"an input below zero":   func(c *Commit) { c.In = map[string]int64{"a": -1} },
		"a check below zero":    func(c *Commit) { c.Checks = map[string]int64{"a": -1} },
		"a stage elsewhere":     func(c *Commit) { c.Stage = "../../../etc" },
		"no stage":              func(c *Commit) { c.Stage = "" },
		"a stage for terminals": func(c *Commit) { c.Stage = "\x1b[31m" },
		"a shard too few":       func(c *Commit) { c.Shards, c.Rows = c.Shards[:1], 3 },
		"a shard twice":         func(c *Commit) { c.Shards[1].File = c.Shards[0].File },
		"a shard elsewhere":     func(c *Commit) { c.Shards[1].File = "../../passwd" },
		"rejects twice":         func(c *Commit) { c.Rejects, c.Rejected = append(c.Rejects, c.Rejects[0]), 5 },
		"rejects of others":     func(c *Commit) { c.Rejects[0].File = ShardName(1, 3) },
	} {
		run := t.TempDir()
		c := Commit{Table: "documents", Stage: "crawl", Rows: 7, Rejected: 4, Untold: 3, Counts: map[string]int64{"taken": 7},
			Shards:  []ShardRecord{{File: ShardName(0, 2), Rows: 3, Bytes: 9}, {File: ShardName(1, 2), Rows: 4, Bytes: 9}},
			Rejects: []ShardRecord{{File: ShardName(1, 2), Rows: 1}}}
		change(&c)
		if err := WriteCommit(t.Context(), storage.Local, run, c); err != nil {
			t.Fatal(err)
		}
		_, err := ReadCommit(t.Context(), storage.Local, run, "documents")
		if possible := what == "" || what == "without rejects"; possible != (err == nil) || !possible && !errors.Is(err, storage.ErrDamaged) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// So is a task's record, which says itself that it is whole.
func TestImpossibleTaskRecords(t *testing.T) {
	possible := TaskRecord{Table: "documents", Stage: "crawl", Shard: ShardRecord{File: ShardName(0, 1)}, Rejects: &ShardRecord{File: ShardName(0, 1)}}
	changes := map[string]func(r *TaskRecord){
		"rows below zero":    func(r *TaskRecord) { r.Shard.Rows = -1 },
		"large rows":         func(r *TaskRecord) { r.Shard.Rows = 1 << 62 },
		"untold below zero":  func(r *TaskRecord) { r.Untold = -1 },
		"a count below zero": func(r *TaskRecord) { r.Counts = map[string]int64{"a": -1} },
		"a stage elsewhere":  func(r *TaskRecord) { r.Stage = "../../etc" },
		"rejects elsewhere":  func(r *TaskRecord) { r.Rejects = &ShardRecord{File: "../../passwd"} },
	}
	for what, change := range changes {
		run, r := t.TempDir(), possible
		change(&r)
		if err := WriteTask(t.Context(), storage.Local, run, r); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadTask(t.Context(), storage.Local, run, "documents", 0, 1); !errors.Is(err, storage.ErrDamaged) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if why := possible.impossible(0, 1); why != "" {
		t.Error(why)
	}
}
