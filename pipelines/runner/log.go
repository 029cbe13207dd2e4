package runner

import (
	"context"
	"log/slog"

	beamlog "github.com/apache/beam/sdks/v2/go/pkg/beam/log"
)

type logKey struct{}

// WithLog hands a build's log down; nil silences it.
func WithLog(ctx context.Context, log *slog.Logger) context.Context {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return context.WithValue(ctx, logKey{}, log)
}

// Log is the log of the build that a context belongs to; of none, the program's.
func Log(ctx context.Context) *slog.Logger {
	if log, ok := ctx.Value(logKey{}).(*slog.Logger); ok {
		return log
	}
	return slog.Default()
}

// Beam has one logger a process. Ours writes to the log of the build whose context it
// is given. A worker elsewhere replaces it by one that sends lines to the runner.
func init() { beamlog.SetLogger(buildLogger{}) }

type buildLogger struct{}

func (buildLogger) Log(ctx context.Context, severity beamlog.Severity, _ int, message string) {
	level := slog.LevelInfo
	switch severity {
	case beamlog.SevDebug:
		level = slog.LevelDebug
	case beamlog.SevWarn:
		level = slog.LevelWarn
	case beamlog.SevError, beamlog.SevFatal:
		level = slog.LevelError
	}
	Log(ctx).Log(ctx, level, message)
}
