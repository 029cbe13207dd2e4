package features

import (
	"fmt"
	"slices"

	"github.com/commonplace/commonplace"
)

// kinds are the units of a document that have features of their own: what the
// paper's genres have (scripture document and chapter; drama act and scene;
// prose chapter and paragraph). Latin's section came later, with [units].
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
		out = append(out, placedIn(kind)...)
	}
	return slices.Concat(out, units)
}()

// placedIn are the features of a passage within a unit, and of the unit in the document.
func placedIn(unit string) []Feature {
	out := []Feature{
		{unit + "_index", "ln(1 + place among the passages of the " + unit + ")", placeSource},
		{unit + "_position", "relative place in the " + unit + ", 0 to 1", placeSource},
		{unit + "_first", "1 for the first passage of the " + unit, placeSource},
		{unit + "_last", "1 for the last", placeSource},
	}
	for d := range deciles {
		out = append(out, Feature{fmt.Sprintf("%s_decile_%d", unit, d), fmt.Sprintf("1 in tenth %d of the %s", d, unit), placeSource})
	}
	if unit == commonplace.PlaceDocument {
		return out
	}
	return append(out,
		Feature{unit + "_number", "ln(1 + place of the " + unit + " in the document)", placeSource},
		Feature{unit + "_number_position", "relative place of the " + unit + " in the document, 0 to 1", placeSource},
		Feature{unit + "_number_first", "1 in the first " + unit + " of the document", placeSource},
		Feature{unit + "_number_last", "1 in the last", placeSource})
}

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
		writePlace(p, kind, rest[:size])
		rest = rest[size:]
	}
	writeUnits(p, rest)
}

// writePlace writes the features of a passage within a unit, and of the unit in the
// document if there is room for them.
func writePlace(p *commonplace.Passage, name string, mine []float32) {
	u, ok := placeOf(p, name)
	if !ok {
		return
	}
	mine[0], mine[1], mine[2], mine[3] = logOf(u.PassageIndex), float32(u.Position), bit(u.First), bit(u.Last)
	if u.Decile >= 0 && u.Decile < deciles {
		mine[4+u.Decile] = 1
	}
	if len(mine) > placeSize {
		writeNumber(mine[placeSize:], u.Index, u.Count)
	}
}

// writeNumber writes which of how many units it is.
func writeNumber(vector []float32, index, count int64) {
	vector[0] = logOf(index)
	vector[1] = float32(float64(index) / float64(max(1, count)))
	vector[2], vector[3] = bit(index == 0), bit(index == count-1)
}

// placeOf is the outermost place of a kind.
func placeOf(p *commonplace.Passage, name string) (commonplace.Place, bool) {
	i := slices.IndexFunc(p.Places, func(u commonplace.Place) bool { return u.Kind == name })
	if i < 0 {
		return commonplace.Place{}, false
	}
	return p.Places[i], true
}
