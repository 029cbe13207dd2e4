package rank

import (
	"bytes"
	"errors"
	"iter"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/commonplace/commonplace/sorting"
)

func given(scores []float64) iter.Seq2[float64, error] {
	return func(yield func(float64, error) bool) {
		for _, s := range scores {
			if !yield(s, nil) {
				return
			}
		}
	}
}

func orderOf(t *testing.T, scores []float64) *Order {
	t.Helper()
	var b bytes.Buffer
	if err := WriteOrder(&b, "", given(scores)); err != nil {
		t.Fatal(err)
	}
	o, err := OpenOrder(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func placeOf(o *Order, score float64) (Place, error) {
	places, err := o.Places([]float64{score})
	if err != nil {
		return Place{}, err
	}
	return places[0], nil
}

// counted is a score's place the obvious way.
func counted(score float64, all []float64) Place {
	greater, lower := 0, 0
	for _, s := range all {
		if s > score {
			greater++
		}
		if s < score {
			lower++
		}
	}
	return Place{Rank: int64(greater + 1), Percentile: float64(lower) / float64(len(all))}
}

func TestPlaceAgainstTheObviousWay(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		all := make([]float64, 1+r.IntN(60))
		for i := range all {
			all[i] = float64(r.IntN(12)) / 4 // many ties
		}
		o := orderOf(t, all)
		for _, s := range append(all, -1, 0.1, 99, math.Inf(1), math.Copysign(0, -1)) {
			if got, err := placeOf(o, s); err != nil || got != counted(s, all) {
				t.Fatalf("%v: got %+v, %v, want %+v", s, got, err, counted(s, all))
			}
		}
	}
}

func TestPlaceAmongMoreThanMemoryHolds(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	held := sorting.HeldBytes
	sorting.HeldBytes = 1 << 20
	t.Cleanup(func() { sorting.HeldBytes = held })
	t.Setenv("TMPDIR", t.TempDir())
	all := make([]float64, 300_000)
	for i := range all {
		all[i] = float64(r.IntN(100_000)) // ties within blocks and over them
	}
	for _, bytes := range []int64{0, heldBytes} {
		was := heldBytes
		heldBytes = bytes
		o := orderOf(t, all)
		heldBytes = was
		if left, _ := os.ReadDir(os.TempDir()); len(left) > 0 {
			t.Fatalf("%s was left behind", left[0].Name())
		}
		asked := append([]float64{-1, 0, 1, 4711, 50_000.5, 99_999, 100_000, all[len(all)-1]}, all[:40]...)
		got, err := o.Places(asked)
		if err != nil {
			t.Fatal(err)
		}
		for i, s := range asked {
			if got[i] != counted(s, all) {
				t.Errorf("%v: got %+v, want %+v", s, got[i], counted(s, all))
			}
		}
	}
}

func TestPlaceAmongNothing(t *testing.T) {
	if got, err := placeOf(orderOf(t, nil), 1); err != nil || got != (Place{Rank: 1}) {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestOrderRefuses(t *testing.T) {
	if err := WriteOrder(&bytes.Buffer{}, "", given([]float64{1, math.NaN()})); !errors.Is(err, ErrNaN) {
		t.Errorf("NaN: %v", err)
	}
	broken := errors.New("broken")
	failing := func(yield func(float64, error) bool) { yield(0, broken) }
	if err := WriteOrder(&bytes.Buffer{}, "", failing); !errors.Is(err, broken) {
		t.Errorf("a failing reader: %v", err)
	}
	if _, err := OpenOrder(bytes.NewReader(make([]byte, 12)), 12); err == nil {
		t.Error("a cut file was taken")
	}
}

func TestAscending(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	all := []float64{math.Inf(-1), -math.MaxFloat64, -1, -math.SmallestNonzeroFloat64, 0, math.SmallestNonzeroFloat64, 1, math.MaxFloat64, math.Inf(1)}
	for range 1000 {
		all = append(all, r.NormFloat64()*math.Pow(10, float64(r.IntN(600)-300)))
	}
	for _, a := range all {
		if got := scoreOf(ascending(a)); got != a {
			t.Fatalf("%v comes back as %v", a, got)
		}
		for _, b := range all {
			if (a < b) != (ascending(a) < ascending(b)) {
				t.Fatalf("%v and %v", a, b)
			}
		}
	}
}
