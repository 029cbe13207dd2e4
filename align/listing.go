package align

import (
	"fmt"
	"math"
	"slices"

	"github.com/commonplace/commonplace/align/fold"
	"github.com/commonplace/commonplace/align/index"
	"github.com/commonplace/commonplace/align/marks"
	"github.com/commonplace/commonplace/align/ngrams"
)

// listMaker has the scratch memory for making a list.
type listMaker struct {
	f      fold.Text
	marks  marks.Marks
	words  []ngrams.Word
	sum    []float32
	seeker index.Seeker
	seeds  int            // of all texts so far
	seen   map[uint64]int // occurrences of a seed in the quote
	band   int            // bands of diagonals of all texts so far
}

// reserve allocates the tables of all texts. It fails if they are too large.
func (m *listMaker) reserve(l *QuoteList) error {
	letters, texts, bands := 0, 0, 0
	for from := range l.byText() {
		text := l.quotes[from].text
		m.f.Fold(text, 0, len(text))
		letters, texts, bands = letters+len(m.f.Sym), texts+1, bands+bandsOf(text)
	}
	if letters+texts*fold.Padding >= math.MaxInt32 || bands >= mostBands {
		return fmt.Errorf("align: %d quotes with %d letters are too many for one list; split it", texts, letters)
	}
	l.texts = make([]listText, 0, texts)
	l.sym, l.indexed = make([]byte, 0, letters+texts*fold.Padding), make([]uint8, 0, letters+texts*fold.Padding)
	l.pos.short = make([]uint16, 0, letters+texts)
	return nil
}

// bandsOf is the number of bands of diagonals of a text.
func bandsOf(text string) int { return (len(text)+listApart)>>index.BandBits + 1 }

// add adds the text of quotes[from:to].
func (l *QuoteList) add(m *listMaker, from, to int) {
	text := l.quotes[from].text
	m.band += bandsOf(text)
	m.f.Fold(text, 0, len(text))
	m.words, m.sum = l.stats.counts.ReadWords(&m.f, m.words, m.sum)
	m.marks.Find(text, &m.f)
	t := listText{text: text, quotes: [2]int32{int32(from), int32(to)}, begin: int32(len(l.sym)), letters: int32(len(m.f.Sym)), band: int32(m.band),
		ellipses: slices.Clone(m.marks.Ellipses), inserted: slices.Clone(m.marks.Inserted)}
	l.texts = append(l.texts, t)
	n := len(m.f.Sym)
	l.sym = append(l.sym, m.f.Sym[:n+fold.Padding]...)
	for len(l.coarse)*coarseStep < len(l.sym) {
		l.coarse = append(l.coarse, int32(len(l.texts)-1))
	}
	l.pos.add(m.f.Pos[:n+1])
	l.indexed = append(l.indexed, make([]uint8, n+fold.Padding)...)
	l.chooseSeeds(m, &t, n)
}

// chooseSeeds marks which seeds of the text that was folded last are in the index, and lists
// those without its misprints.
func (l *QuoteList) chooseSeeds(m *listMaker, t *listText, n int) {
	allowed := l.stats.counts.SeedLimits(quoteShort, quoteLong)
	pad := m.f.Sym[:n+fold.Padding]
	if n > seedRepeat && m.seen == nil {
		m.seen = map[uint64]int{}
	}
	clear(m.seen)
	again := func(hash uint64) bool { // a repetitive text is found often enough
		if n <= seedRepeat {
			return false
		}
		m.seen[hash]++
		return m.seen[hash] > seedRepeat
	}
	for i := range n {
		short, long := fold.SeedHashes(pad, i)
		place := t.begin + int32(i)
		if l.stats.counts.SeedCount(short) <= allowed[0] {
			if !again(short) {
				l.indexed[place] |= indexedShort
				m.seeds++
			}
		} else if l.stats.counts.SeedCount(long) <= allowed[1] && !again(long) {
			l.indexed[place] |= indexedLong
			m.seeds++
		}
	}
	m.seeker.Unknown = index.UnknownWords{}
	m.seeker.FindMisprints(l.stats.counts, pad, m.words, len(m.words))
	next := 0
	for _, w := range m.words {
		for next < len(m.seeker.Misprints) && m.seeker.Misprints[next].At < w.At {
			next++
		}
		for _, d := range m.seeker.Misprints[next:] {
			if d.At-w.At >= fold.LongSeed {
				break
			}
			hash, long := d.Undone(pad, int(w.At))
			if c := l.stats.counts.SeedCount(hash); c > 0 && c <= allowed[0] {
				if d.At-w.At >= fold.ShortSeed {
					continue
				}
			} else if c := l.stats.counts.SeedCount(long); c > 0 && c <= allowed[1] {
				hash = long
			} else {
				continue
			}
			place := uint32(t.begin + w.At)
			m.seeds++
			l.altered = append(l.altered, index.Entry{Hash: hash, Offset: place})
			l.indexed[place] |= indexedAltered
		}
	}
}

// addSeeds adds the chosen seeds of all texts to an index.
func (l *QuoteList) addSeeds(pass *index.Pass) {
	altered := l.altered
	for _, t := range l.texts {
		end := int(t.begin + t.letters)
		for i := int(t.begin); i < end; i++ {
			if l.indexed[i]&(indexedShort|indexedLong) == 0 {
				continue
			}
			hash, long := fold.SeedHashes(l.sym, i)
			if l.indexed[i]&indexedLong != 0 {
				hash = long
			}
			pass.Add(hash, uint32(i))
		}
		for len(altered) > 0 && int(altered[0].Offset) < end {
			pass.Add(altered[0].Hash, altered[0].Offset)
			altered = altered[1:]
		}
	}
}
