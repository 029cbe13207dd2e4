package pipelines

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/pipelinetest"
)

// held is what a process holds.
type held struct {
	goroutines, files int
	heap              uint64
}

func whatIsHeld(t *testing.T) held {
	t.Helper()
	runtime.GC()
	runtime.GC() // what finalizers freed
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	open, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip("only Linux lists a process's files: ", err)
	}
	return held{runtime.NumGoroutine(), len(open), m.HeapAlloc}
}

// TestManyBuilds makes one process build for long: with another book, with nothing to do,
// refused, and into new folders. It holds after 200 builds what it held after 20.
func TestManyBuilds(t *testing.T) {
	if !slow {
		t.Skip("takes minutes: set COMMONPLACE_SLOW=1 to run it")
	}
	c, folder := small(t)
	other := *c
	broken := *c
	broken.Sources = []config.Source{config.NewSource(config.KindFiles)}
	broken.Sources[0].Name, broken.Sources[0].Files = "gone", []string{filepath.Join(folder, "gone")}
	build := func(n int) {
		switch n % 5 {
		case 0:
			bookOf(t, folder, fmt.Sprintf("book%d.txt", n%3))
		case 1:
			os.Remove(filepath.Join(folder, "books", fmt.Sprintf("book%d.txt", (n-1)%3)))
		case 2:
			other.Out = filepath.Join(t.TempDir(), "other")
			if err := pipelinetest.TryBuild(&other); err != nil {
				t.Fatal(err)
			}
			os.RemoveAll(other.Out)
			return
		case 3:
			if err := pipelinetest.TryBuild(&broken); err == nil {
				t.Fatal("a source that is not there is built")
			}
			return
		}
		if err := pipelinetest.TryBuild(c); err != nil {
			t.Fatal(err)
		}
	}
	for n := range 20 {
		build(n)
	}
	before := whatIsHeld(t)
	for n := 20; n < 200; n++ {
		build(n)
	}
	after := whatIsHeld(t)
	t.Logf("after 20 builds %+v, after 200 %+v", before, after)
	if after.goroutines > before.goroutines+2 || after.files > before.files+2 || after.heap > before.heap+before.heap/10+(2<<20) {
		t.Errorf("after 20 builds %+v, after 200 %+v", before, after)
	}
}
