package pipelines

import (
	"context"

	"github.com/commonplace/commonplace/pipelines/engine"
)

// Build runs stages in order and skips those whose tables are fresh. It can be
// stopped at any moment and called again.
func Build(ctx context.Context, r engine.Request) error { return engine.Build(ctx, r) }

// Plan says what [Build] would do, in words, one line a stage.
func Plan(ctx context.Context, r engine.Request) ([]string, error) { return engine.Plan(ctx, r) }

// Stages lists the commands that run stages, in the order of their first stages.
func Stages() []engine.StageInfo { return engine.Stages() }

// Tables lists the tables in the order of their stages.
func Tables() []engine.TableInfo { return engine.Tables() }
