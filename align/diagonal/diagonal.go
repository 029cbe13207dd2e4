// Package diagonal remembers the hits and segments that a search has seen on each diagonal.
//
// A diagonal is the difference of the offsets on both sides. Hits on one diagonal, or on those
// near it, support each other, and a segment needs to be looked at only once.
package diagonal

import (
	"slices"

	"github.com/commonplace/commonplace/align/index"
	"github.com/commonplace/commonplace/align/match"
)

// entry is what was seen last on a band of 64 diagonals.
type entry struct {
	near        int32     // byte of the last hit, or the end of the last segment
	last        int32     // end of the last segment
	skip        int32     // hits before this byte are within the segment
	match.Score           // of the best segment near last
	wait        index.Hit // a hit at near without support so far; Symbol is -1 where there is none
}

// Reach is the number of bytes between two segments of one diagonal that support each other.
const Reach = 160

const (
	ways      = 4  // slots of a set
	leastSets = 9  // log2 of the sets at first
	mostSets  = 12 // and at most of those that are reused for the next text
)

// Table has the bands that were seen within reach. A search reads its text in order and
// forgets bands further back, so the table stays small however long the text. It consists
// of sets of a few slots, in which a new band replaces one that is out of reach. Most hits are
// isolated, and for those the sets suffice, which stay in the nearest cache. The table
// grows where a set is full of bands within reach, so that none is forgotten early.
type Table struct {
	sets  []set
	slots []entry // ways of each set
	shift uint    // of a band's hash to its set
	Floor int32   // byte before which the search will not ask again
}

// set is the bands of a few slots, 0 where one is free, and the bytes up to
// which something was seen on them.
type set struct{ bands, seen [ways]int32 }

// Reset empties the table.
func (t *Table) Reset() {
	t.Floor = 0
	if t.slots == nil || t.shift < 32-mostSets {
		t.allocate(32 - leastSets)
		return
	}
	clear(t.sets)
}

// allocate makes the table empty, for a shift.
func (t *Table) allocate(shift uint) {
	t.shift = shift
	t.sets, t.slots = make([]set, 1<<(32-shift)), make([]entry, ways<<(32-shift))
}

// setOf is the number of the set of a band.
func (t *Table) setOf(band int32) int { return int(uint32(band) * 0x9e3779b1 >> t.shift) }

// find is the number of the band's slot, or -1.
func (t *Table) find(band int32) int {
	at := t.setOf(band)
	for i, b := range t.sets[at].bands {
		if b == band {
			return at*ways + i
		}
	}
	return -1
}

// see records a hit or a segment up to byte to. What is out of reach before it is
// forgotten, even if no other band has taken the slot.
func (t *Table) see(slot int, to int32) *entry {
	e := &t.slots[slot]
	if to-e.near >= Reach {
		e.wait.Symbol = -1
	}
	e.near = max(e.near, to)
	t.sets[slot/ways].seen[slot%ways] = max(e.near, e.skip)
	return e
}

// insert is a new slot for a band that has none.
func (t *Table) insert(band int32) int {
	for {
		at := t.setOf(band)
		set := &t.sets[at]
		for i := range set.bands {
			if set.out(i, t.Floor) {
				set.bands[i] = band
				t.slots[at*ways+i] = entry{near: -Reach, last: -Reach, wait: index.Hit{Symbol: -1}}
				return at*ways + i
			}
		}
		t.grow()
	}
}

// out reports whether a slot is free, or its band is out of reach.
func (s *set) out(i int, floor int32) bool {
	return s.bands[i] == 0 || floor-s.seen[i] >= Reach
}

// grow enlarges the table for more bands within reach.
func (t *Table) grow() {
	sets, slot := t.sets, t.slots
grow:
	for {
		t.allocate(t.shift - 1)
		for k := range sets {
			for i, band := range sets[k].bands {
				if sets[k].out(i, t.Floor) {
					continue
				}
				at := t.setOf(band)
				free := slices.Index(t.sets[at].bands[:], 0)
				if free < 0 {
					continue grow
				}
				t.sets[at].bands[free], t.sets[at].seen[free] = band, sets[k].seen[i]
				t.slots[at*ways+free] = slot[k*ways+i]
			}
		}
		return
	}
}

// bands is the band of a diagonal, and the nearest one beside it.
func bands(diag int64) (band, beside int32) {
	band = int32(diag>>index.BandBits) + 1
	if diag&(1<<index.BandBits-1) >= 1<<(index.BandBits-1) {
		return band, band + 1
	}
	return band, band - 1
}

// Look reports whether a hit at byte d on this diagonal is new, and the scores of the
// segments near it.
func (t *Table) Look(diag int64, d int32) (look bool, beside [2]*match.Score) {
	band, neighbour := bands(diag)
	for i, b := range [2]int32{band, neighbour} {
		k := t.find(b)
		if k < 0 {
			continue
		}
		e := &t.slots[k]
		if d < e.skip {
			return false, beside
		}
		if d-e.last < Reach {
			beside[i] = &e.Score
		}
	}
	return true, beside
}

// Await reports whether another hit on the diagonal, or on the band beside it,
// is within reach before d, and returns the one that was waiting for support.
// Where there is none, h waits.
func (t *Table) Await(diag int64, d int32, h index.Hit) (supported bool, waiting index.Hit) {
	band, neighbour := bands(diag)
	own := t.find(band)
	for _, k := range [2]int{own, t.find(neighbour)} {
		if k >= 0 && d-t.slots[k].near < Reach {
			e := t.see(k, d)
			waiting, e.wait.Symbol = e.wait, -1
			return true, waiting
		}
	}
	if own < 0 {
		own = t.insert(band)
	}
	t.see(own, d).wait = h
	return false, index.Hit{Symbol: -1}
}

// Done records a segment on the diagonal up to byte to, and its score.
func (t *Table) Done(diag int64, to int32, s match.Score) {
	band, _ := bands(diag)
	k := t.find(band)
	if k < 0 {
		k = t.insert(band)
	}
	e := &t.slots[k]
	if to-e.last > Reach || s.Bits > e.Bits {
		e.Score = s
	}
	e.skip, e.last = max(e.skip, to), max(e.last, to)
	t.see(k, to)
}
