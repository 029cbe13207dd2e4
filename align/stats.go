package align

import (
	"io"
	"math"
	"sync"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align/ngrams"
)

// Stats are counts over a collection of sources: how often words, pairs and
// triples of words and seeds occur. Rare words are evidence, common ones
// are not. Documents can be counted separately and merged in any order with the same
// result. The size is fixed (81 MB in memory): in a large collection rare words share
// a cell, and so seem a little more common than they are.
//
// Stats may be read by several goroutines at once, but counted by one.
type Stats struct {
	counts   *ngrams.Counts
	searches sync.Pool // of *search: scratch memory for the documents of all parts
}

// NewStats are the counts of an empty collection.
func NewStats(o Options) *Stats {
	counts := ngrams.New()
	counts.OldestFirst = o.OldestFirst
	return &Stats{counts: counts}
}

// OldestFirst is as it was set by [Options.OldestFirst] when the documents were counted.
func (s *Stats) OldestFirst() bool { return s.counts.OldestFirst }

// Documents is the number of documents counted.
func (s *Stats) Documents() int64 { return s.counts.Documents }

// Letters is the number of letters and digits counted.
func (s *Stats) Letters() int64 { return s.counts.Letters }

// Words is the number of words counted.
func (s *Stats) Words() int64 { return s.counts.Words }

// Count adds one document.
func (s *Stats) Count(doc commonplace.Document) { s.counts.Count(&doc) }

// Merge adds the counts of t; any order gives the same counts.
func (s *Stats) Merge(t *Stats) error { return s.counts.Merge(t.counts) }

// WriteTo writes the counts in a form that [ReadStats] reads and checks.
func (s *Stats) WriteTo(w io.Writer) (int64, error) { return s.counts.WriteTo(w) }

// ReadStats reads what [Stats.WriteTo] wrote. It fails on a file that is truncated,
// damaged or of another version.
func ReadStats(r io.Reader) (*Stats, error) {
	counts, err := ngrams.Read(r)
	if err != nil {
		return nil, err
	}
	return &Stats{counts: counts}, nil
}

// OtherStatsVersion says whether a file's beginning is of statistics that another
// release wrote in another version of the format: which it is, and which this one reads.
func OtherStatsVersion(r io.Reader) (version, reads string, other bool) {
	head := make([]byte, ngrams.HeadLength)
	if _, err := io.ReadFull(r, head); err != nil {
		return "", "", false
	}
	return ngrams.OtherVersion(head)
}

// DocumentThreshold is the evidence in bits that a match between documents
// needs: log2 of the number of ways in which a million letters of derived text
// and the collection's letters could meet, over the chance matches accepted.
func (s *Stats) DocumentThreshold(o Options) float64 {
	o = o.orDefaults()
	return math.Log2(float64(max(1, s.Letters())) * 1e6 / o.DocumentChance)
}

// QuoteThreshold is the evidence in bits that a match of a listed quote needs:
// log2 of the number of positions in the collection at which it could begin, over
// the chance matches accepted for it.
func (s *Stats) QuoteThreshold(o Options) float64 {
	o = o.orDefaults()
	return math.Log2(float64(max(1, s.Letters())) / o.QuoteChance)
}
