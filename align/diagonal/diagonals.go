package diagonal

import (
	"slices"

	"github.com/commonplace/commonplace/align/index"
	"github.com/commonplace/commonplace/align/match"
)

// entry remembers what was seen last on a band of 64 diagonals.
type entry struct {
	near        int32     // byte of the last hit, or up to which a stretch was looked at
	last        int32     // byte up to which the last stretch was looked at
	skip        int32     // hits before this byte are parts of what was looked at
	match.Score           // what the best stretch near last says
	wait        index.Hit // a hit at near that nothing supports yet; symbol is -1 where there is none
}

const (
	Reach = 160 // bytes between two stretches of one diagonal that support each other

	ways      = 4  // slots of a set
	leastSets = 9  // log2 of the sets at first
	mostSets  = 12 // and of those that are kept for the next text
)

// Table is a table of the bands that were seen within reach. The side that is
// read moves on byte by byte, and what lies further back is forgotten, so the
// table stays small however long the text: sets of a few slots, in which a band
// that is out of reach makes room. Most hits stand alone, and for those the sets
// say enough, which stay in the nearest cache. The table grows where a set is full of
// bands within reach, so that nothing is forgotten early.
type Table struct {
	sets  []set
	slots []entry // ways of each set
	shift uint    // of a band's hash to its set
	Floor int32   // byte before which nothing will be asked for any more
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

// see notes that something was seen on a slot up to byte to. What was seen out of reach
// before is forgotten, whether another band has taken the slot meanwhile or not.
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

// out reports whether a slot is free, or what it holds is out of reach.
func (s *set) out(i int, floor int32) bool {
	return s.bands[i] == 0 || floor-s.seen[i] >= Reach
}

// grow makes room for more bands within reach.
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

// bands is the band of a diagonal, and the one that lies nearest to it.
func bands(diag int64) (band, beside int32) {
	band = int32(diag>>index.BandBits) + 1
	if diag&(1<<index.BandBits-1) >= 1<<(index.BandBits-1) {
		return band, band + 1
	}
	return band, band - 1
}

// Look reports whether a hit at byte d on this diagonal need be looked at, and the
// stretches that stand near it already.
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
// stands within reach before d, and gives back the one that was waiting for it.
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

// Done notes that everything on the diagonal up to byte to was looked at, and
// what the stretch there says.
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
