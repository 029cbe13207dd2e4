// Package match aligns a position of a quoting text with a position of a source, and weighs the
// evidence in bits that the words were quoted.
//
// A [Matcher] does the steps in turn for each hit of a seed:
//
//   - [Matcher.Ungapped] and [Matcher.Promising] estimate cheaply what an alignment could reach.
//   - [Matcher.Align] aligns letters, settles the ends by evidence, and gives a [Piece].
//   - [Matcher.Chains] joins the pieces over ellipses and short gaps, and [Matcher.Complete]
//     adds parts that are too short for a seed.
//   - [Matcher.Row] makes a [Chain] into an alignment.
//
// In names, d is the derived side, which quotes, and s is the source.
package match

import (
	"slices"
	"sort"
	"unicode/utf8"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align/edit"
	"github.com/commonplace/commonplace/align/fold"
	"github.com/commonplace/commonplace/align/marks"
	"github.com/commonplace/commonplace/align/ngrams"
)

// Matcher aligns positions of a derived side (a document, or a text of a quote list)
// with positions of source texts. It has the scratch memory of one goroutine.
type Matcher struct {
	Counts        *ngrams.Counts
	MinSimilarity float64 // of a match that is completed
	Ignore        *Phrases

	Ignored     []commonplace.Span // where these phrases stand in Derived, in symbols
	DerivedText string
	Derived     *fold.Text
	Marks       *marks.Marks
	SourceText  string
	win         fold.Text
	Bounds

	x        edit.Extender
	pairs    []edit.Pair
	words    []word
	triples  []uint32
	inCommon inCommon
	Slack    float64 // bits below the threshold at which an estimate is still promising
	Around   float64 // fraction of the surprisal around a segment that must be estimated to match
	match    [256]uint64
	touched  uint32 // the result of reads ahead, so that the compiler does not drop them

	Cuttable bool     // merging may cut a match: list its words
	Listed   bool     // the derived side is a listed quote: note which of its words are there
	Arena    []Border // of all pieces
	packed   []byte   // scratch of PackBorders
}

// Cells are the cells of all tables so far, and the letters compared without one: the cost.
func (m *Matcher) Cells() int { return m.x.Cells }

// Bounds limit an alignment: symbols of Derived, bytes of SourceText.
type Bounds struct{ DLo, DHi, SLo, SHi int }

// Piece is an aligned segment: symbols of the derived side, bytes of the source text.
type Piece struct {
	D0, D1      int
	S0, S1      int // S1 is after the last character
	Bits        float64
	open        float64 // evidence of the mark at its beginning, and at its end
	close       float64
	opened      bool // a quotation mark is at its beginning, and at its end
	closed      bool
	matched     int      // source words unchanged in the derived side
	touched     int      // source words aligned at all
	copies      int      // occurrences of the source words in the collection
	boilerplate []uint32 // counts of those words that are boilerplate
	gaps        []ellipsis
	words       []Border   // if merging may cut the match
	replaced    int        // source words that the derived side does not have
	longest     int        // the longest row of words between them
	interposed  []ellipsis // long rows of derived symbols without partner
	partners    []partner  // of a listed quote: of its symbols from D0
	Doc         int        // index of the source document
}

const (
	firstWindow = 400 // bytes of source folded at first on either side of the equal letters
	windowEdge  = 160 // and at least beyond an alignment, for the words around it
)

// alignWithin is Align in other bounds, for a position without a seed.
func (m *Matcher) alignWithin(b Bounds, di, sp int) (Piece, bool) {
	was := m.Bounds
	m.Bounds = b
	p, ok := m.Align(di, sp, sp, sp)
	m.Bounds = was
	return p, ok
}

// Align finds the alignment through derived symbol di and source byte sp, which
// begin an equal seed. The sides are known to be similar from s0 to s1.
func (m *Matcher) Align(di, sp, s0, s1 int) (Piece, bool) {
	for before, after := firstWindow, firstWindow; ; {
		lo, hi := m.window(s0-before, s1+after)
		m.win.Fold(m.SourceText, lo, hi)
		a := m.symbolOf(sp)
		if a < 0 {
			return Piece{}, false
		}
		m.x.Inserted = m.Marks.Inserted
		var edgeL, edgeR bool
		m.pairs, _, _, edgeL = m.x.Extend(m.pairs[:0], m.Derived.Sym, m.win.Sym, di, a, -1, m.DLo, 0)
		slices.Reverse(m.pairs)
		m.pairs, _, _, edgeR = m.x.Extend(m.pairs, m.Derived.Sym, m.win.Sym, di, a, 1, m.DHi, len(m.win.Sym))
		if len(m.pairs) == 0 {
			return Piece{}, false
		}
		edgeL = lo > m.SLo && (edgeL || int(m.win.Pos[m.pairs[0].S])-lo < windowEdge)
		edgeR = hi < m.SHi && (edgeR || hi-int(m.win.Pos[m.pairs[len(m.pairs)-1].S]) < windowEdge)
		if !edgeL && !edgeR {
			break
		}
		if edgeL {
			before *= 4
		}
		if edgeR {
			after *= 4
		}
	}
	m.drawToWordEnds()
	m.drawToMarks()
	return m.finish()
}

// drawToWordEnds extends m.pairs to the beginning and end of the words at its ends, where
// as many letters remain on both sides. A local alignment stops before the
// last damaged letter, but the evidence needs the whole damaged word.
func (m *Matcher) drawToWordEnds() {
	d, s := m.Derived.Sym, m.win.Sym
	last := m.pairs[len(m.pairs)-1]
	i, j := int(last.D)+1, int(last.S)+1
	for i < m.DHi && j < len(s) && (d[i]|s[j])&fold.WordStart == 0 {
		i, j = i+1, j+1
	}
	if (i == m.DHi || d[i]&fold.WordStart != 0) && (j == len(s) || s[j]&fold.WordStart != 0) {
		for k := int(last.D) + 1; k < i; k++ {
			m.pairs = append(m.pairs, edit.Pair{D: int32(k), S: last.S + int32(k) - last.D})
		}
	}
	first := m.pairs[0]
	i, j = int(first.D), int(first.S)
	for i > m.DLo && j > 0 && (d[i]|s[j])&fold.WordStart == 0 {
		i, j = i-1, j-1
	}
	if n := int(first.D) - i; n > 0 && (i == m.DLo || d[i]&fold.WordStart != 0) && s[j]&fold.WordStart != 0 {
		m.pairs = slices.Insert(m.pairs, 0, make([]edit.Pair, n)...)
		for k := range n {
			m.pairs[k] = edit.Pair{D: int32(i + k), S: int32(j + k)}
		}
	}
}

// finish decides the ends of m.pairs and weighs what is left.
func (m *Matcher) finish() (Piece, bool) {
	m.slideToEllipses()
	words := m.readWords(m.pairs)
	to := m.bestEnd(words, m.pairs)
	from := m.bestBegin(words, m.pairs)
	if from >= to {
		return Piece{}, false
	}
	bits, matched, touched := m.weigh(words, m.pairs, from, to)
	copies := fewestCopies(words, from, to)
	gaps, bits := m.splitAtEllipses(words, from, to, bits)
	a, b := m.pairs[from], m.pairs[to-1]
	s0, s1 := m.wholeWords(words, from, to)
	var borders []Border
	if m.Cuttable {
		borders = m.bordersOf(words, from, to, gaps)
	}
	var partners []partner
	if m.Listed {
		partners = m.partnersIn(words, from, to)
	}
	replaced, longest := replacedIn(words, from, to)
	return Piece{replaced: replaced, longest: longest, words: borders, partners: partners, interposed: m.interposedIn(from, to), D0: int(a.D), D1: int(b.D) + 1, S0: int(m.win.Pos[s0]), S1: m.win.End(m.SourceText, s1), Bits: bits, matched: matched, touched: touched, copies: copies, boilerplate: m.boilerplateTriples(words, from, to), gaps: gaps,
		open: m.openBits(int(a.D), int(a.S)), close: m.closeBits(int(b.D)+1, int(b.S)+1),
		opened: m.Marks.At(m.Marks.Open, int(a.D)) > 0, closed: m.Marks.At(m.Marks.Close, int(b.D)+1) > 0}, true
}

// window clips a range of source bytes to the document and to whole characters.
func (m *Matcher) window(lo, hi int) (int, int) {
	lo, hi = min(max(lo, m.SLo), m.SHi), max(min(hi, m.SHi), m.SLo)
	for lo > m.SLo && lo < m.SHi && !utf8.RuneStart(m.SourceText[lo]) {
		lo--
	}
	for hi < m.SHi && !utf8.RuneStart(m.SourceText[hi]) {
		hi++
	}
	return lo, hi
}

// symbolOf is the window's symbol whose character begins at byte sp, or -1.
func (m *Matcher) symbolOf(sp int) int {
	pos := m.win.Pos[:len(m.win.Sym)]
	a := sort.Search(len(pos), func(i int) bool { return int(pos[i]) >= sp })
	if a == len(pos) || int(pos[a]) != sp {
		return -1
	}
	return a
}

// drawToMarks extends m.pairs to the nearest closing mark after its end and the
// nearest opening mark before its beginning, where the local alignment stopped
// before them. bestEnd and bestBegin decide whether that was right.
func (m *Matcher) drawToMarks() {
	last := m.pairs[len(m.pairs)-1]
	d, s := int(last.D)+1, int(last.S)+1
	if k := marks.After(m.Marks.Close, d, markReach); k > d && k <= m.DHi {
		m.pairs = append(m.pairs, m.force(d, k, s, 1)...)
	}
	first := m.pairs[0]
	d, s = int(first.D), int(first.S)
	if k := marks.Before(m.Marks.Open, d, markReach); k >= 0 && k < d && k >= m.DLo {
		more := m.force(k, d, s, -1)
		slices.Reverse(more)
		m.pairs = append(more, m.pairs...)
	}
}

// force aligns all of d[from:to] with a segment of the window that begins
// (step 1) or ends (step -1) at symbol s, by edit distance. The pairs come in
// order away from s.
func (m *Matcher) force(from, to, s, step int) []edit.Pair {
	n := to - from
	room := len(m.win.Sym) - s
	if step < 0 {
		room = s
	}
	c := min(room, n+n/2+8)
	if n <= 0 || c <= 0 {
		return nil
	}
	dAt := func(i int) int { // i-th symbol from the anchor, from 1
		if step > 0 {
			return from + i - 1
		}
		return to - i
	}
	sAt := func(j int) int {
		if step > 0 {
			return s + j - 1
		}
		return s - j
	}
	w := c + 1
	cost := make([]int32, (n+1)*w)
	for j := 1; j <= c; j++ {
		cost[j] = int32(j)
	}
	for i := 1; i <= n; i++ {
		row, up := cost[i*w:(i+1)*w], cost[(i-1)*w:i*w]
		row[0] = int32(3 * i)
		x := m.Derived.Sym[dAt(i)] & fold.Mask
		for j := 1; j <= c; j++ {
			v := up[j-1]
			if x != m.win.Sym[sAt(j)]&fold.Mask {
				v += 3
			}
			row[j] = min(v, up[j]+3, row[j-1]+1)
		}
	}
	end := 0
	for j := 1; j <= c; j++ {
		if cost[n*w+j] <= cost[n*w+end] { // a changed letter rather than a lost one
			end = j
		}
	}
	var out []edit.Pair
	for i, j := n, end; i > 0 && j > 0; {
		v := cost[i*w+j]
		equal := m.Derived.Sym[dAt(i)]&fold.Mask == m.win.Sym[sAt(j)]&fold.Mask
		switch {
		case equal && v == cost[(i-1)*w+j-1], !equal && v == cost[(i-1)*w+j-1]+3:
			out = append(out, edit.Pair{D: int32(dAt(i)), S: int32(sAt(j))})
			i, j = i-1, j-1
		case v == cost[(i-1)*w+j]+3:
			i--
		default:
			j--
		}
	}
	slices.Reverse(out)
	return out
}

func decode(text string, i int) (rune, int)     { return utf8.DecodeRuneInString(text[i:]) }
func decodeLast(text string, i int) (rune, int) { return utf8.DecodeLastRuneInString(text[:i]) }

// sentencePoint reports whether r is one of the points that end or divide sentences.
func sentencePoint(r rune) bool {
	switch r {
	case '.', ',', ';', ':', '!', '?', '\u2026':
		return true
	}
	return false
}
