package pipelines

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"sync"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/metrics"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"

	// The runners that --runner offers, one by one: Beam's beamx brings all of
	// them with every file system and makes the program four times as large.
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/core/runtime/exec/optimized"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/dataflow"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/direct"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/flink"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/universal"
)

// ServeWorker runs the program as a Beam worker and does not return, if a runner
// started it as one (its first argument is then --worker). Call it first in main.
func ServeWorker() {
	if len(os.Args) > 1 && strings.HasPrefix(strings.TrimLeft(os.Args[1], "-"), "worker") {
		flag.Parse()
		beam.Init()
	}
}

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
		beam.Init()
	})
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	slog.SetDefault(log) // Beam and Prism log through the default
	return err
}

// runJob runs one stage's job and returns its committed counters by name.
func runJob(ctx context.Context, runner, name string, p *beam.Pipeline) (map[string]int64, error) {
	*jobopts.JobName = "commonplace-" + name
	takeFailure()
	result, err := beam.Run(ctx, runner, p)
	if ctx.Err() != nil {
		return nil, fmt.Errorf("%s: stopped: %w; what is finished is kept, run again to resume", name, ctx.Err())
	}
	if ours := takeFailure(); ours != nil {
		return nil, ours
	}
	if err != nil {
		return nil, fmt.Errorf("%s on %s: %w", name, runner, err)
	}
	return counters(result), nil
}

// counters are the job's own counters, summed over its steps.
func counters(result beam.PipelineResult) map[string]int64 {
	sums := map[string]int64{}
	if result == nil {
		return sums
	}
	found := result.Metrics().Query(func(r metrics.SingleResult) bool { return r.Namespace() == namespace })
	for _, c := range found.Counters() {
		sums[c.Name()] += c.Committed
	}
	return sums
}
