package diagonal

import (
	"math/rand/v2"
	"testing"

	"github.com/commonplace/commonplace/align/index"
	"github.com/commonplace/commonplace/align/match"
)

// plainDiagonals is the table of diagonals without forgetting.
type plainDiagonals map[int32]*entry

func (p plainDiagonals) at(band int32) *entry {
	if p[band] == nil {
		p[band] = &entry{near: -Reach, last: -Reach, wait: index.Hit{Symbol: -1}}
	}
	return p[band]
}

// What the table of diagonals answers does not depend on what it forgets.
func TestDiagonalsForgetNothingWithinReach(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 37))
	for _, density := range []int{2, 40, 3000} { // hits at one place; many make the table grow
		var table Table
		table.Reset()
		plain := plainDiagonals{}
		d := int32(0)
		supported := 0
		for n := range 30000 {
			if r.IntN(density) == 0 {
				d += int32(r.IntN(60))
			}
			table.Floor = d
			diag := 1<<20 + int64(r.IntN(4*density))*40
			h := index.Hit{Symbol: int32(n), Offset: uint32(diag)}
			got, waiting := table.Await(diag, d, h)
			band, neighbour := bands(diag)
			e, f := plain.at(band), plain.at(neighbour)
			want, wantWaiting := false, index.Hit{Symbol: -1}
			for _, g := range []*entry{e, f} {
				if !want && d-g.near < Reach {
					want, wantWaiting = true, g.wait
					g.near, g.wait.Symbol = max(g.near, d), -1
				}
			}
			if !want {
				e.near, e.wait = d, h
			}
			if got != want || waiting.Symbol != wantWaiting.Symbol {
				t.Fatalf("density %d, hit %d: supported %v by %v, want %v by %v", density, n, got, waiting, want, wantWaiting)
			}
			look, near := table.Look(diag, d)
			wantLook := true
			for i, g := range []*entry{e, f} {
				if wantLook = wantLook && d >= g.skip; !wantLook {
					break
				}
				if near := near[i]; (d-g.last < Reach) != (near != nil) || near != nil && near.Bits != g.Bits {
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
				to, s := d+int32(r.IntN(300)), match.Score{Bits: float32(r.IntN(40))}
				table.Done(diag, to, s)
				if to-e.last > Reach || s.Bits > e.Bits {
					e.Score = s
				}
				if to-e.near >= Reach {
					e.wait.Symbol = -1 // what waits out of reach waits in vain
				}
				e.skip, e.last, e.near = max(e.skip, to), max(e.last, to), max(e.near, to)
			}
		}
		if supported == 0 {
			t.Errorf("density %d: no hit supports another", density)
		}
	}
}
