package infer

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// ONNX Runtime sends nothing to its makers, and keeps nothing to be sent: a process that
// loads and asks a model leaves no file in the user's folders or in the temporary one.
func TestTheLibraryReportsNothing(t *testing.T) {
	needLibrary(t)
	if os.Getenv("ASK_A_MODEL") != "" {
		load(t, tinyModels+"/rank")
		return
	}
	folder := t.TempDir()
	child := exec.Command(os.Args[0], "-test.run=^TestTheLibraryReportsNothing$", "-test.v")
	child.Env = []string{"ASK_A_MODEL=1", "HOME=" + folder, "TMPDIR=" + folder} // of a person: the library sends nothing where CI is set
	for _, name := range []string{"PATH", "LD_LIBRARY_PATH", LibraryVariable} {
		if value, ok := os.LookupEnv(name); ok {
			child.Env = append(child.Env, name+"="+value)
		}
	}
	if out, err := child.CombinedOutput(); err != nil || !strings.Contains(string(out), "--- PASS") {
		t.Fatalf("%v: %s", err, out)
	}
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if path != folder {
			t.Errorf("%s was made", strings.TrimPrefix(path, folder))
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
