package table

import (
	"errors"
	"os"
	"testing"

	"github.com/commonplace/commonplace/storage"
)

// A task's record of which one byte is another vouches for nothing. A record of
// version 0.1.0, which has no key, does.
func TestDamagedTaskRecords(t *testing.T) {
	run := t.TempDir()
	rec := TaskRecord{Table: "documents", Stage: "crawl", Shard: ShardRecord{File: ShardName(0, 1), Fingerprint: "ab"},
		In: map[string]int64{"inputs": 3}, Counts: map[string]int64{"taken": 3}, MadeFrom: map[string]string{"document: sea": "cd", "revision": "7"}}
	if err := WriteTask(t.Context(), storage.Local, run, rec); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Mkdir(Dir(run, "documents"), 0o755), os.WriteFile(storage.Join(Dir(run, "documents"), rec.Shard.File), nil, 0o644)); err != nil {
		t.Fatal(err)
	}
	read := func() (TaskRecord, error) { return ReadTask(t.Context(), storage.Local, run, "documents", 0, 1) }
	got, err := read()
	if err != nil || got.MadeFrom["document: sea"] != "cd" || !Fresh(got, "ab") {
		t.Fatalf("%+v, %v", got, err)
	}
	path := recordPath(run, "documents", rec.Shard.File)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := range whole {
		for _, flip := range []byte{1, 0x20} {
			damaged := append([]byte(nil), whole...)
			damaged[i] ^= flip
			if err := os.WriteFile(path, damaged, 0o644); err != nil {
				t.Fatal(err)
			}
			if got, err := read(); err == nil {
				t.Fatalf("byte %d: %+v of\n%s", i, got, damaged)
			}
		}
	}
	old := `{"format":1,"table":"documents","stage":"crawl","shard":{"file":"` + rec.Shard.File + `","rows":0,"bytes":0,"sha256":"","fingerprint":"ab"}}`
	if err := os.WriteFile(path, []byte(old), 0o644); err != nil {
		t.Fatal(err)
	}
	if got, err := read(); err != nil || !Fresh(got, "ab") {
		t.Errorf("%+v, %v", got, err)
	}
}
