package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/commonplace/commonplace/pipelines/pipelinetest"
)

// TestParts plays the SLURM array of deploy/slurm with processes: four parts of the demonstration make the
// very bytes that one process makes, and each makes some shards.
func TestParts(t *testing.T) {
	needLibrary(t)
	root, err := filepath.Abs(checkout)
	if err != nil {
		t.Fatal(err)
	}
	config := filepath.Join(root, "configs/demo.yaml")
	in := func(args ...string) (*exec.Cmd, *bytes.Buffer) {
		c := exec.CommandContext(t.Context(), "commonplace", args...)
		c.Env = append(os.Environ(), "COMMONPLACE_ONNXRUNTIME="+needLibrary(t))
		said := &bytes.Buffer{}
		c.Stdout, c.Stderr = said, said
		return c, said
	}
	whole, shared := filepath.Join(t.TempDir(), "whole"), filepath.Join(t.TempDir(), "shared")
	if c, said := in("build", config, "--out", whole); c.Run() != nil {
		t.Fatal(said)
	}
	type process struct {
		*exec.Cmd
		said *bytes.Buffer
	}
	var parts []process
	for _, k := range []int{3, 2, 1, 0} { // the others wait for part 0
		c := exec.CommandContext(t.Context(), "bash", filepath.Join(root, "deploy/slurm/commonplace.sbatch"), config, "--out", shared)
		c.Env = append(os.Environ(), "COMMONPLACE_ONNXRUNTIME="+needLibrary(t), "SLURM_ARRAY_TASK_ID="+strconv.Itoa(k), "SLURM_ARRAY_TASK_COUNT=4", "SLURM_CPUS_PER_TASK=1")
		said := &bytes.Buffer{}
		c.Stdout, c.Stderr = said, said
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		parts = append(parts, process{c, said})
	}
	for k, p := range parts {
		if err := p.Wait(); err != nil {
			t.Errorf("part %d: %v\n%s", 3-k, err, p.said)
		}
		if m := regexp.MustCompile(`made (\d+) shards?\n`).FindSubmatch(p.said.Bytes()); k < 3 && (m == nil || string(m[1]) == "0") {
			t.Errorf("part %d says\n%s", 3-k, p.said)
		}
	}
	if d := pipelinetest.Differing(pipelinetest.Snapshot(t, whole), pipelinetest.Snapshot(t, shared)); len(d) > 0 {
		t.Errorf("other bytes than one process makes in %s", d)
	}
	if _, err := os.Stat(filepath.Join(shared, ".commonplace.tmp")); err == nil {
		t.Error("temporary files are left")
	}
	for _, args := range [][]string{{"--part", "4/4"}, {"--part", "x"}, {"--part", "1/2", "--runner", "direct"}} {
		if c, said := in(append([]string{"build", config, "--out", shared}, args...)...); c.Run() == nil || c.ProcessState.ExitCode() != 2 {
			t.Errorf("%s: status %d\n%s", args, c.ProcessState.ExitCode(), said)
		}
	}
	if c, said := in("build", config, "--out", shared, "--part", "1/4", "--part-wait", "1ms"); c.Run() != nil || !bytes.Contains(said.Bytes(), []byte("nothing to do")) {
		t.Errorf("without a build: %s", said)
	}
}
