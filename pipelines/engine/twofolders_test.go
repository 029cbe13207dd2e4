package engine_test

import (
	"errors"
	"testing"

	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/storage/storagetest"
)

// The lock of a bucket lies in a folder of one user and one TMPDIR, so where these
// differ a free lock says nothing of the build that holds the lease.
func TestTwoTemporaryFolders(t *testing.T) {
	storagetest.NewBucket(t, "mem")
	t.Setenv("TMPDIR", t.TempDir())
	first, release, err := engine.Lock(t.Context(), "mem://bucket/run")
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	t.Setenv("TMPDIR", t.TempDir())
	_, again, err := engine.Lock(t.Context(), "mem://bucket/run")
	if err == nil {
		again()
	}
	if !errors.Is(err, engine.ErrLocked) || first.Err() != nil {
		t.Errorf("a second build with another TMPDIR: %v; the first: %v", err, first.Err())
	}
}
