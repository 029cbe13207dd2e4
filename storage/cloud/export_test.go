package cloud

import (
	"testing"
	"time"
)

// OpenBuckets is for tests.
var OpenBuckets = openBuckets

// SetPatience lets a test wait for a shorter time.
func SetPatience(t *testing.T, d time.Duration) {
	before := patience
	patience = d
	t.Cleanup(func() { patience = before })
}
