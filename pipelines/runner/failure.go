package runner

import (
	"context"
	"encoding/json"
	"errors"
	"sync"

	"github.com/commonplace/commonplace/storage"
)

// failures keep the first error of each run's job inside this process, so that
// the user reads our sentence and not the runner's account of its bundle.
var failures sync.Map // of run folders

// remote says that this process is a worker elsewhere: a failure is then left in
// the run's folder, where the submitting process finds it.
var remote bool

// report keeps a handler's error for the process that submitted the job.
func report(ctx context.Context, out string, h Handler, err error) {
	if remote {
		leaveFailure(ctx, out, h, err)
		return
	}
	failures.LoadOrStore(out, err)
}

// takeFailure returns and forgets the first failure of a run in this process.
func takeFailure(out string) error {
	if err, there := failures.LoadAndDelete(out); there {
		return err.(error)
	}
	return nil
}

const failureFile = "failure.json"

// failurePath is where a worker elsewhere leaves its failure.
func failurePath(out string) string { return storage.Join(out, TempFolder, failureFile) }

// remoteFailure is an error as it travels.
type remoteFailure struct {
	Text string `json:"text"`
	Kind string `json:"kind"`

	sentinel error
}

func (f *remoteFailure) Error() string { return f.Text }
func (f *remoteFailure) Unwrap() error { return f.sentinel }

// leaveFailure writes the first failure of a job; of two workers at once, either.
func leaveFailure(ctx context.Context, out string, h Handler, err error) {
	ctx = context.WithoutCancel(ctx) // the failure may have ended the others
	path := failurePath(out)
	if _, there := storage.Default.Size(ctx, path); there == nil {
		return
	}
	f := remoteFailure{Text: err.Error()}
	for name, sentinel := range h.Errors {
		if errors.Is(err, sentinel) {
			f.Kind = name
		}
	}
	_ = storage.WriteFile(ctx, path, storage.MustJSON(f)) // where even this fails, the runner's account is left
}

// findFailure returns and forgets what a worker left.
func findFailure(ctx context.Context, out string, h Handler) error {
	b, err := storage.ReadFile(ctx, failurePath(out))
	if err != nil {
		return nil
	}
	_ = storage.Default.Remove(ctx, failurePath(out))
	f := &remoteFailure{}
	if json.Unmarshal(b, f) != nil || f.Text == "" {
		return nil
	}
	f.sentinel = h.Errors[f.Kind]
	return f
}
