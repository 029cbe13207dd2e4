package align

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
)

// pair is one aligned pair of symbols, equal or not.
type pair struct{ d, s int32 }

// trace bits of a cell.
const (
	fromDiagonal = 0
	fromLeft     = 1 // gap: symbol of s without a partner
	fromAbove    = 2 // gap: symbol of d without a partner
	fromMask     = 3
	leftOpened   = 4 // the gap in the row began here
	aboveOpened  = 8
	minusMany    = -1 << 28
)

// cell is the score of an alignment that ends there, and of the best that ends
// there in a vertical gap.
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
			dn, sn = dn+run, sn+run
			di, si = di+step*run, si+step*run
			nd, ns = nd-run, ns-run
		}
		bd, bs, edge := x.block(d, s, di, si, step, min(nd, blockSymbols), min(ns, blockSymbols+maxBand))
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
		if bd < blockSymbols-maxBand {
			return pairs, dn, sn, edge && ns < blockSymbols+maxBand
		}
	}
}

// block runs one dynamic programme of at most n rows (symbols of d) and m
// columns (symbols of s). The pairs of the best path are left in x.steps, last first.
func (x *extender) block(d, s []byte, di, si, step, n, m int) (bd, bs int, edge bool) {
	x.steps = x.steps[:0]
	if n <= 0 || m <= 0 {
		return 0, 0, m <= 0 && n > 0
	}
	if len(x.row) < m+2 {
		x.row, x.s = make([]cell, m+2), make([]byte, m+2)
	}
	if cap(x.rowLo) < n+2 {
		x.rowLo, x.rowAt = make([]int32, n+2), make([]int32, n+2)
	}
	x.rowLo, x.rowAt = x.rowLo[:n+1], x.rowAt[:n+1]
	row, walked := x.row, x.s
	dead := cell{minusMany, minusMany}
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
		row[j] = cell{v, minusMany}
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
	for i := 1; i <= n; i++ {
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
		floor := top - xDrop
		newLo, newHi := -1, lo
		diag := int32(minusMany) // best of the row before, column before
		left := int32(minusMany) // best score that ends in a horizontal gap
		prev := int32(minusMany) // best of this row, column before
		for j := lo; j <= m; j++ {
			if j >= hi {
				row[j] = dead
				if j >= filled {
					walked[j] = s[dAt(si, step, j)] & symbol
					filled = j + 1
				}
			}
			e := &row[j]
			up := e.best
			// Gaps.
			t := byte(0)
			g := e.gap + each
			if o := up + open + each; o >= g {
				g = o
				t = aboveOpened
			}
			l := left + scoreGap
			if o := prev + scoreOpen + scoreGap; o >= l {
				l = o
				t |= leftOpened
			}
			v := diag + scoreMismatch
			if walked[j] == c {
				v = diag + scoreMatch
			}
			if j == 0 {
				v = minusMany
			}
			if g > v {
				v = g
				t |= fromAbove
			}
			if l > v {
				v = l
				t = t&^fromMask | fromLeft
			}
			diag = up
			trace = append(trace, t)
			if v < floor {
				*e = dead
				prev, left = minusMany, l
				if j >= hi {
					break
				}
				continue
			}
			left, prev = l, v
			e.best, e.gap = v, g
			if newLo < 0 {
				newLo = j
			}
			newHi = j + 1
			if v > top {
				top, bi, bj = v, i, j
				floor = top - xDrop
			}
		}
		if newLo < 0 {
			break
		}
		lo, hi = newLo, newHi
		edge = edge || hi > m
	}
	x.trace = trace
	x.walk(bi, bj)
	return bi, bj, edge
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
