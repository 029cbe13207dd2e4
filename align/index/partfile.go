package index

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"iter"
	"math"
	"strings"
	"unsafe"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align/fold"
	"github.com/commonplace/commonplace/align/ngrams"
)

// An index part is one file: the texts of its documents, one after another, and
// the index of their seeds. It is self-contained, with the collection's stats,
// and is mapped into memory rather than read.
//
//	magic
//	texts     the documents' texts, zero bytes between them
//	groups    entries before each group of 16 buckets
//	entries   places of seeds
//	sizes     entries in each bucket
//	documents id, first byte and code points of each, and code points at every 4096th byte
//	trailer   sizes of the sections, magic

const (
	partMagic  = "cppart2\n"
	apartBytes = 256  // zero bytes between two documents at least
	pointStep  = 4096 // bytes between remembered code points of a source
	BandBits   = 6    // log2 of the diagonals that a search takes for one
	seedEvery  = 4    // symbols between two seeds of a source at least
)

// partInfo says what a written index part holds.
type partInfo struct {
	Documents int   // source documents
	TextBytes int64 // bytes of their text
	Seeds     int64 // places entered
	Bytes     int64 // bytes of the part, text included
}

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

// Build writes an index part over docs, whose words stats must have counted
// (with those of all other parts). Memory: the largest document and 20 bytes for
// every seed, about 2.5 bytes for every byte of text.
func Build(w io.Writer, docs iter.Seq[commonplace.Document], stats *ngrams.Counts) (partInfo, error) {
	var info partInfo
	out := &counter{w: bufio.NewWriterSize(w, 1<<18)}
	out.text(partMagic)
	var sources []Source
	var seeds Builder
	var f fold.Text
	begin := 0
	for doc := range docs {
		end := begin + len(doc.Text)
		if int64(end)+apartBytes+1<<BandBits >= 1<<32-1 {
			return info, fmt.Errorf("align: document %q takes the index part over 4 GB; give it a part of its own", doc.ID)
		}
		out.text(doc.Text)
		sources = append(sources, Source{ID: doc.ID, Begin: begin, End: end, Points: CodePoints(doc.Text)})
		info.TextBytes += int64(len(doc.Text))
		f.Fold(doc.Text, 0, len(doc.Text))
		seeds.addDocument(stats, &f, uint32(begin), doc.ID)
		// Diagonals of two documents never meet, and every document begins a band:
		// what is found does not depend on the documents beside it.
		begin = (end + apartBytes + 1<<BandBits - 1) &^ (1<<BandBits - 1)
		out.zeros(begin - end)
		if out.err != nil {
			break
		}
	}
	x, err := seeds.Build(int64(begin))
	if err != nil {
		return info, err
	}
	out.tables(begin, sources, x)
	info.Documents, info.Seeds, info.Bytes = len(sources), int64(seeds.n), out.n
	return info, out.err
}

// addDocument adds the seeds of one folded source, which begins at byte begin of the
// part. Of seeds that begin within seedEvery symbols of each other the shorter, that
// is the rarer, is entered.
func (seeds *Builder) addDocument(s *ngrams.Counts, f *fold.Text, begin uint32, id string) {
	allowed := s.PartLimits()
	shared := frequentSeeds{key: ngrams.Key(id)}
	type place struct {
		short, long   uint64
		at            int32
		shorts, longs uint16 // how often they occur in the collection
	}
	pad := f.Sym[:len(f.Sym)+fold.Padding]
	var some [ngrams.Batch]place
	var held Entry // the last seed, which a shorter one may replace
	lastAt, lastLevel := -seedEvery, -1
	for i := 0; i < len(f.Sym); {
		n := 0
		for ; n < ngrams.Batch && i < len(f.Sym); n++ {
			p := &some[n]
			p.short, p.long = fold.SeedHashes(pad, i)
			p.at = int32(i)
			i += fold.WordLength(pad, i)
		}
		for k := range some[:n] {
			p := &some[k]
			p.shorts, p.longs = s.SeedCount(p.short), s.SeedCount(p.long)
		}
		for k := range some[:n] {
			p := &some[k]
			beside := int(p.at)-lastAt < seedEvery
			if beside && lastLevel == 0 {
				continue
			}
			e := Entry{p.short, begin + f.Pos[p.at]}
			level := 0
			if p.shorts > allowed[0] {
				if beside {
					continue
				}
				if e.Hash, level = p.long, 1; p.longs > allowed[1] {
					shared.see(s, seeds, f, frequentSeed{e, p.at})
					continue
				}
			}
			shared.flush(s, seeds, f)
			if !beside && lastLevel >= 0 {
				seeds.Add(held.Hash, held.Offset)
			}
			held, lastAt, lastLevel = e, int(p.at), level
		}
	}
	if lastLevel >= 0 {
		seeds.Add(held.Hash, held.Offset)
	}
	shared.flush(s, seeds, f)
}

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

// counter writes and counts, until something fails.
type counter struct {
	w   *bufio.Writer
	n   int64
	sum uint32 // CRC-32C of what was written
	err error
}

func (c *counter) text(s string) {
	if c.err != nil {
		return
	}
	n, err := c.w.WriteString(s)
	c.n += int64(n)
	c.sum = crc32.Update(c.sum, castagnoli, unsafe.Slice(unsafe.StringData(s), n))
	if err != nil {
		c.err = fmt.Errorf("align: writing an index part: %w", err)
	}
}

// castagnoli is the polynomial of the sums that end index files: machines have an instruction for it.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func (c *counter) zeros(n int) { c.text(string(make([]byte, n))) }

func (c *counter) numbers(v []uint32) {
	var b [4096]byte
	for len(v) > 0 {
		n := min(len(v), len(b)/4)
		for i, e := range v[:n] {
			binary.LittleEndian.PutUint32(b[4*i:], e)
		}
		c.text(unsafe.String(&b[0], 4*n))
		v = v[n:]
	}
}

// tables writes what follows the text of so many bytes.
func (c *counter) tables(text int, sources []Source, x *Index) {
	var docs []byte
	for _, s := range sources {
		docs = binary.AppendUvarint(docs, uint64(len(s.ID)))
		docs = append(docs, s.ID...)
		docs = binary.AppendUvarint(docs, uint64(s.Begin))
		docs = binary.AppendUvarint(docs, uint64(s.End))
		last := uint32(0)
		for _, p := range s.Points {
			docs = binary.AppendUvarint(docs, uint64(p-last))
			last = p
		}
	}
	c.numbers(x.groups)
	c.numbers(x.entries)
	c.text(unsafe.String(unsafe.SliceData(x.sizes), len(x.sizes)))
	c.text(string(docs))
	var tail []byte
	for _, v := range []int{text, len(x.groups), len(x.entries), len(x.sizes), len(docs), len(sources), int(x.bucketBits), int(x.offsetBits), int(c.sum)} {
		tail = binary.LittleEndian.AppendUint64(tail, uint64(v))
	}
	c.text(string(tail))
	c.text(partMagic)
	if err := c.w.Flush(); err != nil && c.err == nil {
		c.err = fmt.Errorf("align: writing an index part: %w", err)
	}
}

// openPart opens a part that buildPart wrote.
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

// Read reads a part from memory, which stays in use.
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

// Close gives the part's memory back. No search may run or follow.
func (p *Part) Close() error {
	if p.unmap == nil {
		return nil
	}
	unmap := p.unmap
	*p = Part{}
	return unmap()
}

// SourceAt is the document that holds byte b of the part's text.
func (p *Part) SourceAt(b int) int {
	doc := int(p.at[b/pointStep])
	for p.Sources[doc].End < b {
		doc++
	}
	return doc
}
