package main

import (
	"os"
	"os/exec"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// A user whom /etc/passwd does not have, and of whom the environment says nothing, can
// start the program. So containers start it.
func TestStartsWithoutAnAccount(t *testing.T) {
	built, _ := debug.ReadBuildInfo()
	if !slices.ContainsFunc(built.Settings, func(s debug.BuildSetting) bool {
		return s.Key == "-tags" && strings.Contains(s.Value, "osusergo")
	}) {
		t.Skip("built without the Makefile's tags")
	}
	if os.Getuid() != 0 {
		t.Skip("only root can be another user")
	}
	c := exec.Command("/proc/self/exe", "--version")
	c.Args[0], c.Env, c.Dir = "commonplace", []string{}, "/"
	c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 54321, Gid: 54321}}
	if output, err := c.CombinedOutput(); err != nil || !strings.HasPrefix(string(output), "commonplace") {
		t.Errorf("%v: %s", err, output)
	}
}
