package align

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
)

// An index gives back every place of every seed, in the order in which they were
// entered, those of a full bucket too.
func TestIndexHoldsEverySeed(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 19))
	for _, n := range []int{0, 1, 40, 3000, 60000} {
		var seeds entries
		want := map[uint64][]uint32{}
		places := max(1, 5*n)
		common := r.Uint64()
		for range n {
			h := mix(r.Uint64N(uint64(n)))
			if r.IntN(8) == 0 {
				h = common
			}
			p := uint32(r.IntN(places))
			seeds.add(h, p)
			want[h] = append(want[h], p)
		}
		x, err := seeds.build(int64(places))
		if err != nil {
			t.Fatal(err)
		}
		if err := x.open(); err != nil {
			t.Fatal(err)
		}
		for h, places := range want {
			if x.may(h) != 1 {
				t.Fatalf("%d seeds: the filter does not let seed %x through", n, h)
			}
			k := &seeker{probes: []probe{{h, 0}}}
			k.seek(x)
			var got []uint32
			for _, h := range k.hits {
				got = append(got, h.place)
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
		var seeds entries
		for range 50000 {
			seeds.add(r.Uint64(), uint32(r.Int64N(c.places)))
		}
		x, err := seeds.build(c.places)
		if err != nil {
			t.Fatal(err)
		}
		if err := x.open(); err != nil {
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

// plainDiagonals is the table of diagonals without forgetting.
type plainDiagonals map[int32]*diagonal

func (p plainDiagonals) at(band int32) *diagonal {
	if p[band] == nil {
		p[band] = &diagonal{near: -pairReach, last: -pairReach, wait: hit{symbol: -1}}
	}
	return p[band]
}

// What the table of diagonals answers does not depend on what it forgets.
func TestDiagonalsForgetNothingWithinReach(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 37))
	for _, density := range []int{2, 40, 3000} { // hits at one place; many make the table grow
		var table diagonals
		table.reset()
		plain := plainDiagonals{}
		d := int32(0)
		supported := 0
		for n := range 30000 {
			if r.IntN(density) == 0 {
				d += int32(r.IntN(60))
			}
			table.floor = d
			diag := 1<<20 + int64(r.IntN(4*density))*40
			h := hit{symbol: int32(n), place: uint32(diag)}
			got, waiting := table.await(diag, d, h)
			band, neighbour := bands(diag)
			e, f := plain.at(band), plain.at(neighbour)
			want, wantWaiting := false, hit{symbol: -1}
			for _, g := range []*diagonal{e, f} {
				if !want && d-g.near < pairReach {
					want, wantWaiting = true, g.wait
					g.near, g.wait.symbol = max(g.near, d), -1
				}
			}
			if !want {
				e.near, e.wait = d, h
			}
			if got != want || waiting.symbol != wantWaiting.symbol {
				t.Fatalf("density %d, hit %d: supported %v by %v, want %v by %v", density, n, got, waiting, want, wantWaiting)
			}
			look, near := table.look(diag, d)
			wantLook := true
			for i, g := range []*diagonal{e, f} {
				if wantLook = wantLook && d >= g.skip; !wantLook {
					break
				}
				if near := near[i]; (d-g.last < pairReach) != (near != nil) || near != nil && near.bits != g.bits {
					t.Fatalf("density %d, hit %d: another stretch stands near", density, n)
				}
			}
			if look != wantLook {
				t.Fatalf("density %d, hit %d: look is %v", density, n, look)
			}
			if got {
				supported++
			}
			if got && look && r.IntN(2) == 0 {
				to, s := d+int32(r.IntN(300)), said{bits: float32(r.IntN(40))}
				table.done(diag, to, s)
				if to-e.last > pairReach || s.bits > e.bits {
					e.said = s
				}
				if to-e.near >= pairReach {
					e.wait.symbol = -1 // what waits out of reach waits in vain
				}
				e.skip, e.last, e.near = max(e.skip, to), max(e.last, to), max(e.near, to)
			}
		}
		if supported == 0 {
			t.Errorf("density %d: no hit supports another", density)
		}
	}
}

func TestWordLength(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 43))
	for range 2000 {
		n := 1 + r.IntN(60)
		sym := make([]byte, n+padding)
		for i := range n {
			sym[i] = byte(1 + r.IntN(127))
			if i == 0 || r.IntN(9) == 0 {
				sym[i] |= wordStart
			}
		}
		var lengths []int
		for i := 0; i < n; {
			k := wordLength(sym, i)
			lengths = append(lengths, k)
			i += k
		}
		var want []int
		for i := range n {
			if sym[i]&wordStart != 0 {
				want = append(want, 0)
			}
			want[len(want)-1]++
		}
		if !slices.Equal(lengths, want) {
			t.Fatalf("%v: words of %v letters, want %v", sym, lengths, want)
		}
	}
}
