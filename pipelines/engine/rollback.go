package engine

import (
	"context"
	"errors"
	"fmt"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/table"
)

// ErrPinned marks a build that was refused because somebody pinned what readers get.
var ErrPinned = errors.New("the run is pinned")

// Rollback gives readers the kept night of that number again, or, with 0, the one
// before theirs, and pins it: the next build would make what was rolled back.
func Rollback(ctx context.Context, run string, number int) (table.Kept, error) {
	ctx, release, err := lockRun(ctx, run)
	if err != nil {
		return table.Kept{}, err
	}
	defer release()
	forgotten, err := ReadForgotten(ctx, run)
	if err != nil {
		return table.Kept{}, err
	}
	if forgotten.Pending { // a version may still have the documents
		return table.Kept{}, config.Refusef("a command to forget documents of %s has not ended; run it again, or build", run)
	}
	kept, err := table.KeptNights(ctx, run)
	if err != nil {
		return table.Kept{}, err
	}
	passed := false // the current one
	for _, k := range kept {
		if number == k.Number || number == 0 && passed {
			if err := table.Pin(ctx, run, k.Number); err != nil {
				return k, err
			}
			return k, table.TurnTo(ctx, run, k)
		}
		passed = passed || k.Current
	}
	if number == 0 {
		return table.Kept{}, config.Refusef("%s keeps no version before the current one; rankings.keep says how many are kept", run)
	}
	return table.Kept{}, config.Refusef("%s keeps no version %d; see commonplace rollback --list", run, number)
}

// Pin keeps what readers get as it is, or ends that.
func Pin(ctx context.Context, run string, pin bool) (number int, err error) {
	ctx, release, err := lockRun(ctx, run)
	if err != nil {
		return 0, err
	}
	defer release()
	if !pin {
		number, _, err = table.Pinned(ctx, run)
		return number, errors.Join(err, table.Unpin(ctx, run))
	}
	kept, err := table.KeptNights(ctx, run)
	if err != nil {
		return 0, err
	}
	for _, k := range kept {
		if k.Current {
			return k.Number, table.Pin(ctx, run, k.Number)
		}
	}
	return 0, config.Refusef("%s has no version yet; build first", run)
}

// lockRun is [Lock] of a run that is there.
func lockRun(ctx context.Context, run string) (context.Context, func(), error) {
	if err := mustBeRun(ctx, run); err != nil {
		return nil, nil, err
	}
	return Lock(ctx, run)
}

// mustBeRun refuses a folder that is no run's.
func mustBeRun(ctx context.Context, folder string) error {
	if marked, err := folderMarked(ctx, folder); err != nil || !marked {
		return errors.Join(err, config.Refusef("there is no run in %s", folder))
	}
	return nil
}

// refusePinned refuses to build into a run that is pinned.
func refusePinned(ctx context.Context, run string) error {
	number, pinned, err := table.Pinned(ctx, run)
	if err != nil || !pinned {
		return err
	}
	if f, err := ReadForgotten(ctx, run); err == nil && f.Pending {
		return fmt.Errorf("%s: %w to version %d, and documents are still to be forgotten; run commonplace forget again", run, ErrPinned, number)
	}
	return fmt.Errorf("%s: %w to version %d, so nothing was changed; to build again, end that with `commonplace pin --release --out %s`", run, ErrPinned, number, commonplace.ShellWord(run))
}
