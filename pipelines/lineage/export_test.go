package lineage

import (
	"testing"
	"time"
)

// Hurry makes the times of addresses short until the test ends.
func Hurry(t *testing.T, pause, wait time.Duration) {
	first, all := firstPause, patience
	t.Cleanup(func() { firstPause, patience = first, all })
	firstPause, patience = pause, wait
}

// Place is the name of a place.
func Place(at string) string {
	d := place(at)
	return d.Namespace + " " + d.Name
}
