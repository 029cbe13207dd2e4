package group

import (
	"bytes"
	"context"
	"encoding/binary"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/commonplace/commonplace/label/internal/disjoint"
	"github.com/commonplace/commonplace/sorting"
)

// spilling makes everything of more than some records go through files, and
// these through several merges.
func spilling(t *testing.T) {
	held, merged := sorting.HeldBytes, sorting.MergedRuns
	sorting.HeldBytes, sorting.MergedRuns = 2000, 3
	t.Cleanup(func() { sorting.HeldBytes, sorting.MergedRuns = held, merged })
}

func TestStore(t *testing.T) {
	s, err := newStore(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	r := rand.New(rand.NewPCG(5, 6))
	all := make([]byte, storePage*storePages+12345) // more than is held
	for i := range all {
		all[i] = byte(r.Uint32())
	}
	for rest := all; len(rest) > 0; {
		n := min(len(rest), 1+r.IntN(100_000))
		if err := s.write(rest[:n]); err != nil {
			t.Fatal(err)
		}
		rest = rest[n:]
	}
	if err := s.done(); err != nil {
		t.Fatal(err)
	}
	for range 2000 {
		at := r.IntN(len(all) + 1)
		n := r.IntN(min(len(all)-at, 3*storePage) + 1)
		got, err := s.read([]byte("x"), int64(at), int64(n))
		if err != nil || !bytes.Equal(got[1:], all[at:at+n]) {
			t.Fatalf("%d bytes at %d: %v", n, at, err)
		}
	}
}

// What the obvious way finds is found through files too.
func TestGroupingThroughFiles(t *testing.T) {
	for name, test := range map[string]func(*testing.T){
		"quotes": TestGroupsAgainstTheObviousWay, "regions": TestGrouping, "no leak": TestGroupingLeaksNothing,
		"stable": TestGroupingIsStable, "conversations": TestConversationsComparedInFull, "works": TestWorks,
	} {
		t.Run(name, func(t *testing.T) {
			spilling(t)
			test(t)
		})
	}
}

// Four times the quotes take no more memory than some bytes each.
func TestGroupingHoldsNoTexts(t *testing.T) {
	held := sorting.HeldBytes
	sorting.HeldBytes = 500_000 // which both have filled
	t.Cleanup(func() { sorting.HeldBytes = held })
	peak := func(n int) uint64 {
		r := rand.New(rand.NewPCG(7, 8))
		near := nearTexts{run: shingleWords}
		defer near.close()
		watch := &watched{Context: t.Context()}
		for i := range n {
			if err := near.add(randomText(r)); err != nil {
				t.Fatal(err)
			}
			if i%1000 == 0 {
				watch.Err()
			}
		}
		if err := near.join(watch, disjoint.New(n)); err != nil {
			t.Fatal(err)
		}
		return watch.peak
	}
	small, large := peak(10_000), peak(40_000)
	if most := small + 30_000*40; large > most {
		t.Errorf("%d bytes for 10,000 texts, %d for 40,000", small, large)
	}
}

// randomText is a hundred bytes, half of which another text may have too.
func randomText(r *rand.Rand) string {
	b := make([]byte, 0, 120)
	topic := r.IntN(5000)
	for i := range 12 {
		word := binary.BigEndian.AppendUint32(nil, r.Uint32())
		if i < 6 {
			word = binary.BigEndian.AppendUint32(nil, uint32(topic*20+i))
		}
		for _, c := range word {
			b = append(b, 'a'+c%16, 'a'+c/16)
		}
		b = append(b, ' ')
	}
	return string(b[:len(b)-1])
}

// watched is a context that looks at the heap whenever it is asked.
type watched struct {
	context.Context
	asked int
	peak  uint64
}

func (w *watched) Err() error {
	if w.asked++; w.asked%4 == 1 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		w.peak = max(w.peak, m.HeapAlloc)
	}
	return w.Context.Err()
}
