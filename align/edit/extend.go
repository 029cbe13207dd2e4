// Package edit compares two folded texts letter by letter: the best local alignment outward
// from an anchor ([Extender]) and the longest common subsequence ([Common], [Similarity]).
package edit

import (
	"slices"

	"github.com/commonplace/commonplace/align/fold"
)

// Extension: from an anchor outward in one direction, the best local alignment
// that never falls more than xDrop below the best score so far (Zhang et al.
// 2000, as in gapped BLAST), with affine gaps (Gotoh 1982). The scores are near
// half-bits of English letters. The evidence of whole words decides in the end (package
// match), so the scores need not be finer.
const (
	scoreMatch    = 2
	scoreMismatch = -3
	scoreOpen     = -4 // first symbol of a gap costs scoreOpen + scoreGap
	scoreGap      = -1
	xDrop         = 30

	blockSymbols = 1024 // rows of one dynamic programme; longer alignments are done block by block
	maxBand      = 192  // columns of a row at most
	slide        = 12   // symbols of an equal run that are aligned nevertheless
	restart      = 16   // equal symbols after which all other paths are dead
	ahead        = 18   // equal symbols that must follow to make a restart worth while
)

// Pair is one aligned pair of symbols, equal or not.
type Pair struct{ D, S int32 }

// Trace bits of a cell. Where a diagonal step and gaps give the same score the
// greatest number is taken.
const (
	fromLeft     = 0 // gap: symbol of s without a partner
	fromAbove    = 1 // gap: symbol of d without a partner
	fromDiagonal = 2
	fromMask     = 3
	leftOpened   = 4 // the gap in the row began here
	aboveOpened  = 8
	traceBits    = 4 // scores in the tables are shifted by so many bits, and trace bits are below them
	minusMany    = -1 << 28
)

// cell is the score of an alignment that ends there, and of the best that ends
// there in a vertical gap, both shifted.
type cell struct{ best, gap int32 }

// Extender has the rows of the dynamic programme, for reuse.
type Extender struct {
	row      []cell
	s        []byte // symbols of s in the order of walking, without flags
	filled   int    // columns whose symbols are in s
	trace    []byte
	rowLo    []int32 // first column of every row
	rowAt    []int32 // index in trace of every row's first column
	steps    []Pair
	Inserted []bool // symbols of d that may be left without partner at no cost; nil if none
	Cells    int    // of all tables so far, and symbols compared without one: the cost
}

// side is one side of an extension: the symbols from an anchor outward.
type side struct {
	sym  []byte
	base int // index of the symbol before the first
	step int // 1 forward, -1 backward
	n    int // symbols up to the bound
}

func outward(sym []byte, at, end, step int) side {
	s := side{sym: sym, base: at - 1, step: step, n: (end - at) * step}
	if step < 0 {
		s.base = at
	}
	return s
}

// at is the index of the i-th symbol, from 1.
func (s *side) at(i int) int { return s.base + s.step*i }

func (s *side) symbol(i int) byte { return s.sym[s.base+s.step*i] & fold.Mask }

// pass goes on behind the next n symbols.
func (s *side) pass(n int) {
	s.base += s.step * n
	s.n -= n
}

// Extend aligns d[di:], s[si:] outward (step 1) or d[:di], s[:si] backward (step
// -1) and appends the aligned pairs in the order of walking. dEnd and sEnd bound the
// two sides. It returns the symbols taken on both sides and whether it came
// near the bound of s, where a longer window might take it further.
func (x *Extender) Extend(pairs []Pair, d, s []byte, di, si, step, dEnd, sEnd int) (out []Pair, dn, sn int, atEdge bool) {
	a, b := outward(d, di, dEnd, step), outward(s, si, sEnd, step)
	pass := func(n, m int) {
		a.pass(n)
		b.pass(m)
		dn, sn = dn+n, sn+m
	}
	for {
		// Where the texts are equal no table is needed, but for the last few
		// symbols, over which a gap may have to slide.
		run := 0
		for n := min(a.n, b.n); run < n && a.symbol(run+1) == b.symbol(run+1); run++ {
		}
		run = max(0, run-slide)
		for k := 1; k <= run; k++ {
			pairs = append(pairs, Pair{int32(a.at(k)), int32(b.at(k))})
		}
		x.Cells += run
		pass(run, run)
		bd, bs, edge, again := x.block(&a, &b)
		for _, p := range slices.Backward(x.steps) {
			pairs = append(pairs, Pair{int32(a.at(int(p.D))), int32(b.at(int(p.S)))})
		}
		near := b.n < blockSymbols+maxBand
		pass(bd, bs)
		if !again && bd < blockSymbols-maxBand {
			return pairs, dn, sn, edge && near
		}
	}
}

// block runs one dynamic programme of a block's rows (symbols of d) and columns (symbols
// of s) at most. The pairs of the best path are left in x.steps, last first, counted from 1.
// It ends early, to go on again, where the best path has come so far through equal
// symbols that no other can be alive, and more of them follow.
func (x *Extender) block(d, s *side) (bd, bs int, edge, again bool) {
	x.steps = x.steps[:0]
	n, m := min(d.n, blockSymbols), min(s.n, blockSymbols+maxBand)
	if n <= 0 || m <= 0 {
		return 0, 0, m <= 0 && n > 0, false
	}
	lo, hi := 0, x.begin(n, m, s) // columns lo..hi-1 of the row are alive
	best := reached{}
	straight := 0 // rows in which the best path went on through equal symbols
	for i := 1; i <= n; i++ {
		was := best
		if hi-lo > maxBand {
			lo, hi = narrow(lo, hi, best.j+i-best.i)
		}
		if lo, hi = x.fill(i, lo, hi, m, d, s, &best); lo == hi {
			break
		}
		edge = edge || hi > m
		straight++
		if best.i != i || was.i != i-1 || best.j != was.j+1 || x.s[best.j] != d.symbol(i) {
			straight = 0
		}
		if straight >= restart && min(n-i, m-best.j) >= ahead && equalAhead(d, s, i, best.j) {
			again = true
			break
		}
	}
	x.Cells += len(x.trace)
	x.walk(best.i, best.j)
	return best.i, best.j, edge, again
}

// reached is a cell of the table with its score.
type reached struct {
	i, j  int
	score int32
}

// begin makes row 0, in which only a gap in d goes on, and returns how many of its columns are alive.
func (x *Extender) begin(n, m int, s *side) int {
	if len(x.row) < m+2 {
		x.row, x.s = make([]cell, m+2), make([]byte, m+2)
	}
	if cap(x.rowLo) < n+2 {
		x.rowLo, x.rowAt = make([]int32, n+2), make([]int32, n+2)
	}
	x.rowLo, x.rowAt = x.rowLo[:n+1], x.rowAt[:n+1]
	x.rowLo[0], x.rowAt[0] = 0, 0
	x.row[0] = cell{0, minusMany}
	x.trace = append(x.trace[:0], 0)
	j := 1
	for ; j <= m; j++ {
		score := int32(scoreOpen + scoreGap*j)
		if score < -xDrop {
			break
		}
		x.row[j] = cell{score << traceBits, minusMany}
		x.s[j] = s.symbol(j)
		x.trace = append(x.trace, fromLeft)
	}
	if len(x.trace) > 1 {
		x.trace[1] |= leftOpened
	}
	x.filled = j
	return j
}

// fill makes row i from the row before, of which columns lo..hi-1 are alive, and
// returns those that are alive then.
func (x *Extender) fill(i, lo, hi, m int, d, s *side, best *reached) (int, int) {
	open, each := int32(scoreOpen), int32(scoreGap)
	if x.Inserted != nil && x.Inserted[d.at(i)] {
		open, each = 0, 0
	}
	r := rowOf{c: d.symbol(i), open: (open + each) << traceBits, each: each << traceBits, diag: minusMany, left: minusMany, prev: minusMany, top: best.score}
	at, width := len(x.trace), hi-lo
	x.rowLo[i], x.rowAt[i] = int32(lo), int32(at)
	x.trace = slices.Grow(x.trace, m+1-lo)
	trace := x.trace[at : at+m+1-lo]
	row, letters := x.row[:m+1], x.s[:m+1]
	if k := r.walk(row[lo:hi], letters[lo:hi], trace); k >= 0 {
		best.i, best.j = i, lo+k
	}
	end := lo + r.alive
	for lo < end && row[lo].best == minusMany {
		lo++
	}
	// Beyond the row before only a gap goes on, and one diagonal step.
	for j := hi; j <= m; j++ {
		if j >= x.filled {
			letters[j] = s.symbol(j)
			x.filled = j + 1
		}
		row[j] = cell{minusMany, minusMany}
		if r.walk(row[j:j+1], letters[j:j+1], trace[width:]) >= 0 {
			best.i, best.j = i, j
		}
		width++
		if row[j].best == minusMany {
			break
		}
		if lo == end {
			lo = j
		}
		end = j + 1
	}
	best.score = r.top
	x.trace = x.trace[:at+width]
	return lo, end
}

// equalAhead reports whether the symbols after d's i-th and s's j-th are equal.
func equalAhead(d, s *side, i, j int) bool {
	for k := 1; k <= ahead; k++ {
		if d.symbol(i+k) != s.symbol(j+k) {
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

// walk fills cells, which have the row before, and their trace. It returns the
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

// narrow keeps maxBand columns around the diagonal of the best cell.
func narrow(lo, hi, centre int) (int, int) {
	l := max(lo, min(centre-maxBand/2, hi-maxBand))
	h := min(hi, l+maxBand)
	return l, h
}

// walk goes back from cell (i, j) and leaves the aligned pairs in x.steps, last first.
func (x *Extender) walk(i, j int) {
	state := byte(fromDiagonal)
	for i > 0 || j > 0 {
		t := x.trace[int(x.rowAt[i])+j-int(x.rowLo[i])]
		if state == fromDiagonal {
			state = t & fromMask
			if state == fromDiagonal {
				x.steps = append(x.steps, Pair{int32(i), int32(j)})
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
