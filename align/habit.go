package align

import (
	"cmp"
	"hash/fnv"
	"iter"
	"maps"
	"math"
	"slices"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align/fold"
	"github.com/commonplace/commonplace/align/merge"
)

// A list has a habit: which share of its entries is in the collection, and in which of its books. It is learnt from the
// sure finds of some entries (empirical Bayes), and changes the posterior of every find by a bounded number of bits.
// The evidence does not change. Only lists with MaxFalse are judged by their habit.
type habit struct {
	bits  float64            // log2 of the odds that an entry is in the collection
	books map[string]float64 // sure finds by document
	sure  float64            // their number
	least float64            // posterior that a find needs
}

const (
	habitSample = 2000 // texts from which a habit is learnt
	habitMost   = 6.0  // bits by which it may change a posterior
	bookMost    = 3.0  // bits of it for the book
	sureFind    = 0.99 // posterior, without a habit, of a find from which one is learnt
	leastLikely = 0.5  // posterior of any find
	priorFinds  = 2    // finds, and as many entries without one, that every list has beforehand
)

// noHabit is that of a list of which nothing is known: half of its entries are in the collection.
func noHabit(o Options) habit { return habit{least: 1 - o.MaxFalse} }

// bitsOf is the habit's evidence for a find in a document with so many of the collection's letters.
func (h *habit) bitsOf(doc string, letters, all float64) float64 {
	if h.sure == 0 && h.bits == 0 {
		return 0
	}
	part := min(1, max(1, letters)/max(1, all))
	book := math.Log2((h.books[doc] + part) / (h.sure + 1) / part)
	return max(-habitMost, min(habitMost, h.bits+max(-bookMost, min(bookMost, book))))
}

// posterior is that of a find in the current document with so many bits more than its quote needs.
func (l *QuoteList) posterior(c *listSearch, over float64) float64 {
	p := merge.ListConfidence(over)
	if l.o.MaxFalse == 0 {
		return p
	}
	return withBits(p, l.habit.bitsOf(c.names.id, float64(c.letters), float64(l.stats.Letters())))
}

// keeps reports whether a find is reported.
func (l *QuoteList) keeps(a *commonplace.Alignment, need float64) bool {
	if l.o.MaxFalse > 0 {
		return a.Confidence >= l.habit.least
	}
	return a.Score >= need
}

// Learn learns the list's habit from the documents of the collection, if the options have MaxFalse. It looks for at most habitSample
// of the quotes, so that a long list costs no more. Before it, and in a list without sure finds, half of the entries are taken to be in the
// collection, and a find needs a posterior of 1 - MaxFalse. Call it before the first Find; it depends on the order of neither quotes nor documents.
func (l *QuoteList) Learn(docs iter.Seq2[commonplace.Document, error]) error {
	if l.o.MaxFalse == 0 || l.verbatim != nil {
		return nil
	}
	s, err := l.sample()
	if err != nil {
		return err
	}
	best := map[string]sampleFind{}
	for doc, err := range docs {
		if err != nil {
			return err
		}
		letters := float64(fold.Letters(doc.Text))
		for _, a := range s.Find(doc) {
			if b, ok := best[a.QuoteID]; !ok || cmp.Or(cmp.Compare(b.Confidence, a.Confidence), merge.BySource(&a, &b.Alignment)) < 0 {
				best[a.QuoteID] = sampleFind{a, letters}
			}
		}
	}
	l.habit.learn(slices.Collect(maps.Values(best)), len(s.quotes), float64(l.stats.Letters()), l.o.MaxFalse)
	return nil
}

// sampleFind is the best find of a quote of the sample, with the letters of its document.
type sampleFind struct {
	commonplace.Alignment
	letters float64
}

// learn sets the habit from the best finds of so many quotes, and the posterior down to which the mean
// probability of a false find is at most maxFalse.
func (h *habit) learn(best []sampleFind, quotes int, all, maxFalse float64) {
	h.books = map[string]float64{}
	for _, f := range best {
		if f.Confidence >= sureFind {
			h.books[f.SourceID]++
			h.sure++
		}
	}
	h.bits = math.Log2((h.sure + priorFinds) / (float64(quotes) - h.sure + priorFinds))
	posteriors := make([]float64, len(best))
	for i, f := range best {
		posteriors[i] = withBits(f.Confidence, h.bitsOf(f.SourceID, f.letters, all))
	}
	slices.SortFunc(posteriors, func(a, b float64) int { return cmp.Compare(b, a) })
	wrong := 0.0
	for i, p := range posteriors {
		if wrong += 1 - p; wrong > maxFalse*float64(i+1) || p < leastLikely {
			return
		}
		h.least = p
	}
	h.least = min(h.least, max(leastLikely, 1-maxFalse)) // nothing was cut
}

// withBits is a probability after so many bits of evidence more.
func withBits(p, bits float64) float64 { return 1 / (1 + (1-p)/p*math.Exp2(-bits)) }

// sample is a list of some of the texts, chosen by their hashes, without attributions. It reports all that any habit may make likely.
func (l *QuoteList) sample() (*QuoteList, error) {
	var some []string
	for from := range l.byText() {
		some = append(some, l.quotes[from].text)
	}
	if len(some) > habitSample {
		slices.SortFunc(some, func(a, b string) int { return cmp.Compare(textHash(a), textHash(b)) })
		some = some[:habitSample]
	}
	quotes := make([]commonplace.Quote, len(some))
	for i, text := range some {
		quotes[i] = commonplace.Quote{ID: text, Text: text}
	}
	s, err := NewQuoteList(quotes, l.stats, l.o)
	if err == nil {
		s.habit = habit{}
	}
	return s, err
}

func textHash(text string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(text))
	return fold.Mix(h.Sum64())
}
