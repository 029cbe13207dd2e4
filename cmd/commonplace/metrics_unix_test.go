//go:build unix

package main

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// node_exporter reads the metrics of a build whose umask keeps its tables private.
func TestMetricsAreForEverybody(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0o077))
	path := filepath.Join(t.TempDir(), "commonplace.prom")
	for range 2 { // made, then replaced
		if err := writeMetrics(t.Context(), path, everything()); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o644 {
			t.Errorf("%v, %v", info.Mode(), err)
		}
	}
}
