package features

import (
	"fmt"

	"github.com/commonplace/commonplace"
)

// numbered are the kinds whose place in the document is also given in tenths.
var numbered = []string{commonplace.PlaceAct, commonplace.PlaceChapter, commonplace.PlaceScene, commonplace.PlaceSection, commonplace.PlaceParagraph}

// enclosed are the kinds whose place in the unit around them is given: a scene in its act,
// a paragraph in its chapter.
var enclosed = []string{commonplace.PlaceScene, commonplace.PlaceParagraph}

var around = map[string]string{commonplace.PlaceScene: "act", commonplace.PlaceParagraph: "chapter"}

// units are the placed features that came after those of [kinds]. They stand behind them,
// so that models of before keep their columns.
var units = func() []Feature {
	out := placedIn(commonplace.PlaceSection)
	tenths := func(name, unit, of string) {
		for d := range deciles {
			out = append(out, Feature{fmt.Sprintf("%s_decile_%d", name, d), fmt.Sprintf("1 if the %s is in tenth %d of %s", unit, d, of), placeSource})
		}
	}
	for _, kind := range numbered {
		tenths(kind+"_number", kind, "the document")
	}
	for _, kind := range enclosed {
		name, around := kind+"_within", "the unit around it, such as its "+around[kind]
		out = append(out,
			Feature{name + "_number", "ln(1 + place of the " + kind + " in " + around + ")", placeSource},
			Feature{name + "_number_position", "relative place of the " + kind + " in " + around + ", 0 to 1", placeSource},
			Feature{name + "_number_first", "1 in the first " + kind + " of " + around, placeSource},
			Feature{name + "_number_last", "1 in the last", placeSource})
		tenths(name+"_number", kind, around)
	}
	return out
}()

// writeUnits writes these features.
func writeUnits(p *commonplace.Passage, vector []float32) {
	writePlace(p, commonplace.PlaceSection, vector[:placeSize+unitSize])
	vector = vector[placeSize+unitSize:]
	for _, kind := range numbered {
		if u, ok := placeOf(p, kind); ok {
			writeTenth(vector[:deciles], u.Index, u.Count)
		}
		vector = vector[deciles:]
	}
	for _, kind := range enclosed {
		if u, ok := placeOf(p, kind); ok {
			writeNumber(vector, u.IndexWithin, u.CountWithin)
			writeTenth(vector[unitSize:unitSize+deciles], u.IndexWithin, u.CountWithin)
		}
		vector = vector[unitSize+deciles:]
	}
}

// writeTenth marks the tenth that one of so many units is in.
func writeTenth(vector []float32, index, count int64) {
	if d := deciles * index / max(1, count); d >= 0 && d < deciles {
		vector[d] = 1
	}
}
