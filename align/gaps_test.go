package align

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestGapsGiveThePlacesBack(t *testing.T) {
	r := rand.New(rand.NewPCG(25, 28))
	for range 2000 {
		places := make([]uint32, 1+r.IntN(40))
		at := uint32(0)
		for i := range places {
			switch r.IntN(6) {
			case 0:
				at += 253 + r.Uint32N(4)
			case 1:
				at += r.Uint32N(1 << 20)
			default:
				at += r.Uint32N(3)
			}
			places[i] = at
		}
		gaps, far := appendGaps([]byte{7}, places)
		if gaps[0] != 7 || len(gaps) != len(places)+1 {
			t.Fatalf("%d gaps for %d places", len(gaps)-1, len(places))
		}
		if got := appendPlaces([]uint32{}, gaps[1:], far); !slices.Equal(got, places) {
			t.Fatalf("places %v became %v", places, got)
		}
	}
}
