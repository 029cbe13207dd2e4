package engine

import (
	"context"
	"log/slog"
	"time"

	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/runner"
)

// ErrNoBuild says that a part found no build to work for.
var ErrNoBuild = runner.ErrNoBuild

// Part works on a part, not 0, of the build of a run, until that build ends. It plans
// nothing and commits nothing; made is how many shards it made. See [runner.Part].
func Part(ctx context.Context, c *config.Config, log *slog.Logger, number, of int, wait time.Duration) (made int, err error) {
	return runner.Part(runner.WithLog(ctx, log), c.Out, number, of, c.Runner.Parallelism, wait)
}
