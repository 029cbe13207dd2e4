package main

import (
	"context"
	"errors"
	"strings"

	"github.com/commonplace/commonplace/export"
	"github.com/commonplace/commonplace/lake"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/standalone"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// exitStatuses are printed in every command's help.
const exitStatuses = `Exit status:
  0    done
  1    failed
  2    the command line or the config is wrong; nothing was done
  3    the disk is full, read-only or failing; repair it and run again
  4    more input was rejected than max_reject_fraction or --max-rejects allows
  5    another run uses the same folder
  6    damage: verify found it, or settings.json is damaged; the message says what to do
  7    the run is incomplete: export, publish, report, serve and diff refuse it; or the last build failed: status says why
  8    too much of the library is missing, so nothing was changed; see --accept-loss
  9    an input that an earlier build read is gone, such as an unmounted disk; restore it
  10   a kept file has a format of another release; the message says what to do
  11   the run is pinned, so nothing was changed; see commonplace pin
  130  interrupted; run again to resume`

// errUsage marks mistakes of the command line.
var errUsage = errors.New("usage")

// errDamage says that verify found problems; they were printed.
var errDamage = errors.New("damage found")

// message is what the user reads of an error. What was going on when the user
// interrupted it is in no error's words: they say that a context was cancelled.
func message(err error) string {
	if stopped := (*engine.Stopped)(nil); errors.As(err, &stopped) {
		return stopped.Error()
	}
	if errors.Is(err, context.Canceled) {
		return "interrupted"
	}
	return strings.ReplaceAll(err.Error(), "\n", "\n  ")
}

func exitStatus(err error) int {
	switch {
	case err == nil:
		return 0
	case errors.Is(err, context.Canceled):
		return 130
	case errors.Is(err, engine.ErrVanished):
		return 9
	case errors.Is(err, storage.ErrFormat):
		return 10
	case errors.Is(err, errUsage), errors.Is(err, config.ErrInvalid):
		return 2
	case errors.Is(err, storage.ErrRefused):
		return 3
	case errors.Is(err, engine.ErrRejects), errors.Is(err, standalone.ErrNoneRead):
		return 4
	case errors.Is(err, engine.ErrLocked), errors.Is(err, export.ErrBusy), errors.Is(err, lake.ErrBusy):
		return 5
	case errors.Is(err, errDamage), errors.Is(err, engine.ErrSettingsDamaged):
		return 6
	case errors.Is(err, table.ErrNotWhole):
		return 7
	case errors.Is(err, engine.ErrLoss):
		return 8
	case errors.Is(err, engine.ErrPinned):
		return 11
	}
	return 1
}
