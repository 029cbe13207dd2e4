package pipelines

import (
	"encoding/json"
	"errors"
	"sync"

	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/storage"
)

// failures keep the first error of a job that runs inside this process, so that
// the user reads our sentence and not the runner's account of its bundle.
var failures struct {
	sync.Mutex
	first error
}

// reportFailure keeps a task's error for whoever submitted the job.
func reportFailure(out string, err error) {
	failures.Lock()
	defer failures.Unlock()
	if remoteFailures {
		leaveFailure(out, err)
	} else if failures.first == nil {
		failures.first = err
	}
}

// takeFailure returns and forgets the first failure of this process.
func takeFailure() error {
	failures.Lock()
	defer failures.Unlock()
	err := failures.first
	failures.first = nil
	return err
}

// remoteFailures says that this process is a worker elsewhere: a failure is then
// left in the run's folder, where the submitting process finds it.
var remoteFailures bool

const failureFile = "failure.json"

// kinds are the sentinels that decide the exit status.
var kinds = map[string]error{"config": config.ErrInvalid, "storage": storage.ErrRefused, "rejects": ErrRejects}

// remoteFailure is an error as it travels.
type remoteFailure struct {
	Text string `json:"text"`
	Kind string `json:"kind"`
}

func (f *remoteFailure) Error() string { return f.Text }
func (f *remoteFailure) Unwrap() error { return kinds[f.Kind] }

// leaveFailure writes the first failure of a job; of two workers at once, either.
func leaveFailure(out string, err error) {
	path := storage.Join(out, tempFolder, failureFile)
	if _, there := storage.Default.Size(path); there == nil {
		return
	}
	f := remoteFailure{Text: err.Error()}
	for name, kind := range kinds {
		if errors.Is(err, kind) {
			f.Kind = name
		}
	}
	_ = storage.WriteFile(path, storage.MustJSON(f)) // where even this fails, the runner's account is left
}

// findFailure returns and forgets what a worker left.
func findFailure(out string) error {
	path := storage.Join(out, tempFolder, failureFile)
	b, err := storage.ReadFile(path)
	if err != nil {
		return nil
	}
	_ = storage.Default.Remove(path)
	f := &remoteFailure{}
	if json.Unmarshal(b, f) != nil || f.Text == "" {
		return nil
	}
	return f
}
