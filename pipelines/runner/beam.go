package runner

import (
	"context"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"

	"github.com/commonplace/commonplace/pipelines/runner/account"
)

func init() { account.Return() }

// Beam has one set of flags and one registry of functions a process, which is
// initialised once. A build that brings other flags than the first is refused: they
// would not be looked at.

var initialised struct {
	sync.Mutex
	done  bool
	flags []string
}

// prepareBeam parses Beam's own flags and initialises the SDK, once a process.
func prepareBeam(flags []string) error {
	initialised.Lock()
	defer initialised.Unlock()
	if initialised.done {
		if !slices.Equal(flags, initialised.flags) && slices.ContainsFunc(flags, isOther) {
			return fmt.Errorf("flags for Beam: %q: this process has initialised Beam with %q, and it takes flags once", flags, initialised.flags)
		}
		return nil
	}
	flag.CommandLine.Init("beam", flag.ContinueOnError)
	flag.CommandLine.SetOutput(io.Discard)
	if err := flag.CommandLine.Parse(flags); err != nil {
		return fmt.Errorf("flags for Beam: %w", err)
	}
	if flag.CommandLine.NArg() > 0 {
		return fmt.Errorf("Beam flags: unexpected argument %q; start each flag with --", flag.CommandLine.Arg(0))
	}
	beam.Init()
	initialised.done, initialised.flags = true, slices.Clone(flags)
	return nil
}

// isOther says that Beam's flags do not have the value that one gives them.
func isOther(given string) bool {
	name, value, valued := strings.Cut(strings.TrimLeft(given, "-"), "=")
	if !valued {
		value = "true"
	}
	f := flag.Lookup(name)
	return f == nil || f.Value.String() != value
}

// turn is taken by the one job of a process that runs through [beam.Run], which reads
// the job's name and options from the process's flags.
var turn = make(chan struct{}, 1)

// runByFlags runs a job on one of Beam's own runners. Of two hints of one kind the last
// counts: that of the user's own flags.
func runByFlags(ctx context.Context, runner, title string, hints []string, p *beam.Pipeline) (beam.PipelineResult, error) {
	select {
	case turn <- struct{}{}:
		defer func() { <-turn }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	*jobopts.JobName = title
	given := jobopts.ResourceHints
	jobopts.ResourceHints = append(hints, given...)
	defer func() { jobopts.ResourceHints = given }()
	return beam.Run(ctx, runner, p)
}
