package engine

import "testing"

func TestGone(t *testing.T) {
	type counts = map[string]int64
	for _, c := range []struct {
		before, now counts
		limit       float64
		want        string
	}{
		{counts{"a": 74}, counts{"a": 4}, 0.05, "a: 70 of 74"},
		{counts{"a": 74}, counts{"a": 73}, 0.05, ""},
		{counts{"a": 8}, counts{"a": 7}, 0.05, ""},          // one may always go
		{counts{"a": 1}, counts{"a": 0}, 0.05, "a: 1 of 1"}, // but not the last
		{counts{"a": 1000, "b": 3}, counts{"a": 1000, "b": 0}, 0.05, "b: 3 of 3"},
		{counts{"a": 1000, "b": 3}, counts{"a": 1000}, 0.05, ""}, // the config says so
		{counts{"a": 100, "b": 100}, counts{"a": 96, "b": 96}, 0.05, ""},
		{counts{"a": 30, "b": 30, "c": 30}, counts{"a": 29, "b": 29, "c": 29}, 0.02, "3 of 90"},
		{counts{"": 20}, counts{"a": 5, "b": 5}, 0.05, "10 of 20"},
		{counts{"a": 10}, counts{"a": 0}, 1, "a: 10 of 10"}, // no limit allows nothing at all
		{counts{"a": 10}, counts{"a": 1}, 1, ""},
		{counts{}, counts{"a": 1}, 0, ""},
		{nil, counts{"a": 0}, 0, ""},
		{counts{"a": 5}, counts{"a": 50}, 0, ""},
	} {
		if got := gone(c.before, c.now, c.limit); got != c.want {
			t.Errorf("%v, then %v, %v: %q, want %q", c.before, c.now, c.limit, got, c.want)
		}
	}
}
