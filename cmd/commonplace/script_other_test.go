//go:build !linux

package main

import "github.com/rogpeppe/go-internal/testscript"

func canMount() bool { return false }

func tmpfs(ts *testscript.TestScript, neg bool, args []string) {
	ts.Fatalf("small file systems are mounted on Linux only")
}
