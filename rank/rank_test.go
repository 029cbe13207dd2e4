package rank_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/commonplace/commonplace/rank"
)

func TestEqualScoresShareTheBetterRank(t *testing.T) {
	ranks, err := rank.WithinDocument([]float64{2, 5, 2, 1, math.Inf(1), math.Inf(-1)})
	if err != nil || !slices.Equal(ranks, []int64{3, 2, 3, 5, 1, 6}) {
		t.Errorf("got %v, %v", ranks, err)
	}
	if ranks, err := rank.WithinDocument(nil); err != nil || len(ranks) != 0 {
		t.Errorf("of nothing: %v, %v", ranks, err)
	}
	if ranks, _ := rank.WithinDocument([]float64{0, math.Copysign(0, -1)}); !slices.Equal(ranks, []int64{1, 1}) {
		t.Errorf("zero and minus zero are equal, got %v", ranks)
	}
}

func TestNaNIsRefused(t *testing.T) {
	if _, err := rank.WithinDocument([]float64{1, math.NaN()}); !errors.Is(err, rank.ErrNaN) {
		t.Errorf("WithinDocument: %v", err)
	}
	c, err := rank.NewCounter([]float64{1})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Add(math.NaN()); !errors.Is(err, rank.ErrNaN) {
		t.Errorf("Add: %v", err)
	}
	if err := c.Add(3); err != nil || c.Place(1) != (rank.Place{Rank: 2, Percentile: 0}) {
		t.Errorf("what was refused was counted: %+v, %v", c.Place(1), err)
	}
}

func TestCounterAgainstTheObviousWay(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		all := make([]float64, 1+r.IntN(60))
		for i := range all {
			all[i] = float64(r.IntN(12)) / 4 // many ties
		}
		mine := all[:r.IntN(len(all)+1)]
		c, err := rank.NewCounter(mine)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range all {
			if err := c.Add(s); err != nil {
				t.Fatal(err)
			}
			if len(mine) > 0 {
				c.Place(mine[0]) // asking early must not freeze the counts
			}
		}
		for _, s := range mine {
			greater, lower := 0, 0
			for _, o := range all {
				if o > s {
					greater++
				}
				if o < s {
					lower++
				}
			}
			want := rank.Place{Rank: int64(greater + 1), Percentile: float64(lower) / float64(len(all))}
			if got := c.Place(s); got != want {
				t.Fatalf("%v: got %+v, want %+v", s, got, want)
			}
		}
	}
}

func TestPlaceOfAStranger(t *testing.T) {
	c, _ := rank.NewCounter([]float64{1})
	if c.Place(1).Rank != 1 {
		t.Error("before anything is added the rank is 1")
	}
	defer func() {
		if recover() == nil {
			t.Error("a score that was not announced has no place")
		}
	}()
	c.Place(2)
}
