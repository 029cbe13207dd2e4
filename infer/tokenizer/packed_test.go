package tokenizer

import (
	"fmt"
	"reflect"
	"testing"
)

// A packed input is what training packs (models/tests/test_packed.py writes the file), id by id.
func TestPackedEqualsTraining(t *testing.T) {
	t.Parallel()
	type packedRow struct {
		Tokenizer string `json:"tokenizer"`
		Lengths   [3]int `json:"lengths"`
		BodyStart int64  `json:"body_start"`
		Title     string `json:"title"`
		Body      string `json:"body"`
		Passage   string `json:"passage"`
		Longest   int    `json:"longest"`

		IDs      []int64  `json:"ids"`
		Types    []int64  `json:"types"`
		Offsets  [][2]int `json:"offsets"`
		Sequence []int8   `json:"sequence"`
	}
	read := map[string]*Tokenizer{}
	n, cut := 0, 0
	eachLine(t, "testdata/packed.jsonl", func(line int, want packedRow) {
		tok := read[want.Tokenizer]
		if tok == nil {
			opened, err := Open("testdata/" + want.Tokenizer + ".json")
			if err != nil {
				t.Fatal(err)
			}
			tok = opened.With(&Truncation{Max: 8}, nil) // which does not count
			read[want.Tokenizer] = tok
		}
		p := Packed{want.Lengths[0], want.Lengths[1], want.Lengths[2], want.BodyStart}
		if got := tok.Ids(p); got != want.Longest {
			t.Errorf("line %d: at most %d ids, want %d", line, got, want.Longest)
		}
		var e Encoding
		if err := tok.EncodePacked(&e, p, want.Title, want.Body, want.Passage); err != nil {
			t.Fatalf("line %d: %v", line, err)
		}
		offsets := [][2]int{}
		for _, s := range e.Spans {
			offsets = append(offsets, [2]int{s.Begin, s.End})
		}
		got := packedRow{IDs: e.IDs, Types: e.Types, Offsets: offsets, Sequence: e.Sequence}
		if w := (packedRow{IDs: want.IDs, Types: want.Types, Offsets: want.Offsets, Sequence: want.Sequence}); !reflect.DeepEqual(got, w) {
			t.Errorf("line %d:\n%v, want\n%v", line, fmt.Sprint(got), w)
		}
		n++
		if e.Truncated {
			cut++
		}
		if whole := len(tok.Bare(want.Passage).IDs); e.Truncated != (whole > p.Passage) {
			t.Errorf("line %d: truncated is %v of a passage of %d ids", line, e.Truncated, whole)
		}
	})
	if n < 60 || cut < 10 {
		t.Errorf("%d rows, %d of them cut", n, cut)
	}
}
