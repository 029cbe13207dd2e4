package pipelines

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/pipelinetest"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
	"github.com/commonplace/commonplace/table/inspect"
	"github.com/commonplace/commonplace/table/verify"
)

// Every dataset of the small inputs: its tables, what they were checked against, every
// span, and the same bytes the second time.
func TestDatasets(t *testing.T) {
	for name, want := range map[string]map[string]string{ // table: a check that its record must have
		"gandhi":                {"works": "", "groups": "", "examples": "stretches_in_one_split", "choices": ""},
		"quotus":                {"queries": "days_in_one_split", "quoted_spans": "", "span_choices": "", "agreements": ""},
		"relic-hathitrust":      {"works": "", "windows": "primary sources_in_one_split"},
		"latin":                 {"works": "", "counted": "documents_in_one_split", "sequences": "works_in_one_split", "pairs": "works_in_one_split", "attributes": "", "language": ""},
		"shakespeare":           {"counted": "folds", "sequences": "works_in_one_split", "pairs": "folds", "attributes": ""},
		"great-books":           {"counted": "folds", "sequences": "works_in_one_split", "pairs": "folds", "attributes": ""},
		"kjv-newspapers":        {"counted": "folds", "sequences": "works_in_one_split", "pairs": "folds", "attributes": "", "language": ""},
		"quoter-gutenberg":      {"examples": "stretches_in_one_split", "choices": ""},
		"conversations":         {"conversations": "", "replies": "conversations_in_one_split"},
		"conversations-chinese": {"conversations": "", "replies": "conversations_in_one_split"},
	} {
		t.Run(name, func(t *testing.T) {
			c := pipelinetest.Dataset(t, name, nil)
			pipelinetest.Build(t, c)
			for tab, check := range want {
				commit, err := table.ReadCommit(t.Context(), storage.Default, c.Out, tab)
				if err != nil || commit.Rows == 0 {
					t.Errorf("table %s: %d rows, %v", tab, commit.Rows, err)
				}
				if check != "" && commit.Checks[check] == 0 {
					t.Errorf("table %s was held to %v, not to %s", tab, commit.Checks, check)
				}
			}
			if name == "latin" { // a is no article there
				commit, err := table.ReadCommit(t.Context(), storage.Default, c.Out, "attributes")
				if err != nil || commit.Counts["english_features_left_out"] == 0 {
					t.Errorf("attributes: %v, %v", commit.Counts, err)
				}
			}
			if _, err := verify.Tables(t.Context(), storage.Default, c.Out, func(p verify.Problem) { t.Error(p) }); err != nil {
				t.Error(err)
			}
			before := pipelinetest.Snapshot(t, c.Out)
			pipelinetest.Build(t, pipelinetest.Dataset(t, name, func(other *config.Config) {
				other.Out, c.Out = filepath.Join(filepath.Dir(c.Out), "again"), filepath.Join(filepath.Dir(c.Out), "again")
			}))
			if d := pipelinetest.Differing(before, pipelinetest.Snapshot(t, c.Out)); len(d) > 0 {
				t.Errorf("other bytes the second time: %s", d)
			}
		})
	}
}

// Adding a book changes only rows that name it: in every table but works, which
// counts a work's editions, and attributes, which are of the whole run.
func TestABookChangesOnlyItsRows(t *testing.T) {
	counts := filepath.Join(t.TempDir(), "counts") // kept: else what is rare, and so every score, depends on all books
	chapters := func(numbers string) map[string]map[string]bool {
		c := pipelinetest.Dataset(t, "gandhi", func(c *config.Config) {
			c.Align.Counts, c.Label.Datasets = counts, []string{config.DataTriples, config.DataCounts}
			c.Label.Negatives = []string{"near:1", "bm25:1", "uniform:1"}
			c.Sources[0].Files = nil
			for _, k := range numbers {
				c.Sources[0].Files = append(c.Sources[0].Files, fmt.Sprintf("../testdata/gandhi/chapters/chapter-%c.txt", k))
			}
		})
		pipelinetest.Build(t, c)
		tables := map[string]map[string]bool{}
		for _, name := range []string{"quotes", "passages", "alignments", "groups", "examples", "choices", "quote_counts", "counted", "pairs"} {
			tables[name] = map[string]bool{}
			for row, err := range inspect.Rows(t.Context(), storage.Local, c.Out, name, inspect.Selection{}) {
				if err != nil {
					t.Fatal(err)
				}
				b, err := row.MarshalJSON()
				if err != nil {
					t.Fatal(err)
				}
				tables[name][string(b)] = true
			}
		}
		return tables
	}
	before, after := chapters("1245"), chapters("12345")
	for name := range after {
		changed, others := 0, 0
		for _, both := range [][2]map[string]bool{{before[name], after[name]}, {after[name], before[name]}} {
			for row := range both[0] {
				switch {
				case both[1][row]:
				case strings.Contains(row, "chapter-3"):
					changed++
				default:
					others++
					t.Errorf("%s: a row that does not name the new chapter has changed: %s", name, row)
				}
			}
		}
		t.Logf("%s: %d rows, %d changed that name the new chapter, %d others", name, len(after[name]), changed, others)
		if (changed == 0) != (name == "quotes") {
			t.Errorf("%s: %d rows changed", name, changed)
		}
	}
}
