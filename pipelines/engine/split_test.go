package engine

import (
	"strings"
	"testing"
)

func TestUnevenSplit(t *testing.T) {
	if note := unevenSplit(map[string]int64{"in_train": 895, "in_test": 7}); !strings.Contains(note, "of 902 rows 895 are in train, 0 in validation, 7 in test") {
		t.Errorf("%q", note)
	}
	for _, counts := range []map[string]int64{{"in_train": 80, "in_validation": 10, "in_test": 10}, {"truncated": 3}, nil} {
		if note := unevenSplit(counts); note != "" {
			t.Errorf("%v: %q", counts, note)
		}
	}
}
