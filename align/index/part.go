package index

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"strings"
	"unsafe"

	"github.com/commonplace/commonplace/align/fold"
)

// An index part is one file: the texts of its documents, one after another, and
// the index of their seeds. With the counts of the collection it is complete.
// It is mapped into memory rather than read.
//
//	magic
//	texts     the documents' texts, zero bytes between them
//	groups    entries before each group of 16 buckets
//	entries   offsets of seeds
//	sizes     entries in each bucket
//	documents id, first byte and code points of each, and code points at every 4096th byte
//	trailer   sizes of the sections, magic

const (
	partMagic  = "cppart2\n"
	apartBytes = 256  // zero bytes between two documents at least
	pointStep  = 4096 // bytes of a source between two stored code points
	BandBits   = 6    // log2 of the diagonals in a band: neighbouring diagonals that a search takes for one
	seedEvery  = 4    // symbols between two seeds of a source at least
)

// Source is one document of a part.
type Source struct {
	ID     string
	Begin  int      // first byte in the part's text
	End    int      // byte after the last
	Points []uint32 // code points of the document before every pointStep bytes
}

// Part is an open part. It does not change.
type Part struct {
	Text    string
	Sources []Source
	at      []int32 // the first document that ends in every pointStep bytes of text or after them
	Seeds   *Index
	unmap   func() error
}

// CodePoints are the code points of text before every pointStep bytes.
func CodePoints(text string) []uint32 {
	points := make([]uint32, 0, len(text)/pointStep+1)
	n := 0
	for i := 0; i < len(text); i += pointStep {
		points = append(points, uint32(n))
		end := min(len(text), i+pointStep)
		n += fold.CountRunes(text[i:end])
	}
	return points
}

// Point is the code point of the document that begins at byte p of the part's text.
func (s *Source) Point(text string, p int) int64 {
	k := (p - s.Begin) / pointStep
	if k >= len(s.Points) {
		k = len(s.Points) - 1
	}
	if k < 0 {
		return 0
	}
	return int64(s.Points[k]) + int64(fold.CountRunes(text[s.Begin+k*pointStep:p]))
}

// Open opens a part that [Build] wrote.
func Open(path string) (*Part, error) {
	b, unmap, err := mapFile(path)
	if err != nil {
		return nil, fmt.Errorf("align: opening an index part: %w", err)
	}
	p, err := Read(b)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("align: %s: %w", path, err), unmap())
	}
	p.unmap = unmap
	return p, nil
}

// Read reads a part from b, which the part refers to from then on.
func Read(b []byte) (*Part, error) {
	const tail = 9*8 + len(partMagic)
	if len(b) < len(partMagic)+tail || string(b[:len(partMagic)]) != partMagic {
		return nil, errors.New("not an index part of this version; build it again")
	}
	if string(b[len(b)-len(partMagic):]) != partMagic {
		return nil, errors.New("index part is cut; build it again")
	}
	var v [9]int
	for i := range v {
		n := binary.LittleEndian.Uint64(b[len(b)-tail+8*i:])
		if n > 1<<40 {
			return nil, errors.New("index part is damaged; build it again")
		}
		v[i] = int(n)
	}
	textLen, groups, entries, sizes, docs := v[0], v[1], v[2], v[3], v[4]
	if v[6] < groupBits || v[6] > 32 || v[7] > 32 || sizes != 1<<v[6] || len(partMagic)+textLen+4*groups+4*entries+sizes+docs+tail != len(b) {
		return nil, fmt.Errorf("index part is cut or damaged (%d bytes); build it again", len(b))
	}
	if crc32.Checksum(b[:len(b)-tail], castagnoli) != uint32(v[8]) {
		return nil, errors.New("index part is damaged; build it again")
	}
	p := &Part{Seeds: &Index{bucketBits: uint(v[6]), offsetBits: uint(v[7])}}
	b = b[len(partMagic) : len(b)-tail]
	p.Text = unsafe.String(unsafe.SliceData(b), textLen)
	b = b[textLen:]
	p.Seeds.groups, b = numbers(b, groups)
	p.Seeds.entries, b = numbers(b, entries)
	p.Seeds.sizes, b = b[:sizes:sizes], b[sizes:]
	if err := p.Seeds.Open(); err != nil {
		return nil, err
	}
	next := func() int {
		n, k := binary.Uvarint(b)
		if k <= 0 || n > math.MaxUint32 {
			b = nil
			return 0
		}
		b = b[k:]
		return int(n)
	}
	for range v[5] {
		n := next()
		if n > len(b) {
			return nil, errors.New("index part's documents are damaged; build it again")
		}
		s := Source{ID: strings.Clone(string(b[:n]))}
		b = b[n:]
		s.Begin, s.End = next(), next()
		if s.Begin > s.End || s.End > textLen {
			return nil, errors.New("index part's documents are damaged; build it again")
		}
		last := uint32(0)
		for range (s.End - s.Begin + pointStep - 1) / pointStep {
			last += uint32(next())
			s.Points = append(s.Points, last)
		}
		p.Sources = append(p.Sources, s)
	}
	if len(b) != 0 {
		return nil, errors.New("index part's documents are damaged; build it again")
	}
	for i, s := range p.Sources {
		for len(p.at)*pointStep <= s.End {
			p.at = append(p.at, int32(i))
		}
	}
	return p, nil
}

// numbers reads n little-endian numbers, without copying where the machine allows it.
func numbers(b []byte, n int) ([]uint32, []byte) {
	one := uint16(1)
	little := *(*byte)(unsafe.Pointer(&one)) == 1
	if n > 0 && little && uintptr(unsafe.Pointer(unsafe.SliceData(b)))%4 == 0 {
		return unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(b))), n), b[4*n:]
	}
	v := make([]uint32, n)
	for i := range v {
		v[i] = binary.LittleEndian.Uint32(b[4*i:])
	}
	return v, b[4*n:]
}

// Close releases the memory of the part. No search may run or follow.
func (p *Part) Close() error {
	if p.unmap == nil {
		return nil
	}
	unmap := p.unmap
	*p = Part{}
	return unmap()
}

// SourceAt is the document with byte b of the text.
func (p *Part) SourceAt(b int) int {
	doc := int(p.at[b/pointStep])
	for p.Sources[doc].End < b {
		doc++
	}
	return doc
}
