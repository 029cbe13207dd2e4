package rank

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"testing"
)

// balancedByCounting gives the balanced ranks the slow and obvious way: of each passage one more
// than those that come before it.
func balancedByCounting(documents [][]float64) [][]int64 {
	greater := func(of []float64, score float64) (n int64) {
		for _, s := range of {
			if s > score {
				n++
			}
		}
		return n
	}
	ranks := make([][]int64, len(documents))
	for d, mine := range documents {
		for _, score := range mine {
			turn, n := greater(mine, score), int64(1)
			for _, others := range documents {
				for _, other := range others {
					if t := greater(others, other); t < turn || t == turn && other > score {
						n++
					}
				}
			}
			ranks[d] = append(ranks[d], n)
		}
	}
	return ranks
}

func TestBalanceAgainstTheObviousWay(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 100 {
		documents := make([][]float64, 1+r.IntN(6))
		var all, keys []float64
		for d := range documents {
			for range r.IntN(12) {
				documents[d] = append(documents[d], float64(r.IntN(9)-3)/4+float64(d%2))
			}
			all = append(all, documents[d]...)
		}
		overall := orderOf(t, all)
		for _, of := range documents {
			within, err := WithinDocument(of)
			if err != nil {
				t.Fatal(err)
			}
			places, err := overall.Places(of)
			if err != nil {
				t.Fatal(err)
			}
			for i := range of {
				key, err := Balance(within[i], places[i].Rank, int64(len(all)))
				if err != nil {
					t.Fatal(err)
				}
				keys = append(keys, key)
			}
		}
		var b bytes.Buffer
		if err := WriteOrder(&b, "", given(keys)); err != nil {
			t.Fatal(err)
		}
		order, err := OpenOrder(bytes.NewReader(b.Bytes()), int64(b.Len()))
		if err != nil {
			t.Fatal(err)
		}
		got, err := order.Places(keys)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for d, want := range balancedByCounting(documents) {
			for i := range want {
				if got[n].Rank != want[i] {
					t.Fatalf("passage %d of document %d of %v has rank %d, want %d", i, d, documents, got[n].Rank, want[i])
				}
				n++
			}
		}
	}
}

func TestBalanceIsExact(t *testing.T) {
	const total = 1 << 40
	a, err := Balance(1000, total-1, total)
	b, also := Balance(1000, total, total)
	if err != nil || also != nil || a <= b {
		t.Errorf("%v before %v, %v, %v", a, b, err, also)
	}
	if _, err := Balance(math.MaxInt32, 1, total); !errors.Is(err, ErrTooMany) {
		t.Errorf("%v", err)
	}
}
