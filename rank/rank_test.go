package rank_test

import (
	"errors"
	"math"
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
}
