package features

import (
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/commonplace/commonplace"
)

// Placed features of places made by hand: a passage is in the second of three scenes of the
// last act, the eighth of nine scenes of the play.
func TestPlacesOfDrama(t *testing.T) {
	checkPlaces(t, commonplace.Passage{Position: 0.5, Places: []commonplace.Place{
		{Kind: "document", Count: 1, PassageIndex: 50, Passages: 100, Position: 0.5, Decile: 5},
		{Kind: "act", Index: 2, Count: 3, IndexWithin: 2, CountWithin: 3, PassageIndex: 7, Passages: 10, Position: 0.7, Decile: 7},
		{Kind: "scene", Index: 7, Count: 9, IndexWithin: 1, CountWithin: 3, PassageIndex: 0, Passages: 4, First: true},
	}}, map[string]float64{
		"position": 0.5, "document_index": math.Log(51), "document_position": 0.5, "document_decile_5": 1,
		"act_index": math.Log(8), "act_position": 0.7, "act_decile_7": 1,
		"act_number": math.Log(3), "act_number_position": 2.0 / 3, "act_number_last": 1, "act_number_decile_6": 1,
		"scene_first": 1, "scene_decile_0": 1, // scene_index and scene_position are 0
		"scene_number": math.Log(8), "scene_number_position": 7.0 / 9, "scene_number_decile_7": 1,
		"scene_within_number": math.Log(2), "scene_within_number_position": 1.0 / 3, "scene_within_number_decile_3": 1,
	})
}

// The last paragraph of the first chapter, in which a section begins.
func TestPlacesOfSections(t *testing.T) {
	checkPlaces(t, commonplace.Passage{Places: []commonplace.Place{
		{Kind: "chapter", Index: 0, Count: 20, IndexWithin: 0, CountWithin: 20, PassageIndex: 3, Passages: 4, Position: 0.75, Decile: 7, Last: true},
		{Kind: "section", Index: 12, Count: 13, IndexWithin: 1, CountWithin: 2, PassageIndex: 9, Passages: 10, Position: 0.9, Decile: 9, Last: true},
		{Kind: "paragraph", Index: 4, Count: 40, IndexWithin: 4, CountWithin: 5, PassageIndex: 1, Passages: 2, Position: 0.5, Decile: 5, Last: true},
	}}, map[string]float64{
		"position_first": 1,
		"chapter_index":  math.Log(4), "chapter_position": 0.75, "chapter_last": 1, "chapter_decile_7": 1,
		"chapter_number_first": 1, "chapter_number_decile_0": 1,
		"section_index": math.Log(10), "section_position": 0.9, "section_last": 1, "section_decile_9": 1,
		"section_number": math.Log(13), "section_number_position": 12.0 / 13, "section_number_last": 1, "section_number_decile_9": 1,
		"paragraph_index": math.Log(2), "paragraph_position": 0.5, "paragraph_last": 1, "paragraph_decile_5": 1,
		"paragraph_number": math.Log(5), "paragraph_number_position": 0.1, "paragraph_number_decile_1": 1,
		"paragraph_within_number": math.Log(5), "paragraph_within_number_position": 0.8, "paragraph_within_number_last": 1, "paragraph_within_number_decile_8": 1,
	})
}

// Places that a table should not have leave tenths out, and are no crash.
func TestPlacesThatCannotBe(t *testing.T) {
	checkPlaces(t, commonplace.Passage{Position: 0.5, Places: []commonplace.Place{{Kind: "section", Index: 5, Count: 2, Decile: 12}}}, map[string]float64{
		"position": 0.5, "section_number": math.Log(6), "section_number_position": 2.5,
	})
}

// checkPlaces holds all placed features of a passage to those that are not 0.
func checkPlaces(t *testing.T, p commonplace.Passage, want map[string]float64) {
	t.Helper()
	x := make([]float32, Count-iPlaced)
	writePlaces(&p, x)
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if !slices.Contains(Names[iPlaced:], name) {
			t.Errorf("there is no feature %s", name)
		}
	}
	for i, name := range Names[iPlaced:] {
		if math.Abs(float64(x[i])-want[name]) > 1e-6 {
			t.Errorf("%s is %v, want %v", name, x[i], want[name])
		}
	}
}

// Features that were added stand behind all others: models name columns of one version.
func TestAddedPlacesAreLast(t *testing.T) {
	if n := slices.Index(Names, "section_index"); n < 0 || Names[n-1] != "paragraph_number_last" || n != Count-len(units) {
		t.Errorf("section_index is feature %d of %d, want it right behind paragraph_number_last", n, Count)
	}
}
