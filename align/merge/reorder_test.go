package merge

import (
	"testing"

	"github.com/commonplace/commonplace"
)

// A find of sentences in another order takes the place of rows that are in its parts and say less.
func TestReorderTakesTheirPlace(t *testing.T) {
	row := func(d0, d1, s0, s1 int64, score float64) commonplace.Alignment {
		return commonplace.Alignment{SourceID: "s", DerivedBegin: d0, DerivedEnd: d1, SourceBegin: s0, SourceEnd: s1, Score: score}
	}
	first, second := row(0, 50, 160, 210, 40), row(60, 110, 100, 150, 40)
	for _, c := range []struct {
		name  string
		rows  []commonplace.Alignment
		score float64
		want  int
	}{
		{"two parts", []commonplace.Alignment{first, second}, 60, 1},
		{"less evidence than a part", []commonplace.Alignment{first, second}, 39, 2},
		{"a row in the gap", []commonplace.Alignment{first, row(51, 59, 151, 159, 20), second}, 60, 3},
		{"a row that begins before it", []commonplace.Alignment{row(-20, 10, 0, 30, 30), first, second}, 60, 3},
		{"a row that ends after it", []commonplace.Alignment{first, second, row(105, 140, 300, 335, 30)}, 60, 3},
		{"one part", []commonplace.Alignment{first}, 60, 1},
		{"others before and after", []commonplace.Alignment{row(-20, 0, 0, 20, 30), first, second, row(110, 140, 300, 330, 30)}, 60, 3},
	} {
		find := row(0, 110, 100, 210, c.score)
		find.ID = "find"
		find.Parts = []commonplace.Part{{DerivedBegin: 0, DerivedEnd: 50, SourceBegin: 160, SourceEnd: 210}, {DerivedBegin: 60, DerivedEnd: 110, SourceBegin: 100, SourceEnd: 150}}
		before := len(c.rows)
		rows := reorder(c.rows, []Candidate{{Alignment: find}})
		taken := false
		for _, r := range rows {
			taken = taken || r.ID == "find"
		}
		if len(rows) != c.want || taken != (c.want < before) {
			t.Errorf("%s: %d rows, %v", c.name, len(rows), rows)
		}
	}
}
