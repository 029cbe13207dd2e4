package runner

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"sync"

	"github.com/commonplace/commonplace/pipelines/worker"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// firstFailure is the first error of a build's job in this process, so that the user
// reads our sentence and not the runner's account of its bundle.
var firstFailure worker.Var[struct {
	sync.Mutex
	err error
}]

// report keeps a handler's error for the process that submitted the job. A worker
// elsewhere leaves it in the run's folder.
func report(ctx context.Context, elsewhere bool, out string, h Handler, err error) {
	if elsewhere {
		leaveFailure(ctx, out, h, err)
		return
	}
	first := firstFailure.Of(ctx)
	first.Lock()
	defer first.Unlock()
	if first.err == nil {
		first.err = err
	}
}

// takeFailure returns and forgets the first failure of a build's job in this process.
func takeFailure(ctx context.Context) error {
	first := firstFailure.Of(ctx)
	first.Lock()
	defer first.Unlock()
	err := first.err
	first.err = nil
	return err
}

const failureFile = "failure.json"

// failurePath is where a worker elsewhere leaves its failure.
func failurePath(out string) string { return storage.Join(table.Home(out), TempFolder, failureFile) }

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
	if host, _ := os.Hostname(); host != "" {
		f.Text += " (on " + host + ")"
	}
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
