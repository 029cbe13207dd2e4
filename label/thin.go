package label

import (
	"fmt"
	"strings"
)

// LeastSplit is the share of the rows below which a split says little, and LeastRows is how
// many rows three splits need.
const (
	LeastSplit = 0.02
	LeastRows  = 50
)

// ThinSplits warns of the splits that are empty, or have under [LeastSplit] of the rows;
// empty where there is nothing to say. Of few rows it says that they are few.
func ThinSplits(rows map[string]int64) string {
	all := rows[Train] + rows[Validation] + rows[Test]
	if all == 0 {
		return ""
	}
	var thin []string
	for _, split := range []string{Train, Validation, Test} {
		n := rows[split]
		switch {
		case n == 0:
			thin = append(thin, split+" is empty")
		case float64(n) < LeastSplit*float64(all):
			thin = append(thin, fmt.Sprintf("%s has %d of %d rows", split, n, all))
		}
	}
	if len(thin) == 0 {
		return ""
	}
	if all < LeastRows {
		return fmt.Sprintf("warning: the rows are too few for three splits (of %d, %s): this matters only if you train or evaluate a model on them", all, strings.Join(thin, ", "))
	}
	return "warning: the split " + strings.Join(thin, ", ") + ": figures of it say little; see label.split and label.queries"
}
