package align

import "slices"

// Extension: from an anchor outward in one direction, the best local alignment
// that never falls more than xDrop below the best score so far (Zhang et al.
// 2000, as in gapped BLAST), with affine gaps (Gotoh 1982). The scores are near
// half-bits of English letters; what decides in the end is the evidence of
// whole words, in evidence.go, so they need to be no finer.
const (
	scoreMatch    = 2
	scoreMismatch = -3
	scoreOpen     = -4 // first symbol of a gap costs scoreOpen + scoreGap
	scoreGap      = -1
	xDrop         = 30

	blockSymbols = 1024 // rows of one dynamic programme; longer alignments are done block by block
	maxBand      = 192  // columns of a row at most
	slide        = 12   // symbols of an equal run that are aligned all the same
	restart      = 16   // equal symbols after which all other paths are dead
	ahead        = 18   // equal symbols that must follow to make a restart worth while
)

// pair is one aligned pair of symbols, equal or not.
type pair struct{ d, s int32 }

// Trace bits of a cell. Where a diagonal step and gaps give the same score the
// greatest number is taken.
const (
	fromLeft     = 0 // gap: symbol of s without a partner
	fromAbove    = 1 // gap: symbol of d without a partner
	fromDiagonal = 2
	fromMask     = 3
	leftOpened   = 4 // the gap in the row began here
	aboveOpened  = 8
	traceBits    = 4 // scores in the tables are shifted by so many bits, and trace bits stand below them
	minusMany    = -1 << 28
)

// cell is the score of an alignment that ends there, and of the best that ends
// there in a vertical gap, both shifted.
type cell struct{ best, gap int32 }

// extender holds the rows of the dynamic programme, for reuse.
type extender struct {
	row      []cell
	s        []byte // symbols of s in the order of walking, without flags
	trace    []byte
	rowLo    []int32 // first column of every row
	rowAt    []int32 // index in trace of every row's first column
	steps    []pair
	inserted []bool // symbols of d that may be left without partner at no cost; nil if none
	cells    int    // of all tables so far, and symbols compared without one: the cost
}

// extend aligns d[di:], s[si:] outward (step 1) or d[:di], s[:si] backward (step
// -1) and appends the aligned pairs in the order of walking. dEnd and sEnd bound the
// two sides. It returns the symbols taken on both sides and whether it came
// near the bound of s, where a longer window might take it further.
func (x *extender) extend(pairs []pair, d, s []byte, di, si, step, dEnd, sEnd int) (out []pair, dn, sn int, atEdge bool) {
	for {
		nd, ns := (dEnd-di)*step, (sEnd-si)*step
		// Where the texts are equal no table is needed, but for the last few
		// symbols, over which a gap may have to slide.
		run := 0
		for n := min(nd, ns); run < n && d[dAt(di, step, run+1)]&symbol == s[dAt(si, step, run+1)]&symbol; run++ {
		}
		for k := range max(0, run-slide) {
			pairs = append(pairs, pair{int32(dAt(di, step, k+1)), int32(dAt(si, step, k+1))})
		}
		if run = max(0, run-slide); run > 0 {
			x.cells += run
			dn, sn = dn+run, sn+run
			di, si = di+step*run, si+step*run
			nd, ns = nd-run, ns-run
		}
		bd, bs, edge, again := x.block(d, s, di, si, step, min(nd, blockSymbols), min(ns, blockSymbols+maxBand))
		for k := len(x.steps) - 1; k >= 0; k-- {
			p := x.steps[k]
			if step > 0 {
				pairs = append(pairs, pair{int32(di) + p.d, int32(si) + p.s})
			} else {
				pairs = append(pairs, pair{int32(di) - 1 - p.d, int32(si) - 1 - p.s})
			}
		}
		dn, sn = dn+bd, sn+bs
		di, si = di+step*bd, si+step*bs
		if !again && bd < blockSymbols-maxBand {
			return pairs, dn, sn, edge && ns < blockSymbols+maxBand
		}
	}
}

// block runs one dynamic programme of at most n rows (symbols of d) and m
// columns (symbols of s). The pairs of the best path are left in x.steps, last first.
// It ends early, to go on again, where the best path has come so far through equal
// symbols that no other can be alive, and more of them follow.
func (x *extender) block(d, s []byte, di, si, step, n, m int) (bd, bs int, edge, again bool) {
	x.steps = x.steps[:0]
	if n <= 0 || m <= 0 {
		return 0, 0, m <= 0 && n > 0, false
	}
	if len(x.row) < m+2 {
		x.row, x.s = make([]cell, m+2), make([]byte, m+2)
	}
	if cap(x.rowLo) < n+2 {
		x.rowLo, x.rowAt = make([]int32, n+2), make([]int32, n+2)
	}
	x.rowLo, x.rowAt = x.rowLo[:n+1], x.rowAt[:n+1]
	row, walked := x.row, x.s
	trace := x.trace[:0]
	// Row 0: only a gap in d.
	lo, hi := 0, 1 // columns lo..hi-1 of the row are alive
	row[0] = cell{0, minusMany}
	trace = append(trace, 0)
	for j := 1; j <= m; j++ {
		v := int32(scoreOpen + scoreGap*j)
		if v < -xDrop {
			break
		}
		row[j] = cell{v << traceBits, minusMany}
		walked[j] = s[dAt(si, step, j)] & symbol
		t := byte(fromLeft)
		if j == 1 {
			t |= leftOpened
		}
		trace = append(trace, t)
		hi = j + 1
	}
	filled := hi // columns whose symbols are in walked
	x.rowLo[0], x.rowAt[0] = 0, 0
	top, bi, bj := int32(0), 0, 0
	straight := 0 // rows in which the best path went on through equal symbols
	for i := 1; i <= n; i++ {
		lastI, lastJ := bi, bj
		at := dAt(di, step, i)
		c := d[at] & symbol
		open, each := int32(scoreOpen), int32(scoreGap)
		if x.inserted != nil && x.inserted[at] {
			open, each = 0, 0
		}
		if hi-lo > maxBand {
			lo, hi = narrow(lo, hi, bj+i-bi)
		}
		x.rowLo[i], x.rowAt[i] = int32(lo), int32(len(trace))
		newLo, newHi := lo, lo
		at0, width := len(trace), hi-lo
		if need := at0 + m + 1 - lo; need > cap(trace) {
			trace = slices.Grow(trace, need-at0)
		}
		tr := trace[at0 : at0+m+1-lo]
		r := rowOf{c: c, open: (open + each) << traceBits, each: each << traceBits, diag: minusMany, left: minusMany, prev: minusMany, top: top}
		if k := r.walk(row[lo:hi], walked[lo:hi], tr); k >= 0 {
			bi, bj = i, lo+k
		}
		newHi = lo + r.alive
		for newLo < newHi && row[newLo].best == minusMany {
			newLo++
		}
		// Beyond the row before only a gap goes on, and one diagonal step.
		for j := hi; j <= m; j++ {
			if j >= filled {
				walked[j] = s[dAt(si, step, j)] & symbol
				filled = j + 1
			}
			row[j] = cell{minusMany, minusMany}
			if r.walk(row[j:j+1], walked[j:j+1], tr[width:]) >= 0 {
				bi, bj = i, j
			}
			width++
			if row[j].best == minusMany {
				break
			}
			if newLo == newHi {
				newLo = j
			}
			newHi = j + 1
		}
		top = r.top
		trace = trace[:at0+width]
		if newLo == newHi {
			break
		}
		lo, hi = newLo, newHi
		edge = edge || hi > m
		straight++
		if bi != i || lastI != i-1 || bj != lastJ+1 || walked[bj] != c {
			straight = 0
		}
		if straight >= restart && equalAhead(d, s, at, dAt(si, step, bj), step, min(n-i, m-bj)) {
			again = true
			break
		}
	}
	x.trace = trace
	x.cells += len(trace)
	x.walk(bi, bj)
	return bi, bj, edge, again
}

// equalAhead says whether the next symbols after d[i] and s[j] are equal.
func equalAhead(d, s []byte, i, j, step, room int) bool {
	if room < ahead {
		return false
	}
	for k := 1; k <= ahead; k++ {
		if d[i+step*k]&symbol != s[j+step*k]&symbol {
			return false
		}
	}
	return true
}

// rowOf is what goes from one cell of a row to the next.
type rowOf struct {
	c          byte  // the symbol of d
	open, each int32 // what a vertical gap's first symbol costs, and each further one
	diag       int32 // best of the row before, column before
	left       int32 // best score that ends in a horizontal gap
	prev       int32 // what a horizontal gap after the column before begins with
	top        int32 // best score so far
	best       int   // the cell with the best score so far, -1 if it is none of these
	alive      int   // cells up to the last one that is alive
}

// walk fills cells, which hold the row before, and their trace. It returns the
// index of the cell with a new best score, or -1. What it compares is noise to
// a branch predictor, so it decides by maxima of scores with their trace below them.
func (r *rowOf) walk(cells []cell, letters, trace []byte) int {
	diag, left, prev, top := r.diag, r.left, r.prev, r.top
	c, open, each := r.c, r.open, r.each
	letters, trace = letters[:len(cells)], trace[:len(cells)]
	best := -1
	for k := range cells {
		e := &cells[k]
		g := max(e.gap+each, (e.best+open)|aboveOpened)
		l := max(left+scoreGap<<traceBits, prev|leftOpened)
		sub := int32(scoreMismatch<<traceBits | fromDiagonal)
		if letters[k] == c {
			sub = scoreMatch<<traceBits | fromDiagonal
		}
		t := g&aboveOpened | l&leftOpened
		g &^= 1<<traceBits - 1
		left = l &^ (1<<traceBits - 1)
		v := max(diag+sub, g|fromAbove)
		// A gap that opens after a gap costs more than that gap, one longer: it need not wait for left.
		prev = v&^(1<<traceBits-1) + (scoreOpen+scoreGap)<<traceBits
		v = max(v, left)
		diag = e.best
		trace[k] = byte(t | v&fromMask)
		v &^= 1<<traceBits - 1
		if v > top {
			top, best = v, k
		}
		if v < top-xDrop<<traceBits {
			v, g = minusMany, minusMany
		}
		e.best, e.gap = v, g
	}
	r.diag, r.left, r.prev, r.top, r.best = diag, left, prev, top, best
	for r.alive = len(cells); r.alive > 0 && cells[r.alive-1].best == minusMany; r.alive-- {
	}
	return r.best
}

// dAt is the index of the i-th symbol (from 1) from the anchor on.
func dAt(at, step, i int) int {
	if step > 0 {
		return at + i - 1
	}
	return at - i
}

// narrow keeps maxBand columns around the diagonal of the best cell.
func narrow(lo, hi, centre int) (int, int) {
	l := max(lo, min(centre-maxBand/2, hi-maxBand))
	h := min(hi, l+maxBand)
	return l, h
}

// walk goes back from cell (i, j) and leaves the aligned pairs in x.steps, last first.
func (x *extender) walk(i, j int) {
	state := byte(fromDiagonal)
	for i > 0 || j > 0 {
		t := x.trace[int(x.rowAt[i])+j-int(x.rowLo[i])]
		if state == fromDiagonal {
			state = t & fromMask
			if state == fromDiagonal {
				x.steps = append(x.steps, pair{int32(i - 1), int32(j - 1)})
				i, j = i-1, j-1
				continue
			}
		}
		if state == fromLeft {
			if t&leftOpened != 0 {
				state = fromDiagonal
			}
			j--
		} else {
			if t&aboveOpened != 0 {
				state = fromDiagonal
			}
			i--
		}
	}
}
