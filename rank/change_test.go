package rank_test

import (
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/rank"
)

// ranking is rows from "doc:index rank text".
func ranking(lines ...string) iter.Seq2[commonplace.Ranking, error] {
	return func(yield func(commonplace.Ranking, error) bool) {
		for _, l := range lines {
			if l == "broken" {
				yield(commonplace.Ranking{}, errors.New("broken"))
				return
			}
			var r commonplace.Ranking
			fmt.Sscanf(strings.Replace(l, ":", " ", 1), "%s %d %d %s", &r.DocID, &r.Index, &r.RankOverall, &r.Text)
			r.Score, r.RankInDocument = -float64(r.RankOverall), r.RankOverall
			r.Percentile = 1 - float64(r.RankOverall)/10
			r.PassageID = fmt.Sprintf("%s:%d", r.DocID, r.Index)
			if !yield(r, nil) {
				return
			}
		}
	}
}

func TestChanges(t *testing.T) {
	was := ranking("a:0 1 x", "a:1 2 y", "b:0 3 z", "d:0 4 w", "d:1 5 v")
	is := ranking("a:0 2 x", "a:1 1 y", "c:0 3 n", "d:0 4 other", "d:1 5 v", "e:0 6 m")
	var got []string
	for c, err := range rank.Changes(was, is) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprint(c.PassageID, " ", c.Kind, " ", c.RankWas, " ", c.RankIs))
	}
	want := "a:0 fallen 1 2, a:1 risen 2 1, b:0 gone 3 0, c:0 new 0 3, d:0 gone 4 0, d:0 new 0 4, d:1 same 5 5, e:0 new 0 6"
	if s := strings.Join(got, ", "); s != want {
		t.Errorf("got  %s\nwant %s", s, want)
	}
	for _, side := range [][2]iter.Seq2[commonplace.Ranking, error]{{ranking("broken"), is}, {was, ranking("a:0 2 x", "broken")}} {
		failed := false
		for _, err := range rank.Changes(side[0], side[1]) {
			failed = failed || err != nil
		}
		if !failed {
			t.Error("a reader's error was lost")
		}
	}
}

// Passages that come move all others, which are no news: two books more are not a
// thousand passages fallen.
func TestWhatComesAndGoesMovesNothing(t *testing.T) {
	rows := func(more int64, score func(i int64) float64) iter.Seq2[commonplace.Ranking, error] {
		return func(yield func(commonplace.Ranking, error) bool) {
			for i := range int64(10) {
				r := commonplace.Ranking{DocID: "a", Index: i, Score: score(i), RankOverall: i + 1 + more, RankInDocument: 96 + i - more, Percentile: 1 - float64(i+1+more)/float64(10+more), QuoteCount: more * i}
				if !yield(r, nil) {
					return
				}
			}
		}
	}
	same := func(i int64) float64 { return -float64(i) }
	kinds, entered := map[string]int{}, 0
	for c, err := range rank.Changes(rows(0, same), rows(3, same)) {
		if err != nil || c.CountWas != 0 || c.CountIs != 3*(c.RankWas-1) {
			t.Fatal(err, c)
		}
		kinds[c.Kind]++
		if c.Entered(100) {
			entered++
		}
	}
	if kinds[rank.Same] != 10 || entered != 3 { // 101, 102 and 103 became 98, 99 and 100
		t.Errorf("%v, %d entered", kinds, entered)
	}
	kinds = map[string]int{}
	for c := range rank.Changes(rows(0, same), rows(3, func(i int64) float64 { return -float64(i) - 1 })) {
		kinds[c.Kind]++
	}
	if kinds[rank.Fallen] != 9 { // the last is above none, as before
		t.Errorf("another score: %v", kinds)
	}
}
