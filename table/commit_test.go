package table_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"testing"

	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
	"github.com/commonplace/commonplace/table/tabletest"
)

// A record that names a file elsewhere is damaged: nobody reads that file.
func TestRecordsNameOnlyShards(t *testing.T) {
	for _, name := range []string{"../../secret", "../part-00000-of-00003.parquet", "/etc/passwd", "", "part-00000-of-00003.parquet/../../x"} {
		for _, of := range []string{"shards", "rejects"} {
			m := tabletest.NewRun().Write(t)
			path := table.CommitPath("run", "passages")
			var record map[string]any
			if err := json.Unmarshal(m.Files[path], &record); err != nil {
				t.Fatal(err)
			}
			record[of].([]any)[0].(map[string]any)["file"] = name
			m.Files[path] = storage.MustJSON(record)
			if _, err := table.ReadCommit(t.Context(), m, "run", "passages"); !errors.Is(err, storage.ErrDamaged) {
				t.Errorf("%s of %q: %v", of, name, err)
			}
		}
	}
}

func TestCommit(t *testing.T) {
	m := tabletest.NewRun().Write(t)
	c, err := table.ReadCommit(t.Context(), m, "run", "passages")
	if err != nil {
		t.Fatal(err)
	}
	if c.Rejected != tabletest.Shards || len(c.ShardPaths("run")) != tabletest.Shards || c.ShardPaths("run")[2] != "run/passages/part-00002-of-00003.parquet" {
		t.Errorf("%+v", c)
	}
	again := tabletest.NewRun().Write(t)
	if !maps.EqualFunc(m.Files, again.Files, bytes.Equal) {
		t.Error("the same run twice gave other files")
	}
	r, err := table.ReadTask(t.Context(), m, "run", "passages", 1, tabletest.Shards)
	if err != nil {
		t.Fatal(err)
	}
	if table.Fresh(r, "") || table.Fresh(r, "x") {
		t.Error("a record without a fingerprint is fresh")
	}
	r.Shard.Fingerprint = "x"
	if !table.Fresh(r, "x") || table.Fresh(r, "y") {
		t.Error("Fresh")
	}
	// What the record vouches for must be there.
	path := "run/rejects/segment/part-00001-of-00003.parquet"
	whole := m.Files[path]
	m.Files[path] = whole[:9]
	if _, err := table.ReadTask(t.Context(), m, "run", "passages", 1, tabletest.Shards); err == nil {
		t.Error("a record whose rejects were cut is believed")
	}
	delete(m.Files, path)
	if _, err := table.ReadTask(t.Context(), m, "run", "passages", 1, tabletest.Shards); err == nil {
		t.Error("a record whose rejects are gone is believed")
	}
	if err := table.RemoveCommit(t.Context(), m, "run", "passages"); err != nil {
		t.Fatal(err)
	}
	if err := table.RemoveCommit(t.Context(), m, "run", "passages"); err != nil {
		t.Errorf("a second time: %v", err)
	}
	if _, err := table.NewCommit("t", "s", 1, nil, nil, []table.TaskRecord{r, r}); err == nil {
		t.Error("a commit of one shard twice")
	}
}
