package pipelines

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/commonplace/commonplace/pipelines/pipelinetest"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
	"github.com/commonplace/commonplace/table/inspect"
)

var updateRevisions = flag.Bool("update-revisions", false, "write testdata/revisions.json anew")

// made is what a stage was given and what it gave: hashes of the settings,
// inputs and revision that its record names, and of all rows.
type made struct{ Of, Rows string }

// A user's tables are built again after the program changed only where a stage's
// revision did. So a change of a stage's rows must raise it: of the same
// revision, settings and inputs come the same rows as when testdata/revisions.json
// was written. Scores are left out, since another processor may round them
// differently.
func TestRevisionsAreRaised(t *testing.T) {
	path := filepath.Join("testdata", "revisions.json")
	now, was := map[string]map[string]made{}, map[string]map[string]made{}
	if b, err := os.ReadFile(path); err == nil {
		if err := json.Unmarshal(b, &was); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"demo", "gandhi", "quotus", "relic-hathitrust", "latin", "conversations"} {
		c := pipelinetest.Dataset(t, name, nil)
		now[name] = map[string]made{}
		for _, s := range pipelinetest.Stages(t, c) {
			if s.Stage == "score" || s.Stage == "rank" {
				continue
			}
			m, revision := madeIn(t, c.Out, s.Table)
			now[name][s.Table] = m
			if before := was[name][s.Table]; before.Of == m.Of && before.Rows != m.Rows {
				t.Errorf("%s: revision %d of stage %s gave other rows of %s when it was looked at: raise it", name, revision, s.Stage, s.Table)
			}
		}
	}
	if t.Failed() || reflect.DeepEqual(was, now) {
		return
	}
	if !*updateRevisions {
		t.Fatal("revisions, settings or inputs have changed: run this test with -update-revisions")
	}
	b, err := json.MarshalIndent(now, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, append(b, '\n'), 0o644); err != nil {
		t.Fatal(err)
	}
}

func madeIn(t *testing.T, out, name string) (m made, revision int) {
	t.Helper()
	c, err := table.ReadCommit(t.Context(), storage.Default, out, name)
	if err != nil {
		t.Fatal(err)
	}
	of := sha256.Sum256(storage.MustJSON(struct {
		Revision int
		Config   json.RawMessage
		Inputs   map[string]string
	}{c.Revision, c.Config, c.Inputs}))
	var rows []string // sorted: in whichever shards they lie
	for row, err := range inspect.Rows(t.Context(), storage.Default, out, name, inspect.Selection{}) {
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, string(storage.MustJSON(row)))
	}
	slices.Sort(rows)
	sum := sha256.New()
	for _, r := range rows {
		sum.Write([]byte(r + "\n"))
	}
	return made{hex.EncodeToString(of[:8]), hex.EncodeToString(sum.Sum(nil)[:8])}, c.Revision
}
