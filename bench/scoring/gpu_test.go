package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The script with a program and a GPU that only pretend: the soak's memory of the
// GPU is sampled, and what the program ends with is what the script ends with.
func TestTheSoakSamplesTheMemoryOfTheGPU(t *testing.T) {
	for _, name := range []string{"sh", "awk", "mktemp"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skip(err)
		}
	}
	folder := t.TempDir()
	script := func(path, body string) {
		if err := os.WriteFile(filepath.Join(folder, path), []byte("#!/bin/sh\n"+body), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	script("nvidia-smi", `case "$*" in *memory.used*) echo 900; echo 1100; echo 1000; exec sleep 60;; *) echo "a GPU";; esac`)
	if err := os.Mkdir(filepath.Join(folder, "minilm"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, ends := range []string{"0", "1"} {
		// The soak lasts until there are samples, and not for ever.
		script("scoring", `case "$*" in *-minutes*) sleep 1; echo soaked; exit `+ends+`;; *) echo measured;; esac`)
		run := exec.Command("sh", "../gpu.sh", folder)
		run.Env = append(os.Environ(), "PATH="+folder+":"+os.Getenv("PATH"), "PYTHON=none")
		out, err := run.CombinedOutput()
		if (err != nil) != (ends == "1") {
			t.Errorf("ends with %v where the program ends with %s", err, ends)
		}
		for _, want := range []string{"a GPU\n", "measured\nsoaked\n", "every 5 s: 900 1100 1000\n", "GPU memory: 3 samples, 900 to 1100 MiB\n"} {
			if !strings.Contains(string(out), want) {
				t.Errorf("%q is not in\n%s", want, out)
			}
		}
	}
}

// A part that takes too long is ended, the others run, and MiniLM reads many texts at the end.
func TestAPartIsEndedAndTheOthersRun(t *testing.T) {
	for _, name := range []string{"sh", "mktemp", "timeout"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skip(err)
		}
	}
	folder := t.TempDir()
	for _, model := range []string{"minilm", "roberta-base"} {
		if err := os.Mkdir(filepath.Join(folder, model), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	program := "#!/bin/sh\ncase \"$*\" in *\" 500\") echo soaked;; *minilm*) exec sleep 60;; *) echo measured;; esac\n"
	if err := os.WriteFile(filepath.Join(folder, "scoring"), []byte(program), 0o755); err != nil {
		t.Fatal(err)
	}
	run := exec.Command("sh", "../gpu.sh", folder, "cpu")
	run.Env = append(os.Environ(), "PYTHON=none", "LIMIT=1", "SOAK=500")
	out, err := run.CombinedOutput()
	if want := "measured\nmeasured\n"; err == nil || !strings.Contains(string(out), want) || !strings.HasSuffix(string(out), "== minilm, 500 texts\nsoaked\n") {
		t.Errorf("ends with %v and says\n%s", err, out)
	}
}
