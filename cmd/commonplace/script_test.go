package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/gofrs/flock"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/commonplace/commonplace/table"
)

// The scripts in testdata/script are the user's view of the program: each is a
// folder of small files, commands, and what has to come out. The test binary is
// the program: it runs main when it is called by the program's name.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"commonplace": func() { dieAtALink(); main() }})
}

// checkout is the root of the checkout, seen from this package.
const checkout = "../.."

func TestScripts(t *testing.T) {
	library := needLibrary(t)
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup:               func(env *testscript.Env) error { return setup(env, library) },
		Condition:           condition,
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits":   exits,
			"bytes":   makeBytes,
			"replace": replace,
			"damage":  damage,
			"lock":    lock,
			"tmpfs":   tmpfs,
			"tidy":    tidy,
			"spans":   spans,
			"same":    same,
		},
	})
}

// needLibrary is the folder of ONNX Runtime, without which the test is skipped. make test
// brings it.
func needLibrary(t *testing.T) string {
	t.Helper()
	library, err := filepath.Abs(filepath.Join(checkout, "lib/onnxruntime"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(library); err != nil {
		t.Skip("ONNX Runtime is not there: run `make onnxruntime`")
	}
	return library
}

// setup puts the default model into every script's folder and names the library,
// the small sources (SOURCES) and the checkout (ROOT).
func setup(env *testscript.Env, library string) error {
	env.Setenv("COMMONPLACE_ONNXRUNTIME", library)
	sources, err := filepath.Abs(filepath.Join(checkout, "testdata/sources"))
	if err != nil {
		return err
	}
	env.Setenv("SOURCES", sources)
	root, err := filepath.Abs(checkout)
	if err != nil {
		return err
	}
	env.Setenv("ROOT", root)
	return os.CopyFS(filepath.Join(env.WorkDir, "model"), os.DirFS(filepath.Join(checkout, "models/quotability-features")))
}

// slow reports whether the tests run that take half a minute: .ci/run asks for them.
func slow() bool { return os.Getenv("COMMONPLACE_SLOW") != "" }

// condition [tmpfs] holds where a small file system can be mounted, [slow] where
// the slow tests were asked for.
func condition(name string) (bool, error) {
	switch name {
	case "tmpfs":
		return canMount(), nil
	case "slow":
		return slow(), nil
	}
	return false, fmt.Errorf("no condition %q", name)
}

// exits runs a program and checks its exit status against the first argument:
//
//	exits 2 commonplace build run.yaml
//
// Nobody may ever see a panic or a goroutine's stack.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits STATUS program [args...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		got = exit.ExitCode()
	case err != nil:
		ts.Fatalf("%v", err)
	}
	stderr := ts.ReadFile("stderr")
	if strings.Contains(stderr, "goroutine ") || strings.Contains(stderr, "panic:") {
		ts.Fatalf("the program fell over:\n%s", stderr)
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
	if got != 0 && got != 6 && strings.Count(stderr, "commonplace: ") != 1 {
		ts.Fatalf("want one sentence that begins with the program's name, got:\n%s", stderr)
	}
}

// makeBytes writes a file of bytes that no text archive can hold:
//
//	bytes [-gz] [-n TIMES] FILE PIECE...
//
// Pieces have Go's escapes. -n repeats the last one.
func makeBytes(ts *testscript.TestScript, neg bool, args []string) {
	zip, times := false, 1
	for len(args) > 0 && strings.HasPrefix(args[0], "-") {
		switch args[0] {
		case "-gz":
			zip = true
		case "-n":
			n, err := strconv.Atoi(args[1])
			ts.Check(err)
			times, args = n, args[1:]
		}
		args = args[1:]
	}
	if neg || len(args) < 1 {
		ts.Fatalf("usage: bytes [-gz] [-n TIMES] FILE PIECE...")
	}
	var b bytes.Buffer
	for i, piece := range args[1:] {
		s, err := unescaped(piece)
		ts.Check(err)
		if i == len(args)-2 {
			s = strings.Repeat(s, times)
		}
		b.WriteString(s)
	}
	content := b.Bytes()
	if zip {
		var zipped bytes.Buffer
		w := gzip.NewWriter(&zipped)
		_, err := w.Write(content)
		ts.Check(err)
		ts.Check(w.Close())
		content = zipped.Bytes()
	}
	path := ts.MkAbs(args[0])
	ts.Check(os.MkdirAll(filepath.Dir(path), 0o777))
	ts.Check(os.WriteFile(path, content, 0o666))
}

// unescaped reads Go's escapes; quotation marks stand for themselves.
func unescaped(s string) (string, error) {
	return strconv.Unquote(`"` + strings.ReplaceAll(s, `"`, `\"`) + `"`)
}

// replace changes a file: replace FILE OLD NEW, with Go's escapes. OLD must be there.
func replace(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: replace FILE OLD NEW")
	}
	var words [2]string
	for i := range words {
		var err error
		words[i], err = unescaped(args[i+1])
		ts.Check(err)
	}
	before := ts.ReadFile(args[0])
	if !strings.Contains(before, words[0]) {
		ts.Fatalf("%s does not hold %q:\n%s", args[0], words[0], before)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Replace(before, words[0], words[1], 1)), 0o666))
}

// damage breaks the first file that a pattern names: damage flip|crc|cut|append PATTERN.
// crc changes a byte of the last eight: of a gzip file the check sum, of a Parquet file
// the length of its footer.
func damage(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: damage flip|crc|cut|append PATTERN")
	}
	found, err := filepath.Glob(ts.MkAbs(args[1]))
	ts.Check(err)
	if len(found) == 0 {
		ts.Fatalf("nothing is called %s", args[1])
	}
	raw, err := os.ReadFile(found[0])
	ts.Check(err)
	switch args[0] {
	case "flip":
		raw[len(raw)/2] ^= 0x20
	case "crc":
		raw[len(raw)-8] ^= 1
	case "cut":
		raw = raw[:len(raw)/2]
	case "append":
		raw = append(raw, "garbage"...)
	default:
		ts.Fatalf("no damage is called %q", args[0])
	}
	ts.Check(os.WriteFile(found[0], raw, 0o666))
}

// lock holds a run's folder as another run would, until the script ends.
func lock(ts *testscript.TestScript, neg bool, args []string) {
	dir := ts.MkAbs(args[0])
	ts.Check(os.MkdirAll(dir, 0o777))
	l := flock.New(filepath.Join(dir, ".lock"))
	got, err := l.TryLock()
	ts.Check(err)
	if !got {
		ts.Fatalf("%s is locked already", dir)
	}
	ts.Defer(func() { l.Unlock() })
}

// tidy checks that nothing temporary is left below a folder, and that every file
// is readable by others.
func tidy(ts *testscript.TestScript, neg bool, args []string) {
	ts.Check(filepath.WalkDir(ts.MkAbs(args[0]), func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		known := name == ".lock" || name == table.MarkFile || name == ".current" || name == ".nights" || name == ".night.json" || !strings.HasPrefix(name, ".")
		if !known || strings.Contains(name, ".tmp") {
			return fmt.Errorf("%s is left behind", path)
		}
		info, err := d.Info()
		if err == nil && !d.IsDir() && name != ".lock" && info.Mode().Perm()&0o444 != 0o444 {
			return fmt.Errorf("%s has mode %v: others cannot read it", path, info.Mode())
		}
		return err
	}))
}
