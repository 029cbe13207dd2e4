package index

import (
	"math/bits"
	"math/rand/v2"
	"reflect"
	"runtime"
	"testing"

	"github.com/commonplace/commonplace/align/fold"
)

// An index gives back every place of every seed, in the order in which they were
// entered, those of a full bucket too.
func TestIndexHoldsEverySeed(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 19))
	for _, n := range []int{0, 1, 40, 3000, 60000} {
		var seeds Builder
		want := map[uint64][]uint32{}
		places := max(1, 5*n)
		common := r.Uint64()
		for range n {
			h := fold.Mix(r.Uint64N(uint64(n)))
			if r.IntN(8) == 0 {
				h = common
			}
			p := uint32(r.IntN(places))
			seeds.Add(h, p)
			want[h] = append(want[h], p)
		}
		x, err := seeds.Build(int64(places))
		if err != nil {
			t.Fatal(err)
		}
		if err := x.Open(); err != nil {
			t.Fatal(err)
		}
		for h, places := range want {
			if x.may(h) != 1 {
				t.Fatalf("%d seeds: the filter does not let seed %x through", n, h)
			}
			k := &Seeker{probes: []probe{{h, 0}}}
			k.Seek(x)
			var got []uint32
			for _, h := range k.Hits {
				got = append(got, h.Offset)
			}
			if !within(places, got) || h == common && len(got) < len(places) {
				t.Fatalf("%d seeds: %d places of seed %x are not all in %d", n, len(places), h, len(got))
			}
		}
		if n > 3000 && len(x.beyond) == 0 {
			t.Error("no bucket is full")
		}
	}
}

// within says whether the elements of a stand in b, in their order.
func within(a, b []uint32) bool {
	for _, e := range b {
		if len(a) > 0 && a[0] == e {
			a = a[1:]
		}
	}
	return len(a) == 0
}

// The filter lets little through that the index does not hold, as long as an
// entry has room for enough of its hash.
func TestFilterIsSparse(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 29))
	for _, c := range []struct {
		places int64
		most   float64
	}{{1 << 20, 0.15}, {1 << 28, 0.5}} {
		var seeds Builder
		for range 50000 {
			seeds.Add(r.Uint64(), uint32(r.Int64N(c.places)))
		}
		x, err := seeds.Build(c.places)
		if err != nil {
			t.Fatal(err)
		}
		if err := x.Open(); err != nil {
			t.Fatal(err)
		}
		set := 0
		for _, l := range x.lines {
			for _, w := range l.filter {
				set += bits.OnesCount32(w)
			}
		}
		if share := float64(set) / float64(filterBits*len(x.lines)); share > c.most {
			t.Errorf("%d places: %.2f of the filter is set", c.places, share)
		}
	}
}

// An index that is built in passes has the tables of one that is built at once, also where buckets are full.
func TestPassesMakeTheSameIndex(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 37))
	for _, n := range []int{0, 1, 40, 3000, 60000} {
		places := max(1, 5*n)
		var all []Entry
		for range n {
			e := Entry{fold.Mix(r.Uint64N(uint64(n))), uint32(r.IntN(places))}
			if r.IntN(8) == 0 {
				e.Hash = 1 << 60
			}
			all = append(all, e)
		}
		var seeds Builder
		for _, e := range all {
			seeds.Add(e.Hash, e.Offset)
		}
		want, err := seeds.Build(int64(places))
		if err != nil {
			t.Fatal(err)
		}
		for _, atOnce := range []int{0, 1000, n / 3, n} {
			got, err := buildInPasses(n, int64(places), atOnce, func(p *Pass) {
				for _, e := range all {
					p.Add(e.Hash, e.Offset)
				}
			})
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%d seeds, %d at once: other tables", n, atOnce)
			}
		}
	}
}

// The index of a long list of quotes is made in little more memory than it takes, although
// some buckets are full: seeds and tables are not allocated again.
func TestPassesTakeLittleMemory(t *testing.T) {
	const n, atOnce = 1 << 20, 1 << 17
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	x, err := buildInPasses(n, n, atOnce, func(p *Pass) {
		for i := range uint64(n) {
			hash := fold.Mix(i)
			if i%1024 == 0 {
				hash = 1 << 60
			}
			p.Add(hash, uint32(i))
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	tables := 4*cap(x.entries) + 4*cap(x.groups) + cap(x.sizes)
	if took := int(after.TotalAlloc - before.TotalAlloc); took > tables+16*atOnce {
		t.Errorf("an index of %d bytes takes %d", tables, took)
	}
}
