package pipelines

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/commonplace/commonplace/table"
)

var updateRevisions = flag.Bool("update-revisions", false, "write testdata/revisions.json anew")

// revisions is what the stages gave for the small inputs, and as which revisions.
type revisions struct {
	Stages map[string]int               `json:"stages"`
	Tables map[string]map[string]string `json:"tables"` // by config and table: a hash over all rows
}

// A user's tables are built again after the program changed only where a stage's
// revision did. So whoever changes what a stage gives must raise it: here the
// rows of the small runs are held to those of the last raise. Scores are left
// out, since another processor may round them differently and a model names itself.
func TestRevisionsAreRaised(t *testing.T) {
	now := revisions{map[string]int{}, map[string]map[string]string{}}
	for _, s := range stages {
		now.Stages[s.name] = s.revision
	}
	for _, name := range []string{"demo", "gandhi", "quotus", "relic-hathitrust", "latin", "conversations"} {
		c := dataset(t, name, nil)
		build(t, c)
		now.Tables[name] = map[string]string{}
		for _, s := range wanted(t, c) {
			if s != scoreStage && s != rankStage && s != recommendStage {
				now.Tables[name][s.table] = rowsSum(t, c.Out, s.table)
			}
		}
	}

	path := filepath.Join("testdata", "revisions.json")
	var was revisions
	if b, err := os.ReadFile(path); err == nil {
		if err := json.Unmarshal(b, &was); err != nil {
			t.Fatal(err)
		}
	}
	differ := !maps.EqualFunc(was.Tables, now.Tables, maps.Equal[map[string]string, map[string]string])
	raised := !maps.Equal(was.Stages, now.Stages)
	switch {
	case !differ && !raised:
	case differ && !raised:
		for name, tables := range now.Tables {
			for _, s := range stages { // the first that differs is the one that changed
				if sum, ok := tables[s.table]; ok && was.Tables[name][s.table] != sum {
					t.Errorf("%s: other rows of %s than revision %d of stage %s gave: raise it, or that of a stage before it", name, s.table, s.revision, s.name)
					break
				}
			}
		}
	case *updateRevisions:
		b, err := json.MarshalIndent(now, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, append(b, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Error("a revision was raised: run this test with -update-revisions")
	}
}

// rowsSum is a hash over the rows of a table, in whichever shards they lie.
func rowsSum(t *testing.T, out, name string) string {
	t.Helper()
	var rows []string
	for row, err := range table.Inspect(table.Local, out, name, table.Selection{}) {
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, string(mustJSON(row)))
	}
	slices.Sort(rows)
	sum := sha256.New()
	for _, r := range rows {
		sum.Write([]byte(r + "\n"))
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
}
