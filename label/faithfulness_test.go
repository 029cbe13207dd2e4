package label

import (
	"strings"
	"testing"
)

func TestFaithfulness(t *testing.T) {
	for _, c := range []struct {
		answer string
		share  float64
		said   bool
	}{
		{"The wheel turned: yes\nIt was red: no\n\nMen sat by it: **Yes**.\nThey sang - yes", .75, true},
		{"It turned: no", 0, true},
		{"Here they are:\nIt turned: yes", 1, true},
		{"I cannot say.", 0, false},
		{"", 0, false},
	} {
		if share, said := Faithfulness(c.answer); share != c.share || said != c.said {
			t.Errorf("%q: %v, %v", c.answer, share, said)
		}
	}
	if q := FaithfulnessQuestion("the context", "other words"); !strings.Contains(q, "First text: the context") || !strings.Contains(q, "Second text: other words") {
		t.Error(q)
	}
}
