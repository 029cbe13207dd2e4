package label

import (
	"slices"
	"testing"

	"github.com/commonplace/commonplace"
)

func TestSections(t *testing.T) {
	// begin and end of each passage, and the number of its paragraph and section; -1 for none
	of := func(rows ...[4]int64) []commonplace.Passage {
		var list []commonplace.Passage
		for i, r := range rows {
			p := commonplace.Passage{Index: int64(i), Begin: r[0], End: r[1], Places: []commonplace.Place{{Kind: commonplace.PlaceDocument}}}
			if r[3] >= 0 {
				p.Places = append(p.Places, commonplace.Place{Kind: commonplace.PlaceSection, Index: r[3]})
			}
			if r[2] >= 0 {
				p.Places = append(p.Places, commonplace.Place{Kind: commonplace.PlaceParagraph, Index: r[2]})
			}
			list = append(list, p)
		}
		return list
	}
	for what, c := range map[string]struct {
		passages []commonplace.Passage
		want     []commonplace.Span
	}{
		"paragraphs":              {of([4]int64{0, 4, 0, -1}, [4]int64{5, 9, 0, -1}, [4]int64{11, 15, 1, -1}), spans(0, 9, 11, 15)},
		"sections":                {of([4]int64{0, 4, 0, -1}, [4]int64{5, 9, 1, 0}, [4]int64{10, 15, 2, 0}, [4]int64{16, 19, 3, 1}), spans(5, 15, 16, 19)},
		"something between":       {of([4]int64{0, 4, -1, 3}, [4]int64{5, 9, -1, -1}, [4]int64{10, 15, -1, 3}), spans(0, 4, 10, 15)},
		"chunks that overlap":     {of([4]int64{0, 8, 0, -1}, [4]int64{4, 12, 0, -1}, [4]int64{9, 16, 2, -1}), spans(0, 9, 9, 16)},
		"one in another":          {of([4]int64{0, 12, 0, -1}, [4]int64{4, 8, 0, -1}), spans(0, 12)},
		"of one beginning":        {of([4]int64{0, 4, 0, -1}, [4]int64{0, 8, 1, -1}, [4]int64{9, 12, 1, -1}), spans(0, 12)},
		"no places":               {of([4]int64{0, 4, -1, -1}), nil},
		"passages in other order": {[]commonplace.Passage{of([4]int64{0, 4, 0, -1}, [4]int64{5, 9, 0, -1})[1], of([4]int64{0, 4, 0, -1})[0]}, spans(0, 9)},
	} {
		if got := Sections(Latin, c.passages); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", what, got, c.want)
		}
		if got := Sections(Prose, c.passages); got != nil {
			t.Errorf("%s of prose: %v", what, got)
		}
	}
}
