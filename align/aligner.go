package align

import (
	"bytes"
	"slices"
	"sync"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align/index"
)

// partText is the text of one index part of an [Aligner], in bytes. It bounds the
// memory that building a part takes.
const partText = 256 << 20

// Aligner finds quotations of source texts, which are in memory. It is for
// collections that fit into memory. For others, build index parts on disk ([BuildPart]).
//
// An Aligner is safe for concurrent use. A search that follows an Add counts and indexes
// all sources again, so add all sources first.
type Aligner struct {
	o       Options
	mu      sync.Mutex
	sources []commonplace.Document
	index   *memoryIndex // nil after an Add
}

// memoryIndex is what a search reads. It does not change.
type memoryIndex struct {
	sources []commonplace.Document
	stats   *Stats
	parts   []*Part
}

// New makes an Aligner without sources. The zero Options are [Defaults].
func New(o Options) *Aligner { return &Aligner{o: o.orDefaults()} }

// Add adds a source: an id of your choice and its text.
func (a *Aligner) Add(id, text string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.sources = append(a.sources, commonplace.Document{ID: id, Text: text})
	a.index = nil
}

// Find finds what a text quotes of the sources. Each row is one quotation, in the order
// of the text. Where several sources have the quoted words, the rows share a Group.
// A source with the id of the text is skipped. It fails on wrong Options.
func (a *Aligner) Find(id, text string) ([]commonplace.Alignment, error) {
	candidates, err := a.search(id, text, (*Part).Find)
	return Merge(candidates, a.o), err
}

// FindMarked finds the sources of words between quotation marks and in block
// quotes, however short. Its rows are those of [Aligner.Find].
func (a *Aligner) FindMarked(id, text string) ([]commonplace.Alignment, error) {
	candidates, err := a.search(id, text, (*Part).FindMarked)
	return MergeMarked(candidates, a.o), err
}

// FindQuotes finds every occurrence of the quotes in the sources. Rows come in
// the order of the sources, then of the text. Only ID and Text of a quote are needed.
func (a *Aligner) FindQuotes(quotes ...commonplace.Quote) ([]commonplace.Alignment, error) {
	x, err := a.indexed()
	if err != nil {
		return nil, err
	}
	list, err := NewQuoteList(quotes, x.stats, a.o)
	if err != nil {
		return nil, err
	}
	if err := list.Learn(func(yield func(commonplace.Document, error) bool) {
		for _, source := range x.sources {
			if !yield(source, nil) {
				return
			}
		}
	}); err != nil {
		return nil, err
	}
	var rows []commonplace.Alignment
	for _, source := range x.sources {
		rows = append(rows, list.Find(source)...)
	}
	return rows, nil
}

// search gives the candidates of all parts, by one of the two searches.
func (a *Aligner) search(id, text string, by func(*Part, commonplace.Document) []Candidate) ([]Candidate, error) {
	x, err := a.indexed()
	if err != nil {
		return nil, err
	}
	var all []Candidate
	for _, p := range x.parts {
		all = append(all, by(p, commonplace.Document{ID: id, Text: text})...)
	}
	return slices.DeleteFunc(all, func(c Candidate) bool { return c.SourceID == id }), nil
}

// indexed is the index of all sources.
func (a *Aligner) indexed() (*memoryIndex, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.index != nil {
		return a.index, nil
	}
	x := &memoryIndex{sources: slices.Clip(a.sources), stats: NewStats(a.o)}
	for _, source := range x.sources {
		x.stats.Count(source)
	}
	for rest := x.sources; len(rest) > 0; {
		n := 1
		for size := len(rest[0].Text); n < len(rest) && size+len(rest[n].Text) <= partText; n++ {
			size += len(rest[n].Text)
		}
		p, err := memoryPart(rest[:n], x.stats, a.o)
		if err != nil {
			return nil, err
		}
		x.parts, rest = append(x.parts, p), rest[n:]
	}
	a.index = x
	return x, nil
}

// memoryPart is an index part in memory.
func memoryPart(docs []commonplace.Document, stats *Stats, o Options) (*Part, error) {
	var b bytes.Buffer
	if _, err := BuildPart("", &b, slices.Values(docs), stats, o); err != nil {
		return nil, err
	}
	p, err := index.Read(b.Bytes())
	if err != nil {
		return nil, err
	}
	return &Part{o: o, stats: stats, file: p, ignore: o.phrases()}, nil
}
