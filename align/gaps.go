package align

import "math"

// The places of a text's symbols, in bytes, are kept as gaps: of each symbol from the one before,
// of the first from 0. Almost all are 1 or 2, so a byte holds them instead of four.

// wideGap stands for every gap that a byte does not hold; the place is in a list beside the gaps.
const wideGap = math.MaxUint8

// appendGaps appends the gaps between places, which never fall, and gives the places behind
// wide ones.
func appendGaps(gaps []byte, places []uint32) (_ []byte, far []uint32) {
	before := uint32(0)
	for _, p := range places {
		if p-before < wideGap {
			gaps = append(gaps, byte(p-before))
		} else {
			gaps, far = append(gaps, wideGap), append(far, p)
		}
		before = p
	}
	return gaps, far
}

// appendPlaces undoes appendGaps for the gaps of one text.
func appendPlaces(places []uint32, gaps []byte, far []uint32) []uint32 {
	at := uint32(0)
	for _, g := range gaps {
		if g == wideGap {
			at, far = far[0], far[1:]
		} else {
			at += uint32(g)
		}
		places = append(places, at)
	}
	return places
}
