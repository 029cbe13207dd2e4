package main

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"testing"

	"github.com/KimMachineGun/automemlimit/memlimit"
)

// Go's heap keeps to a part of the container's memory, unless the user says otherwise.
func TestMemoryKeepsToTheContainers(t *testing.T) {
	was := debug.SetMemoryLimit(-1)
	t.Cleanup(func() { debug.SetMemoryLimit(was) })
	of := func(limit uint64, err error) memlimit.Provider {
		return func() (uint64, error) { return limit, err }
	}
	for what, c := range map[string]struct {
		limit memlimit.Provider
		user  bool
		want  int64
	}{
		"a container of 4 GiB":  {of(4<<30, nil), false, 3 << 30},
		"GOMEMLIMIT":            {of(4<<30, nil), true, 1 << 40},
		"no limit":              {of(0, memlimit.ErrNoLimit), false, math.MaxInt64},
		"a limit without sense": {of(math.MaxUint64, nil), false, math.MaxInt64},
		"no cgroups":            {of(0, errors.New("nothing is mounted")), false, 1 << 40},
	} {
		debug.SetMemoryLimit(1 << 40)
		t.Setenv("GOMEMLIMIT", "1TiB")
		if !c.user {
			os.Unsetenv("GOMEMLIMIT")
		}
		limitMemory(c.limit)
		if got := debug.SetMemoryLimit(-1); got != c.want {
			t.Errorf("%s: %d, want %d", what, got, c.want)
		}
	}
}

// Go's heap grows by half of what it holds, and by less with a list, unless the user says otherwise.
func TestGarbageIsCollectedSooner(t *testing.T) {
	was := debug.SetGCPercent(100)
	t.Cleanup(func() { debug.SetGCPercent(was) })
	t.Setenv("GOGC", "200")
	if collectSooner(garbagePart); debug.SetGCPercent(100) != 100 {
		t.Error("GOGC was overruled")
	}
	os.Unsetenv("GOGC")
	if collectSooner(garbagePart); debug.SetGCPercent(100) != garbagePart {
		t.Error("the heap may double")
	}
	demo := filepath.Join("..", "..", "testdata", "demo")
	list := rootCommand()
	list.SetArgs([]string{"align", "--sources", filepath.Join(demo, "books"), "--quotes", filepath.Join(demo, "quotes.jsonl"), "--out", filepath.Join(t.TempDir(), "finds.jsonl")})
	if err := list.ExecuteContext(t.Context()); err != nil {
		t.Fatal(err)
	}
	if debug.SetGCPercent(100) != listGarbagePart {
		t.Error("a list takes as much memory as a build may")
	}
}
