package engine

import (
	"context"
	"errors"
)

// ErrRejects marks a stage that refused more than max_reject_fraction of its input.
var ErrRejects = errors.New("too many rejects")

// ErrLocked marks a folder in which another run works.
var ErrLocked = errors.New("another run works in this folder")

// Stopped is the end of a stage that was interrupted.
type Stopped struct {
	stage string
	cause error
}

func (s *Stopped) Error() string {
	return s.stage + ": stopped; what is finished is kept, run again to resume"
}

func (s *Stopped) Unwrap() error { return s.cause }

// ended is why a stage ended: where it was interrupted that, whatever the error
// says, since lists that are cut off and tasks that fail say something else.
func ended(ctx context.Context, s *registered, err error) error {
	if cause := ctx.Err(); cause != nil {
		return &Stopped{s.Name, cause}
	}
	return err
}
