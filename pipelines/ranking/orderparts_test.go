package ranking

import (
	"bytes"
	"context"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/commonplace/commonplace/pipelines/cache"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/pipelinetest"
	"github.com/commonplace/commonplace/pipelines/worker"
	"github.com/commonplace/commonplace/table"
)

// manyParts makes workers put in order even a small library.
func manyParts(t *testing.T) {
	was := orderedScores
	orderedScores = 1
	t.Cleanup(func() { orderedScores = was })
}

// The parts that workers write are, one after the other, the file that one machine
// writes: with ties, zeros of both signs, infinite scores, files without any, and bounds that
// nothing or everything is below.
func TestOrderInPartsIsTheWholeOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for round := range 60 {
		dir := t.TempDir()
		var all []float64
		files := make([][]float64, 1+r.IntN(5))
		for i := range files {
			for range r.IntN(40) {
				v := float64(r.IntN(9)-4) / 2
				switch r.IntN(12) {
				case 0:
					v = math.Inf(1 - 2*r.IntN(2))
				case 1:
					v = math.Copysign(0, -1)
				case 2:
					v = 0
				}
				files[i], all = append(files[i], v), append(all, v)
			}
		}
		whole := filepath.Join(dir, "whole")
		if err := makeOrder(t.Context(), whole, valuesIn(all)); err != nil {
			t.Fatal(err)
		}
		bounds, err := boundsOf(valuesIn(files[0]), 1+round%7)
		if err != nil {
			t.Fatal(err)
		}
		var sorted []string
		for i, values := range files {
			p := orderPart{Bounds: bounds, To: filepath.Join(dir, "order-"+string(rune('0'+i)))}
			if err := sortCut(t.Context(), p, valuesIn(values)); err != nil {
				t.Fatal(err)
			}
			sorted = append(sorted, p.To)
		}
		var parts readerOfParts
		for i := range len(bounds) + 1 {
			part := filepath.Join(dir, "part")
			if err := makeOrder(t.Context(), part, between(t.Context(), sorted, i)); err != nil {
				t.Fatal(err)
			}
			f, size, err := openSorted(t.Context(), part)
			if err != nil {
				t.Fatal(err)
			}
			if err := checkSum(f, size); err != nil {
				t.Fatal(err)
			}
			b, err := io.ReadAll(io.NewSectionReader(f, 0, size))
			if err != nil {
				t.Fatal(err)
			}
			f.Close()
			parts.add(bytes.NewReader(b), size)
		}
		got, err := io.ReadAll(io.NewSectionReader(&parts, 0, parts.size()))
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(whole)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want[:len(want)-4]) {
			t.Fatalf("round %d: %d bytes in %d parts, not the %d of the whole", round, len(got), len(bounds)+1, len(want)-4)
		}
		for range 20 { // reads that begin and end in any part
			at := r.IntN(len(got) + 1)
			b := make([]byte, r.IntN(len(got)-at+1))
			if n, err := parts.ReadAt(b, int64(at)); n != len(b) || err != nil || !bytes.Equal(b, got[at:at+n]) {
				t.Fatalf("%d of %d bytes at %d: %v", n, len(b), at, err)
			}
		}
		if n, err := parts.ReadAt(make([]byte, 1), parts.size()); n != 0 || err != io.EOF {
			t.Fatalf("behind the end: %d, %v", n, err)
		}
	}
}

func valuesIn(values []float64) func(func(float64, error) bool) {
	return func(yield func(float64, error) bool) {
		for _, v := range values {
			if !yield(v, nil) {
				return
			}
		}
	}
}

// A sorted file whose bytes changed since it was cut gives no value.
func TestADamagedCutGivesNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "order-0")
	p := orderPart{Bounds: []uint64{math.Float64bits(2)}, To: path}
	if err := sortCut(t.Context(), p, valuesIn([]float64{3, 1, 2})); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	b[9] ^= 1
	if err := os.WriteFile(path, b, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := valuesOf(t.Context(), path, 0); err != nil {
		t.Errorf("the cut before it: %v", err)
	}
	if _, err := valuesOf(t.Context(), path, 1); err == nil {
		t.Error("values of damaged bytes")
	}
}

// Tables whose scores workers put in order are those of one machine, also where a part
// is damaged when the tasks begin; no file of the way there is left.
func TestABuildWhoseScoresWorkersOrder(t *testing.T) {
	c := pipelinetest.Demo(t)
	pipelinetest.Build(t, c)
	want := pipelinetest.Snapshot(t, c.Out)
	manyParts(t)
	for _, damaged := range []bool{false, true} {
		other := pipelinetest.Into(c, filepath.Join(t.TempDir(), "spread"))
		other.Runner.Parallelism = 1
		looked := false
		around := func(ctx context.Context, task engine.Task, work engine.MakeFunc) (table.TaskRecord, error) {
			if task.Stage == "rank" && !looked {
				looked = true
				files := ordersIn(t, other)
				if len(files) != 2*(other.Shards+1) { // the parts of each, and their names
					t.Errorf("the orders are in %q", files)
				}
				for _, name := range files {
					b, err := os.ReadFile(name)
					if err != nil {
						t.Fatal(err)
					}
					if b[0] ^= 1; damaged {
						if err := os.WriteFile(name, b, 0o644); err != nil {
							t.Fatal(err)
						}
					}
				}
				alone, end := worker.Begin(ctx) // as in another process
				defer end()
				ctx = alone
			}
			return work(ctx, task)
		}
		if err := engine.Build(t.Context(), engine.Request{Config: other, Around: around}); err != nil {
			t.Fatal(err)
		}
		if !looked {
			t.Error("no task ran")
		}
		if d := pipelinetest.Differing(want, pipelinetest.Snapshot(t, other.Out)); len(d) > 0 {
			t.Errorf("damaged %v: other bytes in %s", damaged, d)
		}
		if left := ordersIn(t, other); len(left) > 0 {
			t.Errorf("%q are left", left)
		}
	}
}

// ordersIn are the files of orders in a run's cache.
func ordersIn(t *testing.T, c *config.Config) (found []string) {
	t.Helper()
	for _, kind := range []string{"order", "balance"} {
		names, err := filepath.Glob(filepath.Join(c.Out, cache.Folder, kind+"-*"))
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, names...)
	}
	return found
}
