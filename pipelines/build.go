package pipelines

import (
	"context"

	"github.com/commonplace/commonplace/pipelines/engine"
)

// Build runs stages in order and skips those whose tables are fresh. It can be
// stopped at any moment and called again.
func Build(ctx context.Context, r engine.Request) error { return engine.Build(ctx, r) }

// Plan says what [Build] would do, in words, one line a stage, and what that takes.
func Plan(ctx context.Context, r engine.Request) ([]string, error) {
	var running []string
	r.WouldRun = func(stage string) { running = append(running, stage) }
	lines, err := engine.Plan(ctx, r)
	if err != nil || len(running) == 0 {
		return lines, err
	}
	cost, err := EstimateOf(ctx, r.Config, running)
	if err != nil {
		return nil, err
	}
	return append(lines, cost), nil
}

// Stages lists the commands that run stages, in the order of their first stages.
func Stages() []engine.StageInfo { return engine.Stages() }

// Tables lists the tables in the order of their stages.
func Tables() []engine.TableInfo { return engine.Tables() }
