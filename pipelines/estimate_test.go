package pipelines

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/commonplace/commonplace/bounded"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/pipelinetest"
)

// Estimates are within a factor of two of what was measured: run.json of
// bench/configs/readers.yaml (162 books, 36,580 quotations, fast) and of the
// demonstration, on two cores.
func TestEstimates(t *testing.T) {
	demo := []string{"crawl", "quotes", "segment", "match", "align", "works", "group", "label", "count", "score", "rank"}
	for _, c := range []struct {
		name                         string
		load                         load
		stages                       []string
		cpu, scoring, memory, diskMB float64
	}{
		{"readers", load{sources: 90, largest: 4, quotes: 36580, passageMS: 1, shards: 16, workers: 2},
			[]string{"crawl", "quotes", "spans", "segment", "align", "works", "count", "position_tokens", "feature_stats", "score", "rank"}, 130, 81, 777, 226},
		{"demo", load{sources: 0.04, derived: 0.013, largest: 0.02, quotes: 51, passageMS: 1, shards: 16, workers: 2}, demo, 0.8, 0.09, 276, 1.1},
	} {
		e := estimate(c.load, c.stages)
		for _, v := range []struct {
			what           string
			said, measured float64
		}{{"CPU", e.CPU.Seconds(), c.cpu}, {"memory", e.Memory, c.memory}, {"disk", e.Disk, c.diskMB}} {
			if v.said < v.measured/2 || v.said > v.measured*2 {
				t.Errorf("%s: %s is estimated as %.2f, measured %.2f", c.name, v.what, v.said, v.measured)
			}
		}
		if c.scoring > 1 && (e.Scoring.Seconds() < c.scoring/2 || e.Scoring.Seconds() > c.scoring*2) {
			t.Errorf("%s: scoring is estimated as %v, measured %v s", c.name, e.Scoring, c.scoring)
		}
	}
}

// What is read of the files is what the run then has: bytes of text and quotations.
func TestLoadOfTheDemo(t *testing.T) {
	l, err := loadOf(t.Context(), pipelinetest.Demo(t))
	if err != nil {
		t.Fatal(err)
	}
	if l.sources < 0.025 || l.sources > 0.05 || l.derived < 0.01 || l.derived > 0.03 || l.quotes != 51 || l.guessed || l.passageMS == 0 {
		t.Errorf("%+v", l)
	}
	line, err := EstimateOf(t.Context(), pipelinetest.Demo(t), []string{"crawl", "score"})
	if err != nil || !strings.HasPrefix(line, "made whole, these take about 1 s of one processor (1 s to score), ") || !strings.Contains(line, "MB of disk, for 0.1 MB of text and ") {
		t.Errorf("%q, %v", line, err)
	}
}

// A source whose size nothing says is not taken to be empty.
func TestEstimateOfWhatIsUnknown(t *testing.T) {
	c, err := config.Load(t.Context(), "../configs/gutenberg.yaml")
	if err != nil {
		t.Fatal(err)
	}
	line, err := EstimateOf(t.Context(), c, []string{"crawl", "score"})
	if err != nil || line != "how long these take is unknown: how much gutenberg holds shows only when it is fetched (docs/scale.md)" {
		t.Errorf("%q, %v", line, err)
	}
}

// Entries of a list are counted, however long or short they are, in any format.
func TestEntriesOfLists(t *testing.T) {
	dir := t.TempDir()
	for name, list := range map[string]string{
		"lines.txt": "I have seen the sea.\nNobody came.\n" + strings.Repeat("A long line. ", 100) + "\n",
		"three.csv": "text,author\n\"One.\",A\n\"Two,\nand more.\",B\nThree.,C\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(list), 0o644); err != nil {
			t.Fatal(err)
		}
		if n, counted := entriesOf(t.Context(), config.QuoteList{Name: "list", Path: path, Columns: map[string]string{}, Limits: bounded.Defaults()}); n != 3 || !counted {
			t.Errorf("%s: %v entries, counted %v", name, n, counted)
		}
	}
	if n, counted := entriesOf(t.Context(), config.QuoteList{Path: filepath.Join(dir, "gone.txt")}); counted || n == 0 {
		t.Errorf("a list that is not there: %v, %v", n, counted)
	}
}
