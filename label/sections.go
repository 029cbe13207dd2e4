package label

import (
	"slices"

	"github.com/commonplace/commonplace"
)

// Sections are the sections of a document for [Marked]: from the first passage that begins
// in one to the end of the last. The paper has those of the Perseus library, which roughly
// are lines, paragraphs or sentences. Here they are the places of kind section, and in a
// document without any its paragraphs. Genres other than [Latin] have none.
func Sections(genre Genre, passages []commonplace.Passage) []commonplace.Span {
	if genre != Latin {
		return nil
	}
	kind := commonplace.PlaceParagraph
	if slices.ContainsFunc(passages, func(p commonplace.Passage) bool { return beginsIn(p, commonplace.PlaceSection) }) {
		kind = commonplace.PlaceSection
	}
	var sections []commonplace.Span
	open, index := false, int64(0)
	for _, p := range inOrder(passages) {
		place, ok := placeOf(p, kind)
		begin := int(p.Begin)
		if n := len(sections); n > 0 && (!ok || place.Index != index) {
			last := &sections[n-1]
			last.End = min(last.End, begin) // chunks overlap
			if last.End <= last.Begin {
				sections = sections[:n-1] // nothing is left of it
			}
		}
		switch {
		case !ok:
		case open && place.Index == index:
			last := &sections[len(sections)-1]
			last.End = max(last.End, int(p.End))
		default:
			sections = append(sections, commonplace.Span{Begin: begin, End: int(p.End)})
		}
		open, index = ok, place.Index
	}
	return sections
}

func beginsIn(p commonplace.Passage, kind string) bool {
	_, ok := placeOf(p, kind)
	return ok
}
