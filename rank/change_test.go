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
