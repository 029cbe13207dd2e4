package ngrams

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/commonplace/commonplace"
)

// An older document has a greater key, by the first day that its date can mean; documents
// of one day have many keys; and without dates keys are those that files already hold.
func TestKeysByAge(t *testing.T) {
	s := New()
	key := func(id, date string) uint32 { return s.Key(&commonplace.Document{ID: id, Date: date}) }
	if k := key("a", "1850"); k == 0 || k > 1<<16-1 || k != key("a", "1851") {
		t.Errorf("key %d, of another date %d", k, key("a", "1851"))
	}
	s.OldestFirst = true
	dates := []string{"0001", "0987-01", "1492-10-12", "1850", "1850-01-02", "1850-02", "1851", "2026-11-23", "2870-01-01", ""}
	for i := 1; i < len(dates); i++ {
		for _, id := range []string{"a", "b", "c"} {
			if older, newer := key(id, dates[i-1]), key("other", dates[i]); older <= newer || newer == 0 {
				t.Errorf("%q has %d, %q has %d", dates[i-1], older, dates[i], newer)
			}
		}
	}
	different := map[uint32]bool{}
	for i := range 2000 {
		different[key(fmt.Sprint(i), "1850-01-02")] = true
	}
	if len(different) < 1500 {
		t.Errorf("2000 documents of one day have %d keys", len(different))
	}
}

// Windows begin where a slow search finds the least of each sampleOf successive seeds,
// also where seeds are equal. Hence copies of a text share their windows, and none of
// sampleOf seeds is without one.
func TestWindowsBeginAtTheLeastSeeds(t *testing.T) {
	slow := func(seeds []uint64) (at []int) {
		for i := range len(seeds) - sampleOf + 1 {
			least := i
			for k := i; k < i+sampleOf; k++ {
				if seeds[k] < seeds[least] {
					least = k
				}
			}
			if !slices.Contains(at, least) {
				at = append(at, least)
			}
		}
		return at
	}
	for n := range 600 {
		r := rand.New(rand.NewPCG(uint64(n), 3))
		seeds := make([]uint64, n/4+sampleOf)
		for i := range seeds {
			seeds[i] = r.Uint64()
			if n%2 == 0 {
				seeds[i] %= 5
			}
		}
		if got, want := windowsOf(seeds), slow(seeds); !slices.Equal(got, want) {
			t.Fatalf("%d seeds: windows at %v, want %v", len(seeds), got, want)
		}
	}
}

// windowsOf are the places of the seeds at which windows begin.
func windowsOf(seeds []uint64) (at []int) {
	var s sampler
	for i, h := range seeds {
		if w, begins := s.add(h, i); begins {
			at = append(at, w.at)
		}
	}
	return at
}

// One word in four begins a window, as the memory for windows was chosen for.
func TestOneWordInFourBeginsAWindow(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	seeds := make([]uint64, 100_000)
	for i := range seeds {
		seeds[i] = r.Uint64()
	}
	if n := len(windowsOf(seeds)); n < 24_500 || n > 25_500 {
		t.Errorf("%d windows of 100,000 words", n)
	}
}

// Copies of a text in different texts have the same windows.
func TestCopiesHaveTheSameWindows(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 5))
		random := func(n int) []uint64 {
			seeds := make([]uint64, n)
			for i := range seeds {
				seeds[i] = r.Uint64()
			}
			return seeds
		}
		passage := random(sampleOf + r.IntN(20))
		var windows [2][]int // in the passage
		for i := range windows {
			before := random(r.IntN(30))
			for _, at := range windowsOf(slices.Concat(before, passage, random(r.IntN(30)))) {
				windows[i] = append(windows[i], at-len(before))
			}
		}
		for _, at := range windowsOf(passage) {
			if !slices.Contains(windows[0], at) || !slices.Contains(windows[1], at) {
				t.Fatalf("seed %d: the window at word %d of the passage is not in both %v", seed, at, windows)
			}
		}
	}
}
