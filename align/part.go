package align

import (
	"errors"
	"io"
	"iter"
	"slices"
	"strings"
	"sync"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align/index"
	"github.com/commonplace/commonplace/align/match"
)

// PartInfo describes a written index part.
type PartInfo struct {
	Documents int   // source documents
	TextBytes int64 // bytes of their text
	Seeds     int64 // seeds in the index
	Bytes     int64 // bytes of the part, text included
}

// Part is an index part, safe for concurrent use.
type Part struct {
	o     Options
	stats *Stats
	file  *index.Part

	ignore *match.Phrases

	sorted sync.Once
	byID   []int32 // sources in the order of their ids
}

// source is the source of an id; an empty one if the part has none.
func (p *Part) source(id string) index.Source {
	sources := p.file.Sources
	p.sorted.Do(func() {
		p.byID = make([]int32, len(sources))
		for i := range p.byID {
			p.byID[i] = int32(i)
		}
		slices.SortFunc(p.byID, func(a, b int32) int { return strings.Compare(sources[a].ID, sources[b].ID) })
	})
	i, found := slices.BinarySearchFunc(p.byID, id, func(k int32, id string) int { return strings.Compare(sources[k].ID, id) })
	if !found {
		return index.Source{}
	}
	return sources[p.byID[i]]
}

// BuildPart writes an index part over docs, whose words stats must have counted
// (with those of all other parts). Memory: the largest document. A temporary file in dir takes
// about 1.5 bytes for every byte of text; with an empty dir, memory does.
func BuildPart(dir string, w io.Writer, docs iter.Seq[commonplace.Document], stats *Stats, o Options) (PartInfo, error) {
	if err := checkPart(stats, o); err != nil {
		return PartInfo{}, err
	}
	info, err := index.Build(dir, w, docs, stats.counts)
	return PartInfo(info), err
}

// OpenPart opens a part that BuildPart wrote, with the stats that it was built with.
func OpenPart(path string, stats *Stats, o Options) (*Part, error) {
	if err := checkPart(stats, o); err != nil {
		return nil, err
	}
	file, err := index.Open(path)
	if err != nil {
		return nil, err
	}
	return &Part{o: o.orDefaults(), stats: stats, file: file, ignore: o.phrases()}, nil
}

func checkPart(stats *Stats, o Options) error {
	if stats == nil {
		return errors.New("align: an index part needs the stats of the whole collection")
	}
	if o.OldestFirst != stats.OldestFirst() {
		return errors.New("align: the stats were not counted with the option OldestFirst as it is now; count the sources again")
	}
	return o.orDefaults().Validate()
}

// Close gives the part's memory back. No Find may run or follow.
func (p *Part) Close() error { return p.file.Close() }
