package main

import (
	"os"
	"runtime/debug"

	"github.com/KimMachineGun/automemlimit/memlimit"
)

// heapPart is the part of a container's memory that Go's heap may take. The rest is for
// ONNX Runtime, mapped files and the program itself.
const heapPart = 0.75

// garbagePart is how far Go's heap may grow before garbage is collected, in percent of what it
// holds. Tables that stay for a whole run are most of it, and Go's 100 would double them.
const garbagePart = 50

// listGarbagePart is that of align --quotes: the index of a long list is most of the heap, and
// little garbage is made beside it.
const listGarbagePart = 35

// collectSooner collects garbage at so many percent, unless GOGC says otherwise.
func collectSooner(percent int) {
	if _, set := os.LookupEnv("GOGC"); !set {
		debug.SetGCPercent(percent)
	}
}

// limitMemory makes Go collect garbage more often as its memory comes near the limit of
// this process's cgroup. GOMEMLIMIT, if it is set, decides instead. Where there is no
// limit, or none can be read, Go does as it always does.
func limitMemory(limit memlimit.Provider) {
	_, _ = memlimit.Set(memlimit.WithProvider(limit), memlimit.WithRatio(heapPart))
}
