package runner

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/apache/beam/sdks/v2/go/container/tools"
	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/runtime/harness"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/util/grpcx"

	"github.com/commonplace/commonplace/infer"
	"github.com/commonplace/commonplace/storage"
)

// The way a worker comes to another machine: the submitting process copies the
// program and ONNX Runtime's library into the run's folder, where the tables are
// and every worker must be able to read and write anyway. A task manager starts
// the copy, so all workers are the very program that submitted, and nothing is
// left behind: when the folder goes, so do the workers.

// workerVariable names the folder of the copy to the worker that runs from it.
const workerVariable = "COMMONPLACE_WORKER"

// shipped is a program that workers can start, and its environment.
type shipped struct {
	Command string            `json:"command"`
	Env     map[string]string `json:"env"`
}

// ship copies the program and its library into the run's temporary folder. Of a
// run in a bucket that is below TMPDIR, which the task managers must then share.
func ship(ctx context.Context, out string) (*shipped, error) {
	dir, err := os.MkdirTemp(storage.TempDir(ctx), "worker-")
	if err == nil {
		err = os.Chmod(dir, 0o755) // the task managers may run as another user
	}
	if err != nil {
		return nil, fmt.Errorf("make a folder for the workers: %w: %w", storage.ErrRefused, err)
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	s := &shipped{Command: filepath.Join(dir, "commonplace"), Env: map[string]string{workerVariable: dir}}
	if storage.Remote(out) { // what workers download is removed when the run ends
		s.Env["TMPDIR"] = dir
	}
	if err := copyFile(s.Command, self); err != nil {
		return nil, err
	}
	library, err := infer.Library()
	if errors.Is(err, infer.ErrNoLibrary) {
		return s, nil // the stage that needs it says so
	}
	if err != nil {
		return nil, err
	}
	copied := filepath.Join(dir, filepath.Base(library))
	s.Env[infer.LibraryVariable] = copied
	return s, copyFile(copied, library)
}

func copyFile(to, from string) error {
	src, err := os.Open(from)
	if err != nil {
		return err
	}
	defer src.Close()
	dst, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o755)
	if err == nil {
		_, err = io.Copy(dst, src)
		err = errors.Join(err, dst.Close())
	}
	if err != nil {
		return fmt.Errorf("copy %s to the workers: %w: %w", from, storage.ErrRefused, err)
	}
	return nil
}

// ServeWorker runs the program as a Beam worker and does not return, if a runner
// started it as one. Call it first in main.
func ServeWorker() {
	if len(os.Args) < 2 {
		return
	}
	switch first := strings.TrimLeft(os.Args[1], "-"); {
	case strings.HasPrefix(first, "worker"): // from Beam's container
		flag.Parse()
		beam.Init()
	case os.Getenv(workerVariable) != "": // from a task manager
		if err := serveTaskManager(os.Args[1:]); err != nil {
			fmt.Fprintln(os.Stderr, "commonplace: worker:", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
}

// serveTaskManager does what Beam's boot program and harness do together, less
// the staging, and ends when the task manager lets go of it: Beam's own harness
// then sleeps for ever.
func serveTaskManager(args []string) error {
	var logging, control, provision string
	flags := flag.NewFlagSet("worker", flag.ContinueOnError)
	id := flags.String("id", "", "")
	flags.StringVar(&logging, "logging_endpoint", "", "")
	flags.StringVar(&control, "control_endpoint", "", "")
	flags.StringVar(&provision, "provision_endpoint", "", "")
	flags.String("artifact_endpoint", "", "")
	flags.String("semi_persist_dir", "", "")
	if err := flags.Parse(args); err != nil {
		return err
	}
	go endAlone(os.Getppid(), os.Getenv(workerVariable))
	ctx := grpcx.WriteWorkerID(context.Background(), *id)
	info, err := tools.ProvisionInfo(ctx, provision)
	if err != nil {
		return err
	}
	if url := info.GetLoggingEndpoint().GetUrl(); url != "" {
		logging = url
	}
	if url := info.GetControlEndpoint().GetUrl(); url != "" {
		control = url
	}
	beam.Init()
	return harness.MainWithOptions(ctx, logging, control, harness.Options{RunnerCapabilities: info.GetRunnerCapabilities()})
}

// endAlone ends the process when the task manager that started it is gone, or the
// run that it worked for: its folder is then removed. What it was writing has a
// temporary name, so nothing is half there.
func endAlone(parent int, folder string) {
	for range time.Tick(time.Second) {
		_, err := os.Stat(folder)
		if os.Getppid() != parent || errors.Is(err, fs.ErrNotExist) {
			os.Exit(1)
		}
	}
}
