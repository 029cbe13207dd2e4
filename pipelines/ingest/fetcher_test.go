package ingest

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/commonplace/commonplace/crawl/fetch"
)

// Two runs in one process ask one host: a host's wait is reported to its own run
// run's progress.
func TestRunsAreToldOfTheirOwnHosts(t *testing.T) {
	var fetchers [2]fetcher
	var progress [2]*hostProgress
	for i := range fetchers {
		task := fetchTask{Run: "r", Host: "a.org", Todo: filepath.Join(t.TempDir(), "0.todo"), Policy: fetch.Policy{Contact: "test@example.org"}}
		if _, err := fetchers[i].archiveOf(task); err != nil {
			t.Fatal(err)
		}
		progress[i] = newHostProgress(task, 1)
		if c := fetchers[i].clientOf(task, progress[i]); i == 1 && c == fetchers[0].client {
			t.Error("two runs have one client")
		}
	}
	fetchers[0].client.Waiting("a.org", time.Unix(1, 0), "status 503")
	if progress[0].Why != "status 503" || progress[1].Why != "" {
		t.Errorf("the first is told %q, the second %q", progress[0].Why, progress[1].Why)
	}
}
