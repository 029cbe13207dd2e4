package label

import "testing"

func TestThinSplits(t *testing.T) {
	const end = ": figures of it say little; see label.split and label.queries"
	for _, c := range []struct {
		train, validation, test int64
		want                    string
	}{
		{0, 0, 0, ""},
		{96, 2, 2, ""},
		{100, 0, 1, "warning: the split validation is empty, test has 1 of 101 rows" + end},
		{0, 50, 50, "warning: the split train is empty" + end},
		{49, 0, 0, "warning: the rows are too few for three splits (of 49, validation is empty, test is empty): this matters only if you train or evaluate a model on them"},
		{50, 0, 0, "warning: the split validation is empty, test is empty" + end},
		{2, 0, 0, "warning: the rows are too few for three splits (of 2, validation is empty, test is empty): this matters only if you train or evaluate a model on them"},
	} {
		if got := ThinSplits(map[string]int64{Train: c.train, Validation: c.validation, Test: c.test}); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}
