package main

import (
	"encoding/json"
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// facetFields are the fields that the schemas of OpenLineage require of the facets that
// events have, beside _producer and _schemaURL.
var facetFields = map[string][]string{
	"parent":             {"run", "job"},
	"errorMessage":       {"message", "programmingLanguage"},
	"processing_engine":  {"version"},
	"jobType":            {"processingType", "integration"},
	"sourceCodeLocation": {"type", "url"},
	"schema":             {"fields"},
	"version":            {"datasetVersion"},
	"outputStatistics":   {"rowCount", "size", "fileCount"},
}

type lineageDataset struct {
	Namespace, Name      string
	Facets, OutputFacets map[string]map[string]any
}

type lineageEvent struct {
	EventType, EventTime, Producer, SchemaURL string

	Run struct {
		RunID  string
		Facets map[string]map[string]any
	}
	Job struct {
		Namespace, Name string
		Facets          map[string]map[string]any
	}
	Inputs, Outputs []lineageDataset
}

// lineageEvents reads a file of events, and checks that they have what is required.
func lineageEvents(t *testing.T, path string) (all []lineageEvent) {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(raw)) {
		var v lineageEvent
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			t.Fatal(err)
		}
		if v.EventTime == "" || v.Producer == "" || !strings.HasPrefix(v.SchemaURL, "https://openlineage.io/spec/2-0-2/") || v.Run.RunID == "" || v.Job.Namespace == "" || v.Job.Name == "" {
			t.Errorf("a field is missing: %s", line)
		}
		lists := []map[string]map[string]any{v.Run.Facets, v.Job.Facets}
		for _, d := range slices.Concat(v.Inputs, v.Outputs) {
			if d.Namespace == "" || d.Name == "" {
				t.Errorf("a dataset has no name: %s", line)
			}
			lists = append(lists, d.Facets, d.OutputFacets)
		}
		for _, list := range lists {
			for name, facet := range list {
				for _, field := range append([]string{"_producer", "_schemaURL"}, facetFields[name]...) {
					if _, there := facet[field]; !there || facetFields[name] == nil {
						t.Errorf("%s has no %s, or is not known: %s", name, field, line)
					}
				}
			}
		}
		all = append(all, v)
	}
	return all
}

// A build is a run that is the parent of those of the stages that work. Each begins
// before it ends, and what one makes another reads under the same name.
func TestLineage(t *testing.T) {
	needLibrary(t)
	root, err := filepath.Abs(checkout)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	path, out := filepath.Join(dir, "events.jsonl"), filepath.Join(dir, "out")
	build := func(status int, more ...string) []lineageEvent {
		t.Helper()
		os.Remove(path)
		c := exec.Command("commonplace", append([]string{"build", "configs/demo.yaml", "--out", out, "--top", "0", "--lineage", path}, more...)...)
		c.Dir, c.Env = root, append(os.Environ(), "OPENLINEAGE_NAMESPACE=library", "OPENLINEAGE_URL=http://127.0.0.1:1")
		output, _ := c.CombinedOutput()
		if got := c.ProcessState.ExitCode(); got != status || strings.Contains(string(output), "lineage") {
			t.Fatalf("status %d, want %d:\n%s", got, status, output)
		}
		return lineageEvents(t, path)
	}

	all := build(0)
	first, last := all[0], all[len(all)-1]
	if first.EventType != "START" || last.EventType != "COMPLETE" || first.Run.RunID != last.Run.RunID || first.Job.Name != "demo" || first.Job.Namespace != "library" {
		t.Errorf("%+v, %+v", first, last)
	}
	runs, made := map[string]string{}, map[string]bool{}
	for i, v := range all[1 : len(all)-1] {
		if want := []string{"START", "COMPLETE"}[i%2]; v.EventType != want || i%2 == 1 && runs[v.Job.Name] != v.Run.RunID {
			t.Errorf("%s of %s, want %s of run %s", v.EventType, v.Job.Name, want, runs[v.Job.Name])
		}
		runs[v.Job.Name] = v.Run.RunID
		parent := v.Run.Facets["parent"]
		if id := parent["run"].(map[string]any)["runId"]; id != first.Run.RunID {
			t.Errorf("the parent of %s is %v, want %s", v.Job.Name, id, first.Run.RunID)
		}
		for _, d := range v.Inputs {
			if strings.HasPrefix(d.Name, out+"/") && !made[d.Name] {
				t.Errorf("%s reads %s, which no stage has made", v.Job.Name, d.Name)
			}
		}
		for _, d := range v.Outputs {
			made[d.Name] = true
			if s := d.OutputFacets["outputStatistics"]; v.EventType == "COMPLETE" && (s["rowCount"].(float64) <= 0 || s["size"].(float64) <= 0) {
				t.Errorf("%s: %v", v.Job.Name, s)
			}
		}
	}
	names := slices.Sorted(maps.Keys(runs))
	if !slices.Contains(names, "demo.crawl") || !slices.Contains(names, "demo.rank") || len(made) != len(names) {
		t.Errorf("%q, %d tables", names, len(made))
	}
	if books := all[1].Inputs[0]; books.Namespace != "file" || books.Name != filepath.Join(root, "testdata/demo/books") {
		t.Errorf("%+v", books)
	}

	// Stages whose tables are up to date do not work.
	if again := build(0); len(again) != 2 || again[1].EventType != "COMPLETE" || again[0].Run.RunID == first.Run.RunID {
		t.Errorf("%+v", again)
	}

	// A book that is empty is one too many.
	broken := filepath.Join(dir, "broken.yaml")
	for name, text := range map[string]string{
		"broken.yaml": "out: other\nmax_reject_fraction: 0\nsources:\n  - name: books\n    files: [books]\n",
		"books/a.txt": "It was a dark and stormy night.\n", "books/empty.txt": "",
	} {
		file := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	os.Remove(path)
	c := exec.Command("commonplace", "build", broken, "--lineage", path)
	output, err := c.CombinedOutput()
	if err == nil {
		t.Fatalf("it is built:\n%s", output)
	}
	failed := lineageEvents(t, path)
	var words []string
	for _, v := range failed {
		words = append(words, v.EventType+" "+v.Job.Name)
	}
	if got := strings.Join(words, ", "); got != "START broken, START broken.crawl, FAIL broken.crawl, FAIL broken" {
		t.Errorf("%s:\n%s", got, output)
	}
	if message, _ := failed[2].Run.Facets["errorMessage"]["message"].(string); !strings.HasPrefix(message, "crawl: too many rejects") {
		t.Errorf("%q", message)
	}
}

// Where events go does not change how a build ends. A dead address is one warning, and
// no secret of it is said.
func TestLineageToNobody(t *testing.T) {
	needLibrary(t)
	dir := t.TempDir()
	run := func(env []string, args ...string) (string, int) {
		c := exec.Command("commonplace", append([]string{"crawl", filepath.Join(checkout, "configs/demo.yaml"), "--out", filepath.Join(dir, "out")}, args...)...)
		c.Env = append(os.Environ(), env...)
		output, _ := c.CombinedOutput()
		if strings.Contains(string(output), "canary") {
			t.Errorf("a secret is said:\n%s", output)
		}
		return string(output), c.ProcessState.ExitCode()
	}
	const dead = "http://me:canary@127.0.0.1:1/?token=canary"
	for _, c := range []struct {
		env, args []string
		says      string
		status    int
	}{
		{nil, []string{"--lineage", dead}, "lineage: 4 of 4 events did not reach http://127.0.0.1:1: dial tcp 127.0.0.1:1: connect: connection refused; the build is not affected\n", 0},
		{[]string{"OPENLINEAGE_URL=" + dead, "OPENLINEAGE_API_KEY=canary"}, nil, "lineage: 2 of 2 events did not reach http://127.0.0.1:1: ", 0},
		{[]string{"OPENLINEAGE_URL=" + dead}, []string{"--log", "json"}, `"level":"WARN","msg":"lineage: 2 of 2 events did not reach `, 0},
		{[]string{"OPENLINEAGE_URL=me:canary@host"}, nil, "OPENLINEAGE_URL: no events are sent: ", 0},
		{[]string{"OPENLINEAGE_URL=" + dead, "OPENLINEAGE_DISABLED=true"}, nil, "", 0},
		{[]string{"OPENLINEAGE_URL=" + dead}, []string{"--lineage", ""}, "", 0},
		{nil, []string{"--lineage", "localhost:5000"}, "commonplace: usage: --lineage: localhost:5000 is an address without http:// or https://", 2},
		{nil, []string{"--lineage", "ftp://canary@host"}, "commonplace: usage: --lineage: events go to ", 2},
	} {
		output, status := run(c.env, c.args...)
		want := 1
		if c.says == "" {
			want = 0
		}
		if status != c.status || !strings.Contains(output, c.says) || strings.Count(output, "not affected") != want*(1-min(c.status, 1)) {
			t.Errorf("%q %q: status %d, want %d and %q:\n%s", c.env, c.args, status, c.status, c.says, output)
		}
	}
}
