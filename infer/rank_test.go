package infer

import (
	"math"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// Whatever a head says of a pair, Rank makes it a number for a softmax.
func TestRankGivesScoresForASoftmax(t *testing.T) {
	for _, head := range HeadsFor(RankPairs) {
		m := load(t, filepath.Join(tinyModels, head))
		pairs := append(pairsOf(readGolden(t, head)), Pair{Context: "On lamps"})
		if head == "choice" { // knows the quotations of its list alone
			pairs[len(pairs)-1].Passage = pairs[0].Passage
		}
		got, err := m.Rank(t.Context(), pairs)
		if err != nil {
			t.Fatal(err)
		}
		want := make([]Opinion, len(pairs))
		if head == "span" {
			spans, err := m.Spans(t.Context(), pairs, 1)
			if err != nil {
				t.Fatal(err)
			}
			for i, s := range spans[:len(pairs)-1] {
				want[i] = Opinion{Score: s.Spans[0].Score, Span: s.Spans[0].Span, Truncated: s.Truncated}
			}
			want[len(pairs)-1].Score = -1e4 // a passage without words
		} else if head == "tag" {
			tagged, err := m.Tag(t.Context(), pairs)
			if err != nil {
				t.Fatal(err)
			}
			for i, of := range tagged {
				want[i] = Opinion{Score: -1e4, Truncated: of.Truncated}
				for _, s := range of.Spans {
					if math.Log(s.Score) > want[i].Score {
						want[i] = Opinion{Score: math.Log(s.Score), Span: s.Span, Truncated: of.Truncated}
					}
				}
				want[i].More = max(0, len(of.Spans)-1)
			}
		} else {
			scores, err := m.ScorePairs(t.Context(), pairs)
			if err != nil {
				t.Fatal(err)
			}
			for i, s := range scores {
				want[i] = Opinion{Score: s.Score, Truncated: s.Truncated}
				if head == "yes-no" {
					want[i].Score = math.Log(s.Score)
				}
			}
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, want %v", head, got, want)
		}
	}
	if _, err := load(t, tinyModels+"/embed").Rank(t.Context(), nil); err == nil || !strings.HasSuffix(err.Error(), "does not rank pairs: the heads rank, yes-no, seq2seq, span, tag, choice do") {
		t.Error(err)
	}
}
