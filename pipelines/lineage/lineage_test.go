package lineage_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/lineage"
)

const outer = "airflow/prod/nightly.build/0198d5a5-4f1e-7c3a-9b2d-3f6e5a4c2b1d"

func open(t *testing.T, s lineage.Settings) *lineage.Events {
	t.Helper()
	e, err := lineage.Open(s, &config.Config{Out: filepath.Join(t.TempDir(), "out")})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// build reports a build of one stage.
func build(e *lineage.Events, ended string, err error) {
	e.Record(engine.Recorded{At: time.Now(), Build: engine.RunRecord{Status: engine.RunRunning}})
	e.Record(engine.Recorded{At: time.Now(), Stage: &engine.StageRecord{Stage: "crawl", Table: "documents", Status: engine.RunRunning}})
	e.Record(engine.Recorded{At: time.Now(), Err: err, Stage: &engine.StageRecord{Stage: "crawl", Table: "documents", Status: ended}})
	e.Record(engine.Recorded{At: time.Now(), Err: err, Build: engine.RunRecord{Status: ended}})
}

type told struct {
	EventType string
	Run       struct {
		RunID  string
		Facets map[string]map[string]any
	}
	Job struct{ Name string }
}

func read(t *testing.T, path string) (all []told) {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(raw)) {
		var v told
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			t.Fatal(err)
		}
		all = append(all, v)
	}
	return all
}

func inWords(all []told) string {
	var list []string
	for _, v := range all {
		list = append(list, v.EventType+" "+v.Job.Name)
	}
	return strings.Join(list, ", ")
}

// What ended the build is an event of its kind, with the error; another build is appended.
func TestEnds(t *testing.T) {
	path := filepath.Join(t.TempDir(), "events.jsonl")
	for i, c := range []struct {
		status, event, message string
		err                    error
	}{
		{engine.RunDone, "COMPLETE", "", nil},
		{engine.RunFailed, "FAIL", "no book", errors.New("no book")},
		{engine.RunStopped, "ABORT", "interrupted", fmt.Errorf("crawl: %w", context.Canceled)},
	} {
		e := open(t, lineage.Settings{To: path, Parent: outer})
		build(e, c.status, c.err)
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
		all := read(t, path)
		if len(all) != 4*(i+1) {
			t.Fatal(len(all))
		}
		for j, v := range all[4*i:] {
			if last := j >= 2; last != (v.EventType == c.event) || !last && v.EventType != "START" {
				t.Errorf("%s: event %d is %s", c.status, j, v.EventType)
			}
			message, _ := v.Run.Facets["errorMessage"]["message"].(string)
			if want := map[bool]string{true: c.message}[j >= 2]; message != want {
				t.Errorf("%s: event %d says %q, want %q", c.status, j, message, want)
			}
		}
		above := all[4*i].Run.Facets["parent"]
		if fmt.Sprint(above["job"], above["run"]) != "map[name:nightly.build namespace:airflow/prod] map[runId:0198d5a5-4f1e-7c3a-9b2d-3f6e5a4c2b1d]" {
			t.Errorf("%v", above)
		}
	}
}

// A build that was refused for its settings, and then allowed, is one run. One that
// stays refused has failed.
func TestSettingsAgreed(t *testing.T) {
	refuse := func(e *lineage.Events) {
		e.Record(engine.Recorded{Build: engine.RunRecord{Status: engine.RunRunning}})
		e.Record(engine.Recorded{Build: engine.RunRecord{Status: engine.RunFailed}, Err: fmt.Errorf("shards: %w", engine.ErrSettings)})
	}
	for _, agreed := range []bool{true, false} {
		path := filepath.Join(t.TempDir(), "events.jsonl")
		e := open(t, lineage.Settings{To: path})
		refuse(e)
		want := "START ., FAIL ."
		if agreed {
			build(e, engine.RunDone, nil)
			want = "START ., START ..crawl, COMPLETE ..crawl, COMPLETE ."
		}
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
		all := read(t, path)
		name := filepath.Base(working(t))
		if got := inWords(all); got != strings.NewReplacer(" .,", " "+name+",", " ..", " "+name+".").Replace(strings.TrimSuffix(want, ".")+map[bool]string{true: name}[true]) {
			t.Errorf("%s", got)
		}
		if all[0].Run.RunID != all[len(all)-1].Run.RunID {
			t.Error("the build has two runs")
		}
	}
}

func working(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// A server that is down for a while gets all events in their order.
func TestServerComesBack(t *testing.T) {
	lineage.Hurry(t, time.Millisecond, time.Minute)
	var got []string
	asked := 0
	back := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if asked++; asked < 4 {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		} else if asked == 4 {
			close(back)
		}
		var v told
		raw, _ := io.ReadAll(r.Body)
		json.Unmarshal(raw, &v)
		got = append(got, r.URL.Path+" "+v.EventType)
	}))
	defer s.Close()
	e := open(t, lineage.Settings{To: s.URL})
	build(e, engine.RunDone, nil)
	<-back
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	const at = "/api/v1/lineage "
	if want := at + "START," + at + "START," + at + "COMPLETE," + at + "COMPLETE"; strings.Join(got, ",") != want {
		t.Errorf("%q", got)
	}
}

// An address that is dead, hangs or refuses costs a moment at the end and one message,
// which has no secret.
func TestDeadAddresses(t *testing.T) {
	lineage.Hurry(t, time.Hour, 50*time.Millisecond)
	closed := httptest.NewServer(nil)
	closed.Close()
	free := make(chan struct{})
	hangs := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-free }))
	defer hangs.Close()
	defer close(free)
	refuses := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) }))
	defer refuses.Close()
	for name, c := range map[string]struct{ url, says string }{
		"closed":  {closed.URL, "connection refused"},
		"hangs":   {hangs.URL, "it does not answer in time"},
		"refuses": {refuses.URL, "refused: it answers status 401"},
	} {
		e := open(t, lineage.Settings{To: strings.Replace(c.url, "//", "//me:canary@", 1) + "/canary?token=canary", Key: "canary"})
		began := time.Now()
		build(e, engine.RunDone, nil)
		err := e.Close()
		if took := time.Since(began); took > 3*time.Second {
			t.Errorf("%s: it takes %v", name, took)
		}
		if err == nil || !strings.HasPrefix(err.Error(), "4 of 4 events did not reach "+c.url+": ") || !strings.HasSuffix(err.Error(), c.says) || strings.Contains(err.Error(), "canary") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Mistakes are refused, without the address where it may hold a secret.
func TestSettingsRefused(t *testing.T) {
	for _, s := range []lineage.Settings{
		{To: "gs://canary/events"}, {To: "ftp://me:canary@host/"}, {To: "http://"}, {To: "http://canary\x7f/"}, {To: "://canary"},
		{To: "localhost:5000"}, {To: filepath.Join(t.TempDir(), "none", "events.jsonl")},
		{To: "http://host", Parent: "canary"}, {To: "http://host", Parent: "a/b/c"},
	} {
		_, err := lineage.Open(s, &config.Config{})
		if err == nil || s.Parent == "" && strings.Contains(err.Error(), "canary") {
			t.Errorf("%+v: %v", s, err)
		}
	}
}

// The variables are those of other clients.
func TestEnvironment(t *testing.T) {
	env := map[string]string{
		"OPENLINEAGE_URL": "http://host", "OPENLINEAGE_ENDPOINT": "lineage", "OPENLINEAGE_API_KEY": "key",
		"OPENLINEAGE_NAMESPACE": "library", "OPENLINEAGE_PARENT_ID": outer,
	}
	get := func(name string) string { return env[name] }
	if s := lineage.Environment(get); s != (lineage.Settings{To: "http://host", Endpoint: "lineage", Key: "key", Namespace: "library", Parent: outer}) {
		t.Errorf("%+v", s)
	}
	env["OPENLINEAGE_DISABLED"] = "True"
	if s := lineage.Environment(get); s.To != "" {
		t.Errorf("%+v", s)
	}
}

// The endpoint is added to the address once.
func TestEndpoint(t *testing.T) {
	var at string
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { at = r.URL.RequestURI() }))
	defer s.Close()
	for _, c := range []struct{ to, endpoint, want string }{
		{"", "", "/api/v1/lineage"},
		{"/", "", "/api/v1/lineage"},
		{"/api/v1/lineage", "", "/api/v1/lineage"},
		{"/catalog?team=a", "/events/", "/catalog/events?team=a"},
	} {
		e := open(t, lineage.Settings{To: s.URL + c.to, Endpoint: c.endpoint})
		e.Record(engine.Recorded{Build: engine.RunRecord{Status: engine.RunRunning}})
		if err := e.Close(); err != nil || at != c.want {
			t.Errorf("%s and %s: %s, want %s: %v", c.to, c.endpoint, at, c.want, err)
		}
	}
}

// Places have the names that other tools give them.
func TestPlaces(t *testing.T) {
	for at, want := range map[string]string{
		"/data/books":                          "file /data/books",
		"/data/books/**/*.txt":                 "file /data/books",
		"/data/vol[12]/x":                      "file /data",
		"gs://library/books/a.txt":             "gs://library books/a.txt",
		"s3://library/books/*.txt":             "s3://library books",
		"s3://library":                         "s3://library /",
		"https://me:canary@mirror.example/g?k": "https://mirror.example /g",
		"https://mirror.example":               "https://mirror.example /",
		"HTTPS://mirror.example?k=1":           "https://mirror.example /",
		"https://mirror.example/a%20b#c":       "https://mirror.example /a b",
		"https://me:canary@mirror.example/5%":  "https://mirror.example /5%",
		"https://mirror.example/vol[1]":        "https://mirror.example /vol[1]",
		"gs://library/100%.txt":                "gs://library 100%.txt",
		"gs://library/a%20b.txt":               "gs://library a%20b.txt",
		"gs://library/vol?.txt":                "gs://library /",
		"gs://library/a/vol?.txt":              "gs://library a",
		"gs://library/a#b.txt":                 "gs://library a#b.txt",
		"s3://library/a@b.txt":                 "s3://library a@b.txt",
	} {
		if got := lineage.Place(at); got != want {
			t.Errorf("%s is %q, want %q", at, got, want)
		}
	}
}
