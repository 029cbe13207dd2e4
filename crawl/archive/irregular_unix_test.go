//go:build unix

package archive

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/commonplace/commonplace/crawl/warc"
	"github.com/commonplace/commonplace/storage"
)

// A pipe without a writer is refused in the place of a file of an archive, and not waited
// for.
func TestIrregularFilesAreRefused(t *testing.T) {
	for _, name := range []string{"00001-a.org" + warc.Extension, "00001-a.org" + warc.Extension + ".index", passFile} {
		dir := t.TempDir()
		must(t, keeper(t, load(t, dir, "r1"), "a.org").Close())
		os.Remove(filepath.Join(dir, name))
		must(t, syscall.Mkfifo(filepath.Join(dir, name), 0o600))
		if _, err := Load(dir, "r1"); !errors.Is(err, storage.ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// An index of one endless line is none: the WARC file is read in its place, and memory
// does not grow with the line. A pass file of that size is damaged.
func TestEndlessLines(t *testing.T) {
	dir := t.TempDir()
	k := keeper(t, load(t, dir, "r1"), "a.org")
	must(t, k.Response(answer("http://a.org/1.txt", 200, "Content-Type: text/plain\r\n", "text")))
	must(t, k.Close())
	index := filepath.Join(dir, "00001-a.org"+warc.Extension+".index")
	must(t, errors.Join(os.Remove(index), os.WriteFile(index, nil, 0o644), os.Truncate(index, 512<<20)))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	a := load(t, dir, "r1")
	runtime.ReadMemStats(&after)
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 64<<20 {
		t.Errorf("reading it took %d bytes", grown)
	}
	if a.known(address("http://a.org/1.txt")).answer.Kind != Answered {
		t.Error("the answer is lost")
	}
	must(t, errors.Join(os.WriteFile(filepath.Join(dir, passFile), []byte(`{"pass": 1}`), 0o644), os.Truncate(filepath.Join(dir, passFile), 256<<20)))
	runtime.ReadMemStats(&before)
	if _, err := Load(dir, "r1"); err == nil {
		t.Error("a pass of 256 MiB")
	}
	runtime.ReadMemStats(&after)
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 64<<20 {
		t.Errorf("reading the pass took %d bytes", grown)
	}
}

// An index that names another file is not of this one: its entries would have the program
// read there.
func TestAnIndexNamesItsFile(t *testing.T) {
	dir := t.TempDir()
	k := keeper(t, load(t, dir, "r1"), "a.org")
	must(t, k.Response(answer("http://a.org/1.txt", 200, "Content-Type: text/plain\r\n", "text")))
	must(t, k.Close())
	index := filepath.Join(dir, "00001-a.org"+warc.Extension+".index")
	b, err := os.ReadFile(index)
	must(t, err)
	must(t, os.WriteFile(index, []byte(strings.ReplaceAll(string(b), `"file":"`, `"file":"../`)), 0o644))
	e := load(t, dir, "r1").known(address("http://a.org/1.txt")).answer
	if e.File != "00001-a.org"+warc.Extension {
		t.Errorf("it is read from %q", e.File)
	}
}
