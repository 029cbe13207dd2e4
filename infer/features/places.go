package features

import (
	"fmt"
	"slices"

	"github.com/commonplace/commonplace"
)

// kinds are the units of a document that have features of their own: what the
// paper's genres have (scripture document and chapter; drama act and scene;
// prose chapter and paragraph).
var kinds = []string{commonplace.PlaceDocument, commonplace.PlaceAct, commonplace.PlaceChapter, commonplace.PlaceScene, commonplace.PlaceParagraph}

const (
	deciles     = 10
	placeSize   = 4 + deciles // features of a passage within a unit
	unitSize    = 4           // features of the unit among its like
	placeSource = "Appendix E.3"
)

// placed features come from passages.position and passages.places; a unit that a
// passage is in none of has zeros.
var placed = func() []Feature {
	out := []Feature{
		{"position", "passages.position: where the passage begins, in code points, 0 to 1", placeSource},
		{"position_first", "1 at the very beginning of the document, 0 from 5 % on", ours},
		{"position_last", "1 at the very end, 0 up to 95 %", ours},
	}
	for _, kind := range kinds {
		out = append(out,
			Feature{kind + "_index", "ln(1 + place among the passages of the " + kind + ")", placeSource},
			Feature{kind + "_position", "relative place in the " + kind + ", 0 to 1", placeSource},
			Feature{kind + "_first", "1 for the first passage of the " + kind, placeSource},
			Feature{kind + "_last", "1 for the last", placeSource})
		for d := range deciles {
			out = append(out, Feature{fmt.Sprintf("%s_decile_%d", kind, d), fmt.Sprintf("1 in tenth %d of the %s", d, kind), placeSource})
		}
		if kind == commonplace.PlaceDocument {
			continue
		}
		out = append(out,
			Feature{kind + "_number", "ln(1 + place of the " + kind + " in the document)", placeSource},
			Feature{kind + "_number_position", "relative place of the " + kind + " in the document, 0 to 1", placeSource},
			Feature{kind + "_number_first", "1 in the first " + kind + " of the document", placeSource},
			Feature{kind + "_number_last", "1 in the last", placeSource})
	}
	return out
}()

// writePlaces writes the placed features.
func writePlaces(p *commonplace.Passage, vector []float32) {
	vector[0] = float32(p.Position)
	vector[1] = float32(max(0, 1-20*p.Position))
	vector[2] = float32(max(0, 20*p.Position-19))
	rest := vector[3:]
	for _, kind := range kinds {
		size := placeSize
		if kind != commonplace.PlaceDocument {
			size += unitSize
		}
		mine := rest[:size]
		rest = rest[size:]
		i := slices.IndexFunc(p.Places, func(u commonplace.Place) bool { return u.Kind == kind })
		if i < 0 {
			continue
		}
		u := p.Places[i]
		mine[0], mine[1], mine[2], mine[3] = logOf(u.PassageIndex), float32(u.Position), bit(u.First), bit(u.Last)
		if u.Decile >= 0 && u.Decile < deciles {
			mine[4+u.Decile] = 1
		}
		if len(mine) > placeSize {
			unit := mine[placeSize:]
			unit[0] = logOf(u.Index)
			unit[1] = float32(float64(u.Index) / float64(max(1, u.Count)))
			unit[2], unit[3] = bit(u.Index == 0), bit(u.Index == u.Count-1)
		}
	}
}
