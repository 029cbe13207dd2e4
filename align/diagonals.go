package align

import (
	"slices"

	"github.com/commonplace/commonplace/align/index"
	"github.com/commonplace/commonplace/align/match"
)

// diagonal remembers what was seen last on a band of 64 diagonals.
type diagonal struct {
	near        int32     // byte of the last hit, or up to which a stretch was looked at
	last        int32     // byte up to which the last stretch was looked at
	skip        int32     // hits before this byte are parts of what was looked at
	match.Score           // what the best stretch near last says
	wait        index.Hit // a hit at near that nothing supports yet; symbol is -1 where there is none
}

const (
	pairReach = 160 // bytes between two stretches of one diagonal that support each other

	ways     = 4  // slots of a set
	leastSet = 9  // log2 of the sets at first
	mostSet  = 12 // and of those that are kept for the next text
)

// diagonals is a table of the bands that were seen within reach. The side that is
// read moves on byte by byte, and what lies further back is forgotten, so the
// table stays small however long the text: sets of a few slots, in which a band
// that is out of reach makes room. Most hits stand alone, and for those the sets
// say enough, which stay in the nearest cache. The table grows where a set is full of
// bands within reach, so that nothing is forgotten early.
type diagonals struct {
	sets  []bandSet
	slot  []diagonal // ways of each set
	shift uint       // of a band's hash to its set
	floor int32      // byte before which nothing will be asked for any more
}

// bandSet is the bands of a few slots, 0 where one is free, and the bytes up to
// which something was seen on them.
type bandSet struct{ band, seen [ways]int32 }

// reset empties the table.
func (t *diagonals) reset() {
	t.floor = 0
	if t.slot == nil || t.shift < 32-mostSet {
		t.make(32 - leastSet)
		return
	}
	clear(t.sets)
}

// make makes the table empty, for a shift.
func (t *diagonals) make(shift uint) {
	t.shift = shift
	t.sets, t.slot = make([]bandSet, 1<<(32-shift)), make([]diagonal, ways<<(32-shift))
}

// setOf is the number of the set of a band.
func (t *diagonals) setOf(band int32) int { return int(uint32(band) * 0x9e3779b1 >> t.shift) }

// find is the number of the band's slot, or -1.
func (t *diagonals) find(band int32) int {
	at := t.setOf(band)
	for i, b := range t.sets[at].band {
		if b == band {
			return at*ways + i
		}
	}
	return -1
}

// see notes that something was seen on a slot up to byte to. What was seen out of reach
// before is forgotten, whether another band has taken the slot meanwhile or not.
func (t *diagonals) see(slot int, to int32) *diagonal {
	e := &t.slot[slot]
	if to-e.near >= pairReach {
		e.wait.Symbol = -1
	}
	e.near = max(e.near, to)
	t.sets[slot/ways].seen[slot%ways] = max(e.near, e.skip)
	return e
}

// enter is a new slot for a band that has none.
func (t *diagonals) enter(band int32) int {
	for {
		at := t.setOf(band)
		set := &t.sets[at]
		for i := range set.band {
			if set.out(i, t.floor) {
				set.band[i] = band
				t.slot[at*ways+i] = diagonal{near: -pairReach, last: -pairReach, wait: index.Hit{Symbol: -1}}
				return at*ways + i
			}
		}
		t.grow()
	}
}

// out says whether a slot is free, or what it holds is out of reach.
func (s *bandSet) out(i int, floor int32) bool {
	return s.band[i] == 0 || floor-s.seen[i] >= pairReach
}

// grow makes room for more bands within reach.
func (t *diagonals) grow() {
	sets, slot := t.sets, t.slot
grow:
	for {
		t.make(t.shift - 1)
		for k := range sets {
			for i, band := range sets[k].band {
				if sets[k].out(i, t.floor) {
					continue
				}
				at := t.setOf(band)
				free := slices.Index(t.sets[at].band[:], 0)
				if free < 0 {
					continue grow
				}
				t.sets[at].band[free], t.sets[at].seen[free] = band, sets[k].seen[i]
				t.slot[at*ways+free] = slot[k*ways+i]
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

// look says whether a hit at byte d on this diagonal need be looked at, and the
// stretches that stand near it already.
func (t *diagonals) look(diag int64, d int32) (look bool, beside [2]*match.Score) {
	band, neighbour := bands(diag)
	for i, b := range [2]int32{band, neighbour} {
		k := t.find(b)
		if k < 0 {
			continue
		}
		e := &t.slot[k]
		if d < e.skip {
			return false, beside
		}
		if d-e.last < pairReach {
			beside[i] = &e.Score
		}
	}
	return true, beside
}

// await says whether another hit on the diagonal, or on the band beside it,
// stands within reach before d, and gives back the one that was waiting for it.
// Where there is none, h waits.
func (t *diagonals) await(diag int64, d int32, h index.Hit) (supported bool, waiting index.Hit) {
	band, neighbour := bands(diag)
	own := t.find(band)
	for _, k := range [2]int{own, t.find(neighbour)} {
		if k >= 0 && d-t.slot[k].near < pairReach {
			e := t.see(k, d)
			waiting, e.wait.Symbol = e.wait, -1
			return true, waiting
		}
	}
	if own < 0 {
		own = t.enter(band)
	}
	t.see(own, d).wait = h
	return false, index.Hit{Symbol: -1}
}

// done notes that everything on the diagonal up to byte to was looked at, and
// what the stretch there says.
func (t *diagonals) done(diag int64, to int32, s match.Score) {
	band, _ := bands(diag)
	k := t.find(band)
	if k < 0 {
		k = t.enter(band)
	}
	e := &t.slot[k]
	if to-e.last > pairReach || s.Bits > e.Bits {
		e.Score = s
	}
	e.skip, e.last = max(e.skip, to), max(e.last, to)
	t.see(k, to)
}
