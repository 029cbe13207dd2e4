package engine

import (
	"context"
	"fmt"

	"github.com/commonplace/commonplace/storage"
)

// Unchanged refuses a file of which the SHA-256 is no longer the one that a task's
// fingerprint is of. A reader opens it by name, so it is looked at before and
// after. path is for the error, and name is where the file is on this machine.
func Unchanged(ctx context.Context, path, name, sum string) error {
	now, err := storage.SumOf(ctx, name)
	if ended := ctx.Err(); ended != nil {
		return ended
	}
	if err != nil || now != sum {
		return Changed(path)
	}
	return nil
}

// Changed refuses a file that is not what it was when it was listed.
func Changed(path string) error {
	return fmt.Errorf("%s: it has changed since it was listed; run again", path)
}
