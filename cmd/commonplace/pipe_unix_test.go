//go:build unix

package main

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A pipe in the place of a page is refused and not waited for.
func TestNoPageToAPipe(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "page.html")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	if err := replaceable(pipe); err == nil || !strings.Contains(err.Error(), "is no page") {
		t.Error(err)
	}
}
