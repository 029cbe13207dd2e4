package storage

import (
	"os"
	"testing"
)

// WithoutLinks plays a disk that answers so to links, until the test ends.
func WithoutLinks(t *testing.T, answer error) {
	symlink = func(target, path string) error {
		return &os.LinkError{Op: "symlink", Old: target, New: path, Err: answer}
	}
	t.Cleanup(func() { symlink = os.Symlink })
}
