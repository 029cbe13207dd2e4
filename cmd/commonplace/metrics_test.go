package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/goccy/go-yaml"

	"github.com/commonplace/commonplace/pipelines/engine"
)

// everything is a run of which all is known.
func everything() *engine.Status {
	now, failed := time.Date(2026, 11, 23, 2, 30, 0, 0, time.UTC), 8
	return &engine.Status{
		Folder: `/srv/the "library"`,
		Tables: []engine.TableStatus{{Table: "documents", State: engine.TableDone, Rows: 3, Bytes: 70, Rejected: 1}, {Table: "passages", State: engine.TableMissing}},
		Run: &engine.RunRecord{
			Version: "1.2.3", Commit: "0123456789ab", Started: now, Ended: &now, LastSuccess: &now, ExitStatus: &failed, Seconds: 1.5,
			Stages: []engine.StageRecord{
				{Stage: "crawl", RowsIn: 4, RowsOut: 3, Lost: map[string]int64{"books": 2}},
				{Stage: "rank", Compared: map[string]int64{"top_100_new": 7}},
			},
		},
	}
}

// sample is a line of Prometheus' text format.
var sample = regexp.MustCompile(`^commonplace_[a-z_0-9]+\{library="the \\"library\\""(,[a-z]+="[^"\\]*")*\} -?[0-9.]+$`)

func TestMetricsAreText(t *testing.T) {
	last, seen := "", map[string]bool{}
	for _, line := range regexp.MustCompile(`\n`).Split(string(metrics(everything())), -1) {
		if m := regexp.MustCompile(`^# TYPE (\S+) gauge$`).FindStringSubmatch(line); m != nil {
			if seen[m[1]] {
				t.Errorf("%s is in two places", m[1])
			}
			last, seen[m[1]] = m[1], true
			continue
		}
		if line == "" || regexp.MustCompile(`^# HELP commonplace_[a-z_]+ \w`).MatchString(line) {
			continue
		}
		if !sample.MatchString(line) || regexp.MustCompile(`^\w+`).FindString(line) != last {
			t.Errorf("under %s: %s", last, line)
		}
	}
}

// The sample alerts are of metrics that there are.
func TestAlertsAreOfMetrics(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join(checkout, "deploy/schedule/alerts.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Groups []struct {
			Name  string `yaml:"name"`
			Rules []struct {
				Alert       string            `yaml:"alert"`
				Expr        string            `yaml:"expr"`
				For         string            `yaml:"for"`
				Labels      map[string]string `yaml:"labels"`
				Annotations map[string]string `yaml:"annotations"`
			} `yaml:"rules"`
		} `yaml:"groups"`
	}
	if err := yaml.UnmarshalWithOptions(raw, &file, yaml.DisallowUnknownField()); err != nil {
		t.Fatal(err)
	}
	names := regexp.MustCompile(`commonplace_\w+`)
	there, rules := names.FindAllString(string(metrics(everything())), -1), 0
	for _, g := range file.Groups {
		for _, r := range g.Rules {
			rules++
			used := names.FindAllString(r.Expr, -1)
			if r.Alert == "" || r.Annotations["summary"] == "" || len(used) == 0 {
				t.Errorf("%q has no name, no summary or no metric: %s", r.Alert, r.Expr)
			}
			for _, name := range used {
				if !slices.Contains(there, name) {
					t.Errorf("%s: there is no metric %s", r.Alert, name)
				}
			}
		}
	}
	if rules == 0 {
		t.Error("there is no rule")
	}
}
