package label

import (
	"fmt"
	"math"
	"slices"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/label/internal/compare"
)

// Ways to choose the passages that a ranker must learn to put below the right one.
const (
	Near     = "near"     // nearest to the quote in the book (RA-MTR)
	BestBM25 = "bm25"     // best for the context by BM25 (RA-MTR)
	Uniform  = "uniform"  // any, each as likely (both papers)
	TFIDF    = "tfidf"    // drawn, the likelier the more words they share with the context by TF-IDF (Quotus)
	Position = "position" // drawn, the likelier the nearer they stand (Quotus)
	All      = "all"      // every other passage of the document (RA-MTR's reranker rows)
)

// Pick is a number of negatives to choose in one way. All takes no number.
type Pick struct {
	By string
	N  int
}

// Validate says in one sentence what cannot be meant, or nothing.
func (p Pick) Validate() error {
	switch p.By {
	case Near, BestBM25, Uniform, TFIDF, Position:
		if p.N < 0 {
			return fmt.Errorf("negatives by %s: %d are asked for; give 0 or more", p.By, p.N)
		}
		return nil
	case All:
		return nil
	}
	return fmt.Errorf("negatives by %q are not known: use %s, %s, %s, %s, %s or %s", p.By, Near, BestBM25, Uniform, TFIDF, Position, All)
}

// Sampler chooses negatives among the passages of one document. What it draws
// depends on the seed, the context's id and the passage's index alone, so that
// a new example or book changes no other row.
type Sampler struct {
	passages []commonplace.Passage
	places   map[string]int   // of passages by id
	holds    map[string][]int // passages that hold a quote, by quote or cluster
	seed     int64
	words    [][]string // of the passages; nil until asked for
	bm25     *BM25
	tfidf    *TFIDFIndex
}

// NewSampler reads the passages of a document and all its examples: a passage
// that holds the same quote at another place is no negative for it.
func NewSampler(passages []commonplace.Passage, examples []commonplace.Example, seed int64) *Sampler {
	s := newSampler(passages, seed)
	for _, e := range examples {
		s.hold(e.QuoteID, e.PassageIDs)
	}
	return s
}

// NewSpanSampler reads the paragraphs of a transcript and all its queries: a
// paragraph that a quote of the same cluster stands in is no negative for it.
func NewSpanSampler(passages []commonplace.Passage, queries []commonplace.Query, seed int64) *Sampler {
	s := newSampler(passages, seed)
	for _, q := range queries {
		s.hold(q.ClusterID, q.PassageIDs)
	}
	return s
}

func newSampler(passages []commonplace.Passage, seed int64) *Sampler {
	s := &Sampler{passages: inOrder(passages), places: map[string]int{}, holds: map[string][]int{}, seed: seed}
	for i, p := range s.passages {
		s.places[p.ID] = i
	}
	return s
}

func (s *Sampler) hold(quote string, passageIDs []string) {
	for _, id := range passageIDs {
		if i, ok := s.places[id]; ok {
			s.holds[quote] = append(s.holds[quote], i)
		}
	}
}

// Choices are the rows of one example: first the passages that hold the quote,
// labelled yes, then those that the picks choose, in their order, labelled no.
// A passage that two picks choose is the first's, and the second chooses on;
// where a document has too few passages there are fewer rows.
func (s *Sampler) Choices(e commonplace.Example, picks []Pick) ([]commonplace.Choice, error) {
	rows, err := s.choose(offer{id: e.ID, quote: e.QuoteID, context: e.Context, split: e.Split, holds: e.PassageIDs}, picks)
	for i, row := range rows {
		if row.Label == "yes" {
			p := s.passages[s.places[row.PassageID]]
			rows[i].SpanBegin = max(p.Begin, e.QuoteBegin) - p.Begin
			rows[i].SpanEnd = min(p.End, e.QuoteEnd) - p.Begin
		}
	}
	return rows, err
}

// SpanChoices are the rows of one part of a quoted span: one listwise or
// shared-normalisation example of Quotus. The paragraphs of the quote's other
// parts, and of its cluster, are neither yes nor no.
func (s *Sampler) SpanChoices(q commonplace.QuotedSpan, picks []Pick) ([]commonplace.Choice, error) {
	rows, err := s.choose(offer{id: q.ID, quote: q.ClusterID, context: q.Context, split: q.Split, holds: []string{q.PassageID}}, picks)
	if err == nil {
		rows[0].SpanBegin, rows[0].SpanEnd = q.SpanBegin, q.SpanEnd
	}
	return rows, err
}

// offer is a context for which passages are chosen.
type offer struct {
	id, quote, context, split string
	holds                     []string // passages that hold the quote
}

func (s *Sampler) choose(o offer, picks []Pick) ([]commonplace.Choice, error) {
	var rows []commonplace.Choice
	taken := make(map[int]bool)
	add := func(i int, label, by string) {
		p := s.passages[i]
		rows = append(rows, commonplace.Choice{
			ContextID: o.id, DocID: p.DocID, PassageID: p.ID, Index: p.Index, Place: int64(len(rows)),
			Label: label, SampledBy: by, Context: o.context, PassageText: p.Text, Split: o.split,
		})
		taken[i] = true
	}
	var own []int
	for _, id := range o.holds {
		i, ok := s.places[id]
		if !ok {
			return nil, fmt.Errorf("example %s names passage %s, which is not among the document's %d", o.id, id, len(s.passages))
		}
		own = append(own, i)
		add(i, "yes", "positive")
	}
	if len(own) == 0 {
		return nil, fmt.Errorf("example %s names no passage", o.id)
	}
	for _, i := range s.holds[o.quote] {
		taken[i] = true
	}
	for _, p := range picks {
		if err := p.Validate(); err != nil {
			return nil, err
		}
		n := p.N
		if p.By == All {
			n = len(s.passages)
		}
		for _, i := range best(s.weights(p.By, o, own), n, func(i int) bool { return taken[i] }) {
			add(i, "no", p.By)
		}
	}
	return rows, nil
}

// weights rate every passage in one way; the highest are chosen. Draws are by
// the keys of Efraimidis and Spirakis, ln(u)/w with u in (0,1): the n highest
// are a sample without replacement in which chances go by the weights w.
func (s *Sampler) weights(by string, o offer, own []int) []float64 {
	out := make([]float64, len(s.passages))
	base := uint64(fraction(s.seed, by+"\x00"+o.id) * (1 << 53))
	draw := func(i int, weight float64) float64 {
		u := float64(compare.Mix(base, uint64(i))>>11) / (1 << 53)
		return math.Log(u+0x1p-54) / weight
	}
	switch by {
	case Near:
		for i := range out {
			out[i] = -float64(distance(i, own))
		}
	case BestBM25:
		if s.bm25 == nil {
			s.bm25 = NewBM25(s.bags())
		}
		return s.bm25.Scores(bagOfWords(o.context))
	case Uniform:
		for i := range out {
			out[i] = draw(i, 1)
		}
	case TFIDF:
		if s.tfidf == nil {
			s.tfidf = NewTFIDF(s.bags())
		}
		for i, cosine := range s.tfidf.Scores(bagOfWords(o.context)) {
			out[i] = draw(i, cosine+0.01) // none is impossible
		}
	case Position:
		for i := range out {
			out[i] = draw(i, 1/float64(max(1, distance(i, own))))
		}
	}
	return out
}

func (s *Sampler) bags() [][]string {
	if s.words == nil {
		s.words = make([][]string, len(s.passages))
		for i, p := range s.passages {
			s.words[i] = bagOfWords(p.Text)
		}
	}
	return s.words
}

// distance is how many passages i is away from the nearest of own, which is sorted.
func distance(i int, own []int) int {
	at, found := slices.BinarySearch(own, i)
	switch {
	case found:
		return 0
	case at == 0:
		return own[0] - i
	case at == len(own):
		return i - own[at-1]
	}
	return min(own[at]-i, i-own[at-1])
}
