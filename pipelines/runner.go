package pipelines

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"sync"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/metrics"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"

	// The runners of Beam that --runner offers, one by one: its beamx brings all of
	// them with every file system and makes the program four times as large.
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/core/runtime/exec/optimized"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/dataflow"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/direct"

	"github.com/commonplace/commonplace/pipelines/config"
)

var initBeam sync.Once

// prepareBeam parses Beam's own flags and initialises the SDK, once a process.
// Its log goes to log: nil silences it.
func prepareBeam(flags []string, log *slog.Logger) (err error) {
	initBeam.Do(func() {
		flag.CommandLine.Init("beam", flag.ContinueOnError)
		flag.CommandLine.SetOutput(io.Discard)
		if err = flag.CommandLine.Parse(flags); err != nil {
			err = fmt.Errorf("flags for Beam: %w", err)
			return
		}
		if flag.CommandLine.NArg() > 0 {
			err = fmt.Errorf("flags for Beam: %q is none", flag.CommandLine.Arg(0))
			return
		}
		beam.Init()
	})
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	slog.SetDefault(log) // Beam logs through the default
	return err
}

// runJob runs one stage's job and returns its committed counters by name. worker
// is the program on other machines, for the runners that need one; atOnce is how
// many of its elements are worked on at once where that is not a cluster's affair.
func runJob(ctx context.Context, c *config.Config, worker *shipped, stage string, p *beam.Pipeline, atOnce int) (map[string]int64, error) {
	name := "commonplace-" + stage
	slog.Info("job", "name", name, "runner", c.Runner.Name, "at_once", atOnce)
	takeFailure()
	var sums map[string]int64
	var err error
	if c.Runner.Name == config.FlinkRunner || c.Runner.Name == config.DataflowRunner {
		findFailure(c.Out) // of a job that was killed
	}
	switch c.Runner.Name {
	case config.EmbeddedRunner:
		sums, err = runEmbedded(ctx, p, atOnce)
	case config.FlinkRunner:
		sums, err = runFlink(ctx, c.Runner, worker, name, p)
	default:
		*jobopts.JobName = name
		var result beam.PipelineResult
		if result, err = beam.Run(ctx, c.Runner.Name, p); err == nil && result != nil {
			sums = counters(result.Metrics())
		}
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if ours := takeFailure(); ours != nil {
		return nil, ours
	}
	if err != nil {
		if ours := findFailure(c.Out); ours != nil {
			return nil, ours
		}
		return nil, fmt.Errorf("%s on %s: %w", stage, c.Runner.Name, err)
	}
	return sums, nil
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
