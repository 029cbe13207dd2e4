package align

import (
	"cmp"
	"encoding/binary"
	"slices"
	"sort"
	"strings"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align/fold"
	"github.com/commonplace/commonplace/align/merge"
)

// The ways in which a quote of a list may match.
const (
	MatchSimilar = "similar" // the words, damaged, shortened or changed
	MatchExact   = "exact"   // the string itself, code point for code point
)

// Matches are the ways in which a quote may match.
var Matches = []string{MatchSimilar, MatchExact}

// verbatim finds every occurrence of the texts of a list: strings that are equal byte for byte,
// which is code point for code point in UTF-8. Occurrences may overlap.
type verbatim struct {
	texts   []verbatimText // sorted
	shorter []int32        // the longest other text with which each text begins, or -1
	filter  []uint64       // a bit for each hash of the first bytes of a text
	first   int            // so many bytes
}

// verbatimText is one text of the list.
type verbatimText struct {
	text   string
	quotes [2]int32 // that have it
	bits   float64  // surprisal of its words
	words  int64
}

const (
	verbatimFilter = 20 // bits of a hash
	verbatimFirst  = 8
)

// newVerbatim prepares the texts. Empty texts are never found.
func newVerbatim(texts []verbatimText) *verbatim {
	v := &verbatim{texts: slices.DeleteFunc(texts, func(t verbatimText) bool { return t.text == "" }), first: verbatimFirst, filter: make([]uint64, 1<<verbatimFilter/64)}
	slices.SortFunc(v.texts, func(a, b verbatimText) int { return cmp.Compare(a.text, b.text) })
	v.shorter = make([]int32, len(v.texts))
	for i, t := range v.texts {
		v.first = min(v.first, len(t.text))
		k := int32(i) - 1
		for k >= 0 && !strings.HasPrefix(t.text, v.texts[k].text) {
			k = v.shorter[k]
		}
		v.shorter[i] = k
	}
	for _, t := range v.texts {
		h := v.hash(t.text)
		v.filter[h/64] |= 1 << (h % 64)
	}
	return v
}

// hash is the hash of the first bytes of a text, which has as many.
func (v *verbatim) hash(text string) uint64 {
	var b [verbatimFirst]byte
	copy(b[:v.first], text)
	return fold.Mix(binary.LittleEndian.Uint64(b[:])) >> (64 - verbatimFilter)
}

// each calls do with every text at every byte at which it occurs, in the order of the bytes. A text with which
// the rest of the document begins is the last text that sorts before the rest, or one with which that begins.
func (v *verbatim) each(document string, do func(t *verbatimText, at int)) {
	for i := 0; len(v.texts) > 0 && i+v.first <= len(document); i++ {
		rest := document[i:]
		if h := v.hash(rest); v.filter[h/64]&(1<<(h%64)) == 0 {
			continue
		}
		k := int32(sort.Search(len(v.texts), func(k int) bool { return v.texts[k].text > rest })) - 1
		for ; k >= 0; k = v.shorter[k] {
			if t := &v.texts[k]; strings.HasPrefix(rest, t.text) {
				do(t, i)
			}
		}
	}
}

// verbatimTexts are the texts of the list, with the surprisal of their words.
func (l *QuoteList) verbatimTexts() (texts []verbatimText) {
	var f fold.Text
	for from, to := range l.byText() {
		text := l.quotes[from].text
		f.Fold(text, 0, len(text))
		t := verbatimText{text: text, quotes: [2]int32{int32(from), int32(to)}, bits: l.stats.counts.ContextBits(&f, 0, len(f.Sym), false)}
		for _, s := range f.Sym {
			t.words += int64(s / fold.WordStart)
		}
		texts = append(texts, t)
	}
	return texts
}

// verbatimRows are the occurrences of the quotes in a document, as [QuoteList.Find] gives them.
func (l *QuoteList) verbatimRows(doc commonplace.Document) (out []commonplace.Alignment) {
	finds := map[*verbatimText][]commonplace.Alignment{}
	c := &listSearch{}
	c.f.Fold(doc.Text, 0, len(doc.Text))
	c.about(&doc)
	var points *commonplace.Offsets
	l.verbatim.each(doc.Text, func(t *verbatimText, at int) {
		if l.o.PerQuote > 0 && len(finds[t]) == l.o.PerQuote {
			return
		}
		if points == nil {
			points = commonplace.NewOffsets(doc.Text)
		}
		end := at + len(t.text)
		begin, n := int64(points.Point(at)), int64(points.Point(end)-points.Point(at))
		finds[t] = append(finds[t], commonplace.Alignment{
			Kind: commonplace.KindExact, DerivedEnd: n, DerivedText: t.text, SourceID: doc.ID, SourceBegin: begin, SourceEnd: begin + n, SourceText: doc.Text[at:end],
			Similarity: 1, MatchedWords: t.words, Score: t.bits, Places: 1,
		})
	})
	for t, rows := range finds {
		out = l.appendRows(out, t.quotes, rows, rows, c)
	}
	merge.SortBySource(out)
	return out
}
