package storage

import (
	"os"

	"github.com/gofrs/flock"
)

// NewLock is the lock of a file, which taking it makes. What [RefuseOther] refuses, it
// refuses. A link or a pipe that takes the file's place after that is not followed, and
// not waited for.
func NewLock(path string) (*flock.Flock, error) {
	if err := RefuseOther(path); err != nil {
		return nil, err
	}
	return flock.New(path, flock.SetFlag(os.O_RDONLY|os.O_CREATE|itself)), nil
}
