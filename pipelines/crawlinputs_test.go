package pipelines

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/commonplace/commonplace/table"
)

// liveHeap is what is held when nothing that could go is there any more.
func liveHeap() int64 {
	runtime.GC()
	runtime.GC() // what the first one finalised
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// Documents are named before they are read, and their names travel to the tasks.
// What is held of that when the tasks begin does not follow their number, so that a
// million of them fit beside everything else.
func TestNamesOfDocumentsAreNotHeld(t *testing.T) {
	const documents, most = 20_000, 500
	dir := t.TempDir()
	list, err := os.Create(filepath.Join(dir, "list.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	w := bufio.NewWriter(list)
	for i := range documents {
		fmt.Fprintf(w, "{\"id\": \"document-%06d\", \"text\": \"It was a dark and stormy night.\"}\n", i)
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := list.Close(); err != nil {
		t.Fatal(err)
	}
	c := DefaultConfig()
	c.Out = filepath.Join(dir, "tables")
	s := defaultSource()
	s.Name, s.Files = "list", []string{list.Name()}
	c.Sources = []Source{s}

	before, held := liveHeap(), int64(0)
	work := crawlStage.make
	t.Cleanup(func() { crawlStage.make = work })
	crawlStage.make = func(ctx context.Context, task Task) (table.TaskRecord, error) {
		if held == 0 {
			held = liveHeap() - before
		}
		return work(ctx, task)
	}
	c.Runner.Parallelism = 1 // one task at once: nobody else is working when it is measured
	if err := Build(context.Background(), Request{Config: &c, Stages: []string{"crawl"}}); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d bytes a document", held/documents)
	if held > documents*most {
		t.Errorf("when the first task begins, %d bytes are held for each of %d documents, want %d at most", held/documents, documents, most)
	}
}
