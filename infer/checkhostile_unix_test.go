//go:build unix

package infer

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	ort "github.com/yalue/onnxruntime_go"
)

// Two models that add each other, or one that adds itself, are checked once.
func TestModelsThatAddEachOther(t *testing.T) {
	needLibrary(t)
	a := withPlus(t, "quotability", "features", "plus: {model: ../features, weight: 1, sha256: 0}\n")
	path := filepath.Join(a, "../features", ManifestFile)
	manifest, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, other := range []string{"../quotability", "../features"} {
		if err := os.WriteFile(path, fmt.Appendf(manifest, "plus: {model: %s, weight: 1, sha256: 0}\n", other), 0o644); err != nil {
			t.Fatal(err)
		}
		for _, dir := range []string{a, filepath.Dir(path)} {
			if _, wrong, _ := Check(dir, ""); len(wrong) == 0 || !strings.Contains(fmt.Sprint(wrong), "plus: ") {
				t.Errorf("%s: %v", dir, wrong)
			}
		}
	}
}

// A graph that keeps weights in another file than model.yaml says, such as a pipe, is not
// given to ONNX Runtime, which would read it.
func TestOtherFilesAreNotOpened(t *testing.T) {
	load(t, filepath.Join(tinyModels, "quotability")) // the library is not found from another folder
	for _, named := range []bool{false, true} {
		t.Run(fmt.Sprintf("weights named: %v", named), func(t *testing.T) {
			dir := outside(t, "quotability", "weights.bin")
			graph, err := os.ReadFile(filepath.Join(dir, GraphFile))
			if err != nil {
				t.Fatal(err)
			}
			copy(graph[strings.LastIndex(string(graph), "weights.bin"):], "weights.fif") // of the last weight alone
			if !named {
				graph = []byte(strings.ReplaceAll(string(graph), "weights.bin", "weights.fif"))
				editFile(t, filepath.Join(dir, ManifestFile), `(?m)^weights: .*$`, "")
			}
			if err := os.WriteFile(filepath.Join(dir, GraphFile), graph, 0o644); err != nil {
				t.Fatal(err)
			}
			if err := syscall.Mkfifo(filepath.Join(dir, "weights.fif"), 0o600); err != nil {
				t.Skip(err)
			}
			t.Chdir(dir)
			if _, wrong, _ := Check(dir, ""); !strings.Contains(fmt.Sprint(wrong), "weights.fif") || strings.Contains(fmt.Sprint(wrong), "ONNX Runtime") {
				t.Error(wrong)
			}
			if _, err := Template(dir, "quotability", ""); err == nil || !strings.Contains(err.Error(), "weights.fif") || strings.Contains(err.Error(), "ONNX Runtime") {
				t.Error(err)
			}
		})
	}
}

// A graph of any length would be read into memory.
func TestLongGraphs(t *testing.T) {
	dir := copyModel(t)
	if err := os.Truncate(filepath.Join(dir, GraphFile), 1<<43); err != nil { // sparse
		t.Skip(err)
	}
	_, w, note := Check(dir, "")
	t.Log(w, note)
	_, e := Template(dir, "quotability", "")
	t.Log(e)
	if _, wrong, _ := Check(dir, ""); !strings.Contains(fmt.Sprint(wrong), "more than 2147483647") {
		t.Error(wrong)
	}
	if _, err := Template(dir, "quotability", ""); err == nil || !strings.Contains(err.Error(), "more than 2147483647") {
		t.Error(err)
	}
}

// The names in a graph put no line into a model.yaml.
func TestNamesInTemplates(t *testing.T) {
	ports := []ort.InputOutputInfo{{Name: "ids", Dimensions: ort.NewShape(-1, 3)}, {Name: "a\nplus: {model: ../b}\x1b\u2028", Dimensions: ort.NewShape(1)}}
	if text := shapesOf(ports); !strings.HasPrefix(text, "ids [n 3], ") || strings.ContainsAny(text, "\n\x1b\u2028") {
		t.Errorf("%q", text)
	}
}

// ONNX Runtime prints nothing by itself: its messages may repeat what a graph says.
func TestTheLibraryPrintsNothing(t *testing.T) {
	needLibrary(t)
	if os.Getenv("REFUSE_A_GRAPH") != "" {
		load(t, filepath.Join(tinyModels, "quotability"))
		dir := outside(t, "quotability", "weights.bin")
		graph, err := os.ReadFile(filepath.Join(dir, GraphFile))
		if err != nil {
			t.Fatal(err)
		}
		t.Chdir(dir) // an exception while it is opened: the weights are there, and no folder is named
		if _, _, err := portsOf("", graph, ""); err == nil {
			t.Error("it is opened")
		}
		return
	}
	child := exec.Command(os.Args[0], "-test.run=^TestTheLibraryPrintsNothing$")
	child.Env = append(os.Environ(), "REFUSE_A_GRAPH=1")
	var out, printed strings.Builder
	child.Stdout, child.Stderr = &out, &printed
	if err := child.Run(); err != nil || printed.Len() > 0 {
		t.Errorf("%q (%v: %s)", printed.String(), err, out.String())
	}
}
