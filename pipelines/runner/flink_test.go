package runner

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/storage"
)

func TestCauseIsOneLine(t *testing.T) {
	trace := `job commonplace-score failed:
java.lang.RuntimeException: The Runner experienced the following error during execution:
	at org.apache.beam.runners.flink.FlinkPipelineRunner.run(FlinkPipelineRunner.java:1)
Caused by: org.apache.flink.runtime.JobException: Recovery is suppressed by FixedDelayRestartBackoffTimeStrategy
	at org.apache.flink.Some$Inner.go(Some.java:2)
Caused by: java.io.IOException: Cannot run program "/run/.tmp/worker-1/commonplace": No such file
	... 3 more
`
	for given, want := range map[string]string{
		trace:                   `Cannot run program "/run/.tmp/worker-1/commonplace": No such file`,
		"failed to dial\nwhy":   "failed to dial",
		"Caused by: a.b.CError": "CError",
		"":                      "",
	} {
		if got := cause(given); got != want {
			t.Errorf("cause of %.20q is %q, want %q", given, got, want)
		}
	}
	if got := cause(strings.Repeat("é", 1000)); len([]rune(got)) > 310 {
		t.Errorf("a cause of %d characters", len([]rune(got)))
	}
}

func TestFailureTravelsWithItsKind(t *testing.T) {
	out := t.TempDir()
	if err := os.Mkdir(filepath.Join(out, TempFolder), 0o755); err != nil {
		t.Fatal(err)
	}
	rejects := errors.New("too many rejects")
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	h := Handler{Errors: map[string]error{"config": config.ErrInvalid, "rejects": rejects, "storage": storage.ErrRefused}}
	for _, kind := range []error{config.ErrInvalid, rejects, storage.ErrRefused, nil} {
		first := errors.New("crawl, shard 1 of 2: no")
		if kind != nil {
			first = fmt.Errorf("crawl, shard 1 of 2: %w: no", kind)
		}
		leaveFailure(t.Context(), out, h, first)
		leaveFailure(t.Context(), out, h, errors.New("a later one"))
		got := findFailure(t.Context(), out, h)
		if got == nil || got.Error() != first.Error()+" (on "+host+")" {
			t.Fatalf("found %v, want %v and the machine", got, first)
		}
		if kind != nil && !errors.Is(got, kind) {
			t.Errorf("%v is no longer %v", got, kind)
		}
		if again := findFailure(t.Context(), out, h); again != nil {
			t.Errorf("found twice: %v", again)
		}
	}
}

func TestShipCarriesTheProgram(t *testing.T) {
	out := t.TempDir()
	ctx, err := WithTempDir(t.Context(), out)
	if err != nil {
		t.Fatal(err)
	}
	s, err := ship(ctx, out)
	if err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	want, _ := os.Stat(self)
	got, err := os.Stat(s.Command)
	if err != nil || got.Size() != want.Size() || got.Mode().Perm() != 0o755 {
		t.Errorf("the copy is %v, %v; want %d bytes that may be run", got, err, want.Size())
	}
	if s.Env[workerVariable] != filepath.Dir(s.Command) {
		t.Errorf("the worker watches %s, not its folder", s.Env[workerVariable])
	}
}

func TestNoJobServerIsAMistakeOfTheConfig(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop() // nobody waits ten seconds
	_, err := flinkSlots(ctx, config.Runner{JobServer: "localhost:1", FlinkMaster: "localhost:1"})
	if !errors.Is(err, config.ErrInvalid) || strings.Contains(err.Error(), "\n") {
		t.Errorf("got %v, want one line about the config", err)
	}
}

func TestSlotsAreWhatFlinkSays(t *testing.T) {
	flink := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, `{"taskmanagers":2,"slots-total":4}`)
	}))
	defer flink.Close()
	c := config.Runner{FlinkMaster: strings.TrimPrefix(flink.URL, "http://")}
	if n, err := overviewSlots(t.Context(), c); n != 4 || err != nil {
		t.Errorf("%d slots, %v; want 4", n, err)
	}
	c.Parallelism = 5
	if _, err := overviewSlots(t.Context(), c); !errors.Is(err, config.ErrInvalid) {
		t.Errorf("5 tasks on 4 slots: %v", err)
	}
}

// An error of the cluster names the task manager, where Flink says which it was, and a
// folder that this one does not see.
func TestFailuresNameTheTaskManager(t *testing.T) {
	answers := map[string]string{
		"/jobs/overview": `{"jobs":[{"jid":"ab12","name":"commonplace0demo0crawl-root"},{"jid":"cd34","name":"commonplace0demo0rank-root"}]}`,
		"/jobs/ab12/exceptions": `{"exceptionHistory":{"entries":[{"stacktrace":"Recovery is suppressed"},
			{"endpoint":"rack-7:6122","stacktrace":"java.io.IOException: Cannot run program \"/run/worker-1/commonplace\": error=2, No such file"}]}}`,
		"/jobs/cd34/exceptions": `{"exceptionHistory":{"entries":[{"endpoint":"rack-8:6122","stacktrace":"java.lang.OutOfMemoryError"}]}}`,
	}
	flink := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, answers[r.URL.Path]) }))
	defer flink.Close()
	c := config.Runner{FlinkMaster: strings.TrimPrefix(flink.URL, "http://")}
	failed := errors.New("Caused by: java.lang.OutOfMemoryError: Java heap space")
	for id, want := range map[string]string{
		"commonplace0demo0crawl-root_4d6a": "the task manager rack-7:6122 cannot start /run/worker-1/commonplace: mount the run's folder",
		"commonplace0demo0rank-root_4d6a":  "Java heap space (on the task manager rack-8:6122)",
		"another_4d6a":                     "Java heap space (on a task manager)",
	} {
		if got := flinkFailure(failed, "/run/worker-1/commonplace", lastFailure(t.Context(), c, id)); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %q, want %q", id, got, want)
		}
	}
}

// Whoever has the port where Flink is expected cannot fill the memory.
func TestFlinkAnswersAreLimited(t *testing.T) {
	sent := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"slots-total": 4, "flink-version": "`)
		block := strings.Repeat("1", 1<<20)
		for range 200 {
			n, err := fmt.Fprint(w, block)
			if sent += n; err != nil {
				return
			}
		}
		fmt.Fprint(w, `"}`)
	}))
	defer server.Close()
	_, err := overviewSlots(t.Context(), config.Runner{FlinkMaster: strings.TrimPrefix(server.URL, "http://")})
	server.Close() // waits for the handler
	if err == nil || !strings.Contains(err.Error(), "more than 16777216 bytes") || sent > 100<<20 {
		t.Errorf("%d MB were taken: %v", sent>>20, err)
	}
}
