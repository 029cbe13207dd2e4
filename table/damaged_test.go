package table_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/bounded"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/storage/storagetest"
	"github.com/commonplace/commonplace/table"
	"github.com/commonplace/commonplace/table/tabletest"
)

// Whoever meets a wrong byte in a run's shard reads which file it is in and what
// mends it, wherever the byte is. An input of another tool has no such remedy.
func TestADamagedShardNamesItsRemedy(t *testing.T) {
	const path, remedy = "run/passages/part-00001-of-00003.parquet", "build again with --check"
	whole := tabletest.NewRun().Write(t).Files[path]
	seen := 0
	for at := 0; at < len(whole); at += 1 + len(whole)/97 {
		m := storagetest.NewMemory()
		m.Files[path] = bytes.Clone(whole)
		m.Files[path][at] ^= 0x20
		for _, err := range table.Passages.On(m).Rows(t.Context(), path) {
			if err == nil {
				continue
			}
			seen++
			if !strings.Contains(err.Error(), path) || strings.Count(err.Error(), remedy) != 1 {
				t.Errorf("byte %d: %v", at, err)
			}
		}
	}
	if seen < 20 {
		t.Errorf("only %d of the wrong bytes were met", seen)
	}
	if _, err := table.OpenDocuments(t.Context(), "otherdocuments.go", false, bounded.Limits{}); !errors.Is(err, storage.ErrDamaged) || strings.Contains(err.Error(), remedy) {
		t.Errorf("an input: %v", err)
	}
}

// Values of one column are read with the same care.
func TestADamagedColumnNamesItsRemedy(t *testing.T) {
	const path = "run/scores/part-00001-of-00003.parquet"
	m := tabletest.NewRun().Write(t)
	m.Files[path] = m.Files[path][:100]
	for _, err := range table.Values[float64, commonplace.Score](t.Context(), table.Scores.On(m), path, "score") {
		if err == nil || !strings.HasSuffix(err.Error(), "; build again with --check, which makes damaged shards again") {
			t.Errorf("%v", err)
		}
	}
}
