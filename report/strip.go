package report

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"github.com/commonplace/commonplace"
)

// bins is the number of bars of a strip.
const bins = 120

// strip is one book from its first to its last passage: how quotable it is
// there, where its best passages stand, and what was quoted.
type strip struct {
	DocID    string
	Book     *book
	Passages int64
	Quoted   int64    // passages
	Quotes   int64    // alignments
	Dots     []dot    // the best passages
	Lines    []dot    // of them, those with a line to copy
	Said     []dot    // the most quoted, by what was quoted of them
	Area     string   // path of the mean percentile, in a box of 120 by 100
	Ticks    [][2]int // bin and number of quotations

	best, quoted []place

	end   int64 // code points
	high  float64
	marks [bins]int
}

// dot is a passage on a strip.
type dot struct {
	ID    string
	Left  string // percent
	Rank  int
	Text  string
	Times int64 // quoted
}

// byInterest puts books with many quoted passages first, then those with the
// most quotable passage.
func byInterest(a, b *strip) int {
	return cmp.Or(cmp.Compare(b.Quoted, a.Quoted), cmp.Compare(b.high, a.high), cmp.Compare(a.DocID, b.DocID))
}

// stripMaker gathers a book, of which neither the length nor the number of
// passages is known before its end: when it outgrows its bins they are halved.
type stripMaker struct {
	docID string
	s     strip
	best  best[place]
	most  best[place] // quoted
	width int64       // code points of one bin
	sums  [2 * bins]float64
	sizes [2 * bins]float64
}

func newStripMaker(docID string) *stripMaker {
	return &stripMaker{docID: docID, width: 1, best: best[place]{n: perBook, order: byRank}, most: best[place]{n: perBook, order: byCount}}
}

func (m *stripMaker) add(r commonplace.Ranking, p place) {
	m.s.Passages++
	if r.QuoteCount > 0 {
		m.s.Quoted++
		m.most.add(p)
	}
	if m.s.Passages == 1 || r.Score > m.s.high {
		m.s.high = r.Score
	}
	m.s.end = max(m.s.end, r.End)
	if p.rank != 0 { // without a model: it was quoted
		m.best.add(p)
	}
	for r.Begin/m.width >= 2*bins {
		for i := range bins {
			m.sums[i] = m.sums[2*i] + m.sums[2*i+1]
			m.sizes[i] = m.sizes[2*i] + m.sizes[2*i+1]
		}
		clear(m.sums[bins:])
		clear(m.sizes[bins:])
		m.width *= 2
	}
	m.sums[r.Begin/m.width] += r.Percentile
	m.sizes[r.Begin/m.width]++
}

// strip finishes the book.
func (m *stripMaker) strip() *strip {
	s := m.s
	s.DocID = m.docID
	s.best, s.quoted = m.best.sorted(), m.most.sorted()
	// The used bins, some part of 2*bins, become bins of the strip.
	var sums, sizes [bins]float64
	for i := range m.sums {
		to := s.bin(int64(i) * m.width)
		sums[to] += m.sums[i]
		sizes[to] += m.sizes[i]
	}
	var b strings.Builder
	b.WriteString("M0 100")
	level := 0.5
	for i := range bins {
		if sizes[i] > 0 {
			level = sums[i] / sizes[i]
		}
		fmt.Fprintf(&b, "V%.0fH%d", 100-100*level, i+1)
	}
	b.WriteString("V100Z")
	s.Area = b.String()
	return &s
}

// bin is the bin of a code point.
func (s *strip) bin(point int64) int {
	if s.end == 0 {
		return 0
	}
	return int(min(bins-1, max(0, point*bins/s.end)))
}

// mark counts a quotation of the book.
func (s *strip) mark(begin, end int64) {
	s.Quotes++
	s.marks[s.bin((begin+end)/2)]++
}

// finish gives the strip what the texts say.
func (s *strip) finish(texts map[string]*passage) {
	for i, p := range s.best {
		d := s.dot(i, p)
		if t := texts[p.id]; t != nil {
			d.Text = excerpt(t.Shown(), lineShown)
			if t.Line != nil {
				s.Lines = append(s.Lines, d)
			}
		}
		s.Dots = append(s.Dots, d)
	}
	if len(s.Lines) == 0 {
		s.Lines = s.Dots // the model does not read sentences
	}
	for i, p := range s.quoted {
		d := s.dot(i, p)
		if t := texts[p.id]; t != nil {
			d.Text = excerpt(cmp.Or(t.quoted, t.Shown()), lineShown)
		}
		s.Said = append(s.Said, d)
	}
	for i, n := range s.marks {
		if n > 0 {
			s.Ticks = append(s.Ticks, [2]int{i, n})
		}
	}
}

func (s *strip) dot(i int, p place) dot {
	left := 100 * float64(p.begin) / math.Max(1, float64(s.end))
	return dot{ID: p.id, Left: fmt.Sprintf("%.2f", left), Rank: i + 1, Times: p.count}
}

// Brief is the beginning of the dot's line.
func (d dot) Brief() string { return excerpt(d.Text, 60) }

// inList is how many lines of a book its lists have.
const inList = 5

// lineShown is how many code points of a line a book's list shows: all of a line of
// sixty words.
const lineShown = 420

// excerpt is a text on one line, cut at a word after about n code points.
func excerpt(text string, n int) string {
	var b strings.Builder
	for _, w := range strings.Fields(text) {
		if n -= len([]rune(w)) + 1; n < 0 {
			b.WriteString(" …")
			break
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(w)
	}
	return b.String()
}
