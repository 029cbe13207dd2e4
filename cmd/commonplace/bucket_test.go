package main

import (
	"bytes"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace/pipelines/engine"
	stores "github.com/commonplace/commonplace/storage/cloud/loopback"
)

// TestBuckets runs the demonstration with everything that it reads and writes in
// a bucket, on servers that speak the protocols of Google's and Amazon's stores:
// the tables have to be, byte for byte, those of a run on this machine. Then the
// store fails at several moments, and the run is resumed.
//
// It takes a minute, so it runs where COMMONPLACE_SLOW is set: .ci/run does.
func TestBuckets(t *testing.T) {
	if !slow() {
		t.Skip("takes a minute: set COMMONPLACE_SLOW=1 to run it")
	}
	root, err := filepath.Abs(checkout)
	if err != nil {
		t.Fatal(err)
	}
	local := filepath.Join(t.TempDir(), "local")
	run(t, nil, root, 0, "build", "configs/demo.yaml", "--out", local, "--top", "0")
	want := filesOf(t, local)
	if len(want) < 100 {
		t.Fatalf("the local run has %d files", len(want))
	}
	for _, scheme := range []string{"gs", "s3"} {
		t.Run(scheme, func(t *testing.T) { inABucket(t, scheme, root, want) })
	}
}

func inABucket(t *testing.T, scheme, root string, want map[string][]byte) {
	s := stores.Start(t, scheme)
	env := append(s.Env(), "TMPDIR="+t.TempDir(), "XDG_CACHE_HOME="+t.TempDir(), "AWS_MAX_ATTEMPTS=2", "NO_GCE_CHECK=true")
	putFolder(t, s, "in", filepath.Join(root, "testdata/demo"))
	putFolder(t, s, "model", filepath.Join(root, "models/quotability-features"))
	demo, err := os.ReadFile(filepath.Join(root, "configs/demo.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	config := strings.NewReplacer(
		"out: ../out/demo", "out: run", // below the config's own folder, which is in the bucket
		"[../testdata/demo/books]", "["+s.Path("in/books/")+"]",
		"[../testdata/demo/essays]", "["+s.Path("in/essays/*.txt")+"]",
		"../testdata/demo/quotes.jsonl", "in/quotes.jsonl",
		"../models/quotability-features", s.Path("model"),
	).Replace(string(demo))
	if err := s.Put("demo.yaml", []byte(config)); err != nil {
		t.Fatal(err)
	}
	path, out := s.Path("demo.yaml"), s.Path("run")

	before := len(s.Wrote())
	output := run(t, env, root, 0, "build", path, "--top", "3")
	if !strings.Contains(output, "the 3 most quotable passages") || !strings.Contains(output, out) {
		t.Errorf("build says:\n%s", output)
	}
	writes := len(s.Wrote()) - before
	sameAs(t, s, want)
	t.Logf("%d requests that write", writes)

	before = len(s.Wrote())
	output = run(t, env, root, 0, "build", path, "--top", "0")
	again := s.Wrote()[before:]
	for _, w := range again {
		if !strings.HasSuffix(w, "/run/run.json") && !strings.HasSuffix(w, "/run/.building.json") {
			t.Errorf("the second build, which has nothing to do, writes more than its record and its lease: %s", w)
		}
	}
	if len(again) < 4 { // both, when a build begins and when it ends; on a busy machine more often
		t.Errorf("the second build writes %s, and says:\n%s", again, output)
	}
	if output := run(t, env, root, 0, "status", path); !strings.Contains(output, "rankings") || strings.Contains(output, "not there") {
		t.Errorf("status says:\n%s", output)
	}
	run(t, env, root, 0, "verify", "--out", out)
	if output := run(t, env, root, 0, "inspect", "rankings", "--out", out, "--limit", "1"); !strings.Contains(output, "passage_id") {
		t.Errorf("inspect says:\n%s", output)
	}
	run(t, env, root, 0, "explain", path, "--doc", "weathers", "--quote", "demo-30")
	exported := filepath.Join(t.TempDir(), "dataset")
	run(t, env, root, 0, "export", out, "--to", exported)
	if names := filesOf(t, exported); !slices.ContainsFunc(slices.Collect(maps.Keys(names)), func(n string) bool { return strings.HasSuffix(n, ".parquet") }) {
		t.Error("the export has no shard")
	}
	run(t, env, root, 2, "export", out, "--to", s.Path("dataset"))
	run(t, env, root, 0, "report", "--out", out, "--to", filepath.Join(t.TempDir(), "run.html"))

	// A changed shard is found, and made again.
	objects, err := s.Objects()
	if err != nil {
		t.Fatal(err)
	}
	damaged := "run/" + string(objects["run/.current"]) + "/passages/part-00003-of-00016.parquet"
	b := bytes.Clone(objects[damaged])
	b[len(b)/2] ^= 1
	if err := s.Put(damaged, b); err != nil {
		t.Fatal(err)
	}
	run(t, env, root, 6, "verify", "--out", out)
	run(t, env, root, 0, "build", path, "--check", "--top", "0")
	sameAs(t, s, want)

	// What is forgotten is in no object.
	if output := run(t, env, root, 0, "forget", path, "--out", s.Path("run"), "weathers"); !strings.Contains(output, "nothing is left in the folder") || !regexp.MustCompile(`searched: \d{3,} files`).MatchString(output) {
		t.Errorf("forget says:\n%s", output)
	}
	run(t, env, root, 0, "verify", "--out", out)
	if objects, err = s.Objects(); err != nil {
		t.Fatal(err)
	}
	book, err := os.ReadFile(filepath.Join(root, "testdata/demo/books/weathers.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for name, b := range below(objects, "run/") {
		if strings.HasPrefix(name, ".nights/") && !strings.HasPrefix(name, string(objects["run/.current"])+"/") {
			t.Errorf("%s is of a version that was to be removed", name)
		}
		for at := 0; at+60 < len(book); at += 500 {
			if bytes.Contains(b, book[at:at+60]) {
				t.Errorf("%s has %q", name, book[at:at+60])
			}
		}
	}

	// The store refuses to be written to from some moment on.
	for _, share := range []int{20, 3, 2} {
		other := s.Path("killed")
		s.Refuse(writes / share)
		run(t, env, root, 3, "build", path, "--out", other, "--top", "0")
		s.Refuse(0)
		run(t, env, root, 0, "build", path, "--out", other, "--top", "0")
		objects, err := s.Objects()
		if err != nil {
			t.Fatal(err)
		}
		compare(t, below(objects, "killed/"), want)
		for name := range below(objects, "killed/") {
			if err := s.Delete("killed/" + name); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// run runs the program and checks its exit status against what it should be.
func run(t *testing.T, env []string, dir string, status int, args ...string) string {
	t.Helper()
	c := exec.Command("commonplace", args...)
	c.Dir, c.Env = dir, append(os.Environ(), env...)
	output, err := c.CombinedOutput()
	if err != nil && c.ProcessState == nil || c.ProcessState.ExitCode() != status {
		t.Fatalf("%q: %v, want status %d:\n%s", args, err, status, output)
	}
	return string(output)
}

// filesOf are the files of a run, by their paths, links by what they hold in a bucket.
func filesOf(t *testing.T, dir string) map[string][]byte {
	found := map[string][]byte{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		if d.Type()&os.ModeSymlink != 0 {
			name, err := os.Readlink(path)
			found[filepath.ToSlash(rel)] = []byte(name)
			return err
		}
		b, err := os.ReadFile(path)
		found[filepath.ToSlash(rel)] = b
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	delete(found, ".lock")    // a bucket cannot hold one
	for name := range found { // nor links from the run's folder into the current night
		if _, err := os.Readlink(filepath.Join(dir, name)); err == nil && !strings.Contains(name, "/") && name != ".current" {
			delete(found, name)
		}
	}
	return found
}

func putFolder(t *testing.T, s *stores.Server, name, dir string) {
	for rel, b := range filesOf(t, dir) {
		if err := s.Put(name+"/"+rel, b); err != nil {
			t.Fatal(err)
		}
	}
}

func below(objects map[string][]byte, prefix string) map[string][]byte {
	found := map[string][]byte{}
	for name, b := range objects {
		if rest, ok := strings.CutPrefix(name, prefix); ok {
			found[rest] = b
		}
	}
	return found
}

func sameAs(t *testing.T, s *stores.Server, want map[string][]byte) {
	t.Helper()
	objects, err := s.Objects()
	if err != nil {
		t.Fatal(err)
	}
	compare(t, below(objects, "run/"), want)
}

// forReaders are the files of a run that readers get, by their paths in its night.
func forReaders(run map[string][]byte) map[string][]byte {
	found := map[string][]byte{}
	for name, b := range run {
		rest, current := strings.CutPrefix(name, string(run[".current"])+"/")
		if name != ".current" && rest != ".night.json" && !strings.HasPrefix(name, "outputs/") && (current || !strings.HasPrefix(name, ".nights/")) {
			found[rest] = b
		}
	}
	return found
}

func compare(t *testing.T, got, want map[string][]byte) {
	t.Helper()
	got, want = forReaders(got), forReaders(want)
	names := maps.Clone(got)
	maps.Copy(names, want)
	delete(names, engine.RunFile) // it has times
	for _, name := range slices.Sorted(maps.Keys(names)) {
		g, there := got[name]
		w, wanted := want[name]
		if !there || !wanted || !bytes.Equal(g, w) {
			t.Errorf("%s: in the bucket %v (%d bytes), on this machine %v (%d bytes)", name, there, len(g), wanted, len(w))
		}
	}
}
