package eval

import (
	"errors"
	"testing"
)

// Eight passages against thousands have a p of 1e-162 where they happen to lack a
// feature; nothing is to be shown of them.
func TestTooFewToCompare(t *testing.T) {
	for most, few := range map[int]bool{8: true, 29: true, 30: false} {
		err := AttributeResult{Most: most, Least: 5723}.TooFew()
		if errors.As(err, &TooFewError{}) != few {
			t.Errorf("%d most quoted: %v", most, err)
		}
	}
}

// A sample takes passages at equal distances, and all of a small group.
func TestSampleOfAttributes(t *testing.T) {
	a, err := NewAttributes([]string{"x"}, map[int64]int64{0: 1000, 1: 40})
	if err != nil {
		t.Fatal(err)
	}
	a.Sample(100)
	taken := map[int64]int{}
	for i := range 1040 {
		count := int64(0)
		if i%26 == 25 {
			count = 1
		}
		if a.Takes(count) {
			taken[count]++
			a.Add(count, []float32{float32(i % 2)})
		}
	}
	if r, err := a.Result(); err != nil || taken[0] != 100 || taken[1] != 40 || r.Most != 40 || r.Least != 100 || !r.Sampled {
		t.Errorf("%v, %+v, %v", taken, r, err)
	}
}
