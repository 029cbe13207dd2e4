package runner

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/metrics"

	// The runners of Beam that --runner offers, one by one: its beamx brings all of
	// them with every file system and makes the program four times as large.
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/core/runtime/exec/optimized"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/dataflow"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/direct"

	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// TempFolder is the folder in a run's folder that holds temporary files. It is
// gone when no run works there, and is removed with all that it holds.
const TempFolder = ".commonplace.tmp"

// HomeOf is the run's folder on this machine. A bucket can hold neither a lock
// nor what is being written, so a run in one has another, by which two runs on
// this machine know of each other.
func HomeOf(out string) string {
	out = table.Home(out)
	if !storage.Remote(out) {
		return out
	}
	return filepath.Join(os.TempDir(), fmt.Sprintf("commonplace-%d-%s", os.Getuid(), storage.Key(out)))
}

// WithTempDir gives a context the run's folder for temporary files on this machine,
// which is made if it is not there: on a worker, no build has made it.
func WithTempDir(ctx context.Context, out string) (context.Context, error) {
	if err := MakeHome(out); err != nil {
		return ctx, err
	}
	temp, err := tempDir(out)
	if err == nil {
		err = os.MkdirAll(temp, 0o755)
	}
	return storage.WithTempDir(ctx, temp), storage.Wrap("make", temp, err)
}

func tempDir(out string) (string, error) { return filepath.Abs(filepath.Join(HomeOf(out), TempFolder)) }

// MakeHome makes the run's folder on this machine, if it is not there. That of a bucket's
// run is in a folder in which others may write, under a name that they can guess: it
// must be ours alone, and no link.
func MakeHome(out string) error {
	home := HomeOf(out)
	if !storage.Remote(table.Home(out)) {
		return storage.Wrap("make", home, os.MkdirAll(home, 0o755))
	}
	err := os.MkdirAll(filepath.Dir(home), 0o755)
	if err == nil {
		err = os.Mkdir(home, 0o700)
	}
	if errors.Is(err, fs.ErrExist) {
		var info fs.FileInfo
		if info, err = os.Lstat(home); err == nil && !(info.IsDir() && info.Mode().Perm()&0o022 == 0 && storage.Ours(info)) {
			return fmt.Errorf("%s: %w: somebody else made it, or may write there; remove it, or set TMPDIR to a folder of your own", home, storage.ErrRefused)
		}
	}
	return storage.Wrap("make", home, err)
}

// Runner runs the jobs of one run.
type Runner struct {
	c      config.Runner
	out    string
	worker *shipped // the program for workers that Flink starts; nil until the first job
	leader *leader  // of a build in parts; nil: it is whole
}

// Reach readies a config for its runner before anything else is done: workers of
// Flink need absolute paths, and there must be a Flink.
func Reach(ctx context.Context, c *config.Config) error {
	if c.Runner.Name == config.FlinkRunner {
		return reachFlink(ctx, c)
	}
	if c.Runner.Parts > 1 {
		return c.Absolute()
	}
	return nil
}

// Open is the config's runner.
func Open(c *config.Config) (*Runner, error) {
	r := &Runner{c: c.Runner, out: c.Out}
	flags := c.Runner.Flags
	if c.Runner.Name == config.DataflowRunner {
		var err error
		if flags, err = c.Runner.DataflowFlags(); err != nil {
			return nil, err
		}
	}
	if err := prepareBeam(flags); err != nil {
		return nil, fmt.Errorf("%w: %w", config.ErrInvalid, err)
	}
	return r, nil
}

// Shipped reports whether workers run a copy of the program in other processes,
// which leave temporary files behind when they are killed.
func (r *Runner) Shipped() bool { return r.worker != nil || r.leader != nil }

// Run runs a job and returns its committed counters by name. An error of the
// handler is returned as it is, and not as the runner reports it.
func (r *Runner) Run(ctx context.Context, j Job) (map[string]int64, error) {
	if len(j.Elements) == 0 {
		return nil, errNoElements
	}
	if j.Shared != nil {
		ctx = context.WithValue(ctx, sharedKey{}, j.Shared)
	}
	if r.leader != nil && j.Shared == nil { // what is shared in this process has no parts: one of them fetches
		return nil, r.leader.run(ctx, r.out, j)
	}
	if r.c.Name == config.GoroutineRunner {
		return nil, runGoroutines(ctx, j)
	}
	h, err := handlerOf(j.Kind)
	if err != nil {
		return nil, err
	}
	Log(ctx).Info("job", "name", r.title(j), "runner", r.c.Name, "at_once", atOnce(j.AtOnce))
	takeFailure(ctx)
	if r.c.Elsewhere() && !r.c.DryRun() {
		findFailure(ctx, r.out, h) // of a job that was killed
	}
	sums, err := r.runBeam(ctx, j)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if ours := takeFailure(ctx); ours != nil {
		return nil, ours
	}
	if err != nil {
		if ours := findFailure(ctx, r.out, h); ours != nil {
			return nil, ours
		}
		return nil, fmt.Errorf("%s on %s: %w", j.Name, r.c.Name, err)
	}
	return sums, nil
}

// title is a job's name on the runner's own page: it bears the library, which is the name
// of the run's folder, and the stage. Dataflow takes lower-case letters, digits and dashes.
func (r *Runner) title(j Job) string {
	library := strings.Trim(notInTitles.ReplaceAllString(strings.ToLower(path.Base(table.Home(filepath.ToSlash(r.out)))), "-"), "-")
	if library == "" {
		return "commonplace-" + j.Name
	}
	return "commonplace-" + library + "-" + j.Name
}

var notInTitles = regexp.MustCompile(`[^a-z0-9]+`)

func (r *Runner) runBeam(ctx context.Context, j Job) (map[string]int64, error) {
	p := j.pipeline(r.out)
	switch r.c.Name {
	case config.EmbeddedRunner:
		return runEmbedded(ctx, p, atOnce(j.AtOnce))
	case config.FlinkRunner:
		if r.worker == nil {
			var err error
			if r.worker, err = ship(ctx, r.out); err != nil {
				return nil, err
			}
		}
		return runFlink(ctx, r.c, r.worker, r.title(j), p)
	}
	result, err := runByFlags(ctx, r.c.Name, r.title(j), r.hints(j), p)
	if err != nil || result == nil {
		return nil, err
	}
	return counters(result.Metrics()), nil
}

// hints are what a job's workers on Dataflow need, as Beam's --resource_hints has them.
func (r *Runner) hints(j Job) []string {
	var hints []string
	if r.c.Name != config.DataflowRunner {
		return nil
	}
	if r.c.Memory != "" {
		hints = append(hints, "min_ram="+r.c.Memory)
	}
	if r.c.Accelerator != "" && j.Models {
		hints = append(hints, "accelerator="+r.c.Accelerator)
	}
	return hints
}

// counters are the job's own counters, summed over its steps.
func counters(all metrics.Results) map[string]int64 {
	sums := map[string]int64{}
	found := all.Query(func(r metrics.SingleResult) bool { return r.Namespace() == namespace })
	for _, c := range found.Counters() {
		sums[c.Name()] += c.Committed
	}
	return sums
}
