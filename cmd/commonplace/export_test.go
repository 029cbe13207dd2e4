package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// An export that is killed at any moment leaves the old one, or the new one, and
// never a part of one; the next goes through as if nothing had been.
func TestCrashExport(t *testing.T) {
	if !slow() {
		t.Skip("takes half a minute: set COMMONPLACE_SLOW=1 to run it")
	}
	config, err := filepath.Abs(filepath.Join(checkout, "configs/demo.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	program := func(args ...string) *exec.Cmd {
		c := exec.Command("commonplace", args...)
		c.Dir = filepath.Dir(config) // ONNX Runtime is found from here
		return c
	}
	dir := t.TempDir()
	run, to := filepath.Join(dir, "run"), filepath.Join(dir, "set")
	if out, err := program("build", config, "--out", run, "--top", "0").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	export := []string{"export", run, "--to", to, "--format", "hf,jsonl,squad,conll"}
	begin := time.Now()
	if out, err := program(export...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	took := time.Since(begin)
	want := sumsHold(t, to)
	for i := range 20 {
		c := program(export...)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(took * time.Duration(i) / 20)
		c.Process.Kill()
		c.Wait()
		if sumsHold(t, to) != want {
			t.Fatalf("after kill %d the folder is another", i)
		}
	}
	if out, err := program(export...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if sumsHold(t, to) != want {
		t.Error("the export after the kills is another")
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 2 {
		t.Errorf("%v, %v", entries, err)
	}
}

// sumsHold checks every file against SHA256SUMS and gives its content.
func sumsHold(t *testing.T, dir string) string {
	t.Helper()
	sums, err := os.ReadFile(filepath.Join(dir, "SHA256SUMS"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(sums)) {
		sum, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		raw, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || fmt.Sprintf("%x", sha256.Sum256(raw)) != sum {
			t.Fatalf("%s is not what its sum says: %v", name, err)
		}
	}
	return string(sums)
}
