package table

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/commonplace/commonplace/storage"
)

// Whatever a commit record says: it is damaged, of another format or of another table, or
// its numbers add up, it names nothing outside the table's folder, and what is written of
// it reads as the same.
func FuzzCommit(f *testing.F) {
	c := Commit{Table: "documents", Stage: "crawl", Rows: 7, Rejected: 4, Untold: 3, Config: []byte(`{"shards":2}`), Inputs: map[string]string{"a": "b"}, In: map[string]int64{"inputs": 11}, Counts: map[string]int64{},
		Shards:  []ShardRecord{{File: ShardName(0, 2), Rows: 3, Bytes: 9}, {File: ShardName(1, 2), Rows: 4, Bytes: 9}},
		Rejects: []ShardRecord{{File: ShardName(1, 2), Rows: 1}}}
	for _, stage := range []string{"crawl", "../../etc"} {
		c.Format, c.Stage = Format, stage
		b, err := encode(c)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Add([]byte(`{"format":1,"table":"documents","stage":"crawl"}`))
	f.Add([]byte(`{"format":1,"table":"documents","stage":"crawl","config":null,"Rows":-1,"rows":0,"shards":[{}]}`))
	f.Add([]byte(`{"format":9223372036854775807,"table":"documents","version":"../x"}`))
	run := f.TempDir()
	path := CommitPath(run, "documents")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, record []byte) {
		if err := os.WriteFile(path, record, 0o644); err != nil {
			t.Fatal(err)
		}
		c, err := ReadCommit(t.Context(), storage.Local, run, "documents")
		if err != nil {
			return
		}
		rows, rejected := int64(0), c.Untold
		for _, s := range c.Shards {
			rows += s.Rows
		}
		for _, s := range c.Rejects {
			rejected += s.Rows
		}
		if rows != c.Rows || rejected != c.Rejected || rows < 0 || rejected < 0 || len(c.Shards) > len(record) {
			t.Errorf("%d rows, %d rejected: %+v", rows, rejected, c)
		}
		paths := append(c.ShardPaths(run), RejectsDir(run, c.Stage)+"/x")
		for _, p := range paths {
			if in := filepath.Dir(p); in != Dir(run, "documents") && filepath.Dir(in) != filepath.Join(run, "rejects") {
				t.Errorf("it names %s", p)
			}
		}
		if err := WriteCommit(t.Context(), storage.Local, run, c); err != nil {
			t.Fatalf("it cannot be written: %v", err)
		}
		again, err := ReadCommit(t.Context(), storage.Local, run, "documents")
		if err != nil || again.Fingerprint() != c.Fingerprint() || again.Rows != c.Rows || again.Rejected != c.Rejected || !reflect.DeepEqual(again.Inputs, c.Inputs) {
			t.Errorf("%+v was written, %+v is read, %v", c, again, err)
		}
	})
}

// Whatever a task's record says: what is read of one that has a key is what was written,
// to the byte.
func FuzzTaskRecord(f *testing.F) {
	run := f.TempDir()
	shard := filepath.Join(Dir(run, "documents"), ShardName(0, 1))
	if err := errors.Join(os.Mkdir(Dir(run, "documents"), 0o755), os.WriteFile(shard, nil, 0o644)); err != nil {
		f.Fatal(err)
	}
	r := TaskRecord{Table: "documents", Stage: "crawl", Shard: ShardRecord{File: ShardName(0, 1), Fingerprint: "ab"}, In: map[string]int64{"inputs": 3}, MadeFrom: map[string]string{"a": "b"}}
	if err := WriteTask(f.Context(), storage.Local, run, r); err != nil {
		f.Fatal(err)
	}
	path := recordPath(run, "documents", r.Shard.File)
	whole, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add([]byte(`{"format":1,"table":"documents","stage":"crawl","shard":{"file":"` + r.Shard.File + `","fingerprint":"ab"},"rejects":{"file":"../x"}}`))
	f.Add([]byte(`{"format":1,"table":"documents","stage":"crawl","shard":{"file":"` + r.Shard.File + `"},"untold":-1,"key":"` + "ab" + `"}`))
	f.Fuzz(func(t *testing.T, record []byte) {
		if err := os.WriteFile(path, record, 0o644); err != nil {
			t.Fatal(err)
		}
		got, err := ReadTask(t.Context(), storage.Local, run, "documents", 0, 1)
		if err != nil {
			return
		}
		if got.Shard.Rows < 0 || got.Untold < 0 || got.Shard.File != r.Shard.File || got.Shard.Bytes != 0 {
			t.Errorf("%+v", got)
		}
		if err := WriteTask(t.Context(), storage.Local, run, got); err != nil {
			t.Fatalf("it cannot be written: %v", err)
		}
		if again, err := ReadTask(t.Context(), storage.Local, run, "documents", 0, 1); err != nil || again.Shard != got.Shard || again.Untold != got.Untold {
			t.Errorf("%+v was written, %+v is read, %v", got, again, err)
		}
	})
}
