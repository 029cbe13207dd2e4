//go:build !unix

package engine

import "time"

// usage is not known here.
func usage() (cpu time.Duration, peak int64) { return 0, 0 }
