package index

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"iter"
	"unsafe"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align/fold"
	"github.com/commonplace/commonplace/align/ngrams"
)

// Info describes a written index part.
type Info struct {
	Documents int   // source documents
	TextBytes int64 // bytes of their text
	Seeds     int64 // seeds in the index
	Bytes     int64 // bytes of the part, text included
}

// Build writes an index part over docs, whose words counts must have counted
// (with those of all other parts). Seeds are kept in a temporary file in dir, 12 bytes each,
// about 1.5 bytes for every byte of text; with an empty dir they are kept in memory. The part
// is the same.
func Build(dir string, w io.Writer, docs iter.Seq[commonplace.Document], counts *ngrams.Counts) (info Info, err error) {
	out := &counter{w: bufio.NewWriterSize(w, 1<<18)}
	out.text(partMagic)
	var sources []Source
	var seeds Builder
	if dir != "" {
		if seeds.spill, err = newSpill(dir); err != nil {
			return info, err
		}
		defer seeds.spill.close()
	}
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
		seeds.addDocument(counts, &f, uint32(begin), &doc)
		// Diagonals of two documents never meet, and every document begins a band.
		// So the matches do not depend on the documents beside it.
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
	out.tables(begin, sources, x, seeds.spill)
	info.Documents, info.Seeds, info.Bytes = len(sources), int64(seeds.n), out.n
	if seeds.spill != nil && seeds.spill.err != nil {
		return info, fmt.Errorf("align: building an index part: %w", seeds.spill.err)
	}
	return info, out.err
}

// addDocument adds the seeds of one folded source, which begins at byte begin of the
// part. Of seeds that begin within seedEvery symbols of each other the shorter, that
// is the rarer, is added.
func (seeds *Builder) addDocument(s *ngrams.Counts, f *fold.Text, begin uint32, d *commonplace.Document) {
	allowed := s.PartLimits()
	frequent := frequentSeeds{key: s.Key(d)}
	type place struct {
		short, long   uint64
		at            int32
		shorts, longs uint16 // how often they occur in the collection
	}
	pad := f.Sym[:len(f.Sym)+fold.Padding]
	var some [ngrams.Batch]place
	var last Entry // which a shorter seed may replace
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
					frequent.add(s, seeds, f, frequentSeed{e, p.at})
					continue
				}
			}
			if p.longs <= allowed[1]/2 { // else it may be of the same text, and rarer by wrong letters
				frequent.flush(s, seeds, f)
			}
			if !beside && lastLevel >= 0 {
				seeds.Add(last.Hash, last.Offset)
			}
			last, lastAt, lastLevel = e, int(p.at), level
		}
	}
	if lastLevel >= 0 {
		seeds.Add(last.Hash, last.Offset)
	}
	frequent.flush(s, seeds, f)
}

// counter writes and counts bytes, until an error.
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

// castagnoli is the polynomial of the checksum of an index part: machines have an instruction for it.
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

// tables writes the sections that follow the text, which has so many bytes. A spill has the
// first of the entries.
func (c *counter) tables(text int, sources []Source, x *Index, before *spill) {
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
	entries := len(x.entries)
	if before != nil {
		entries += int(before.written / 4)
		before.each(c.numbers)
	}
	c.numbers(x.entries)
	c.text(unsafe.String(unsafe.SliceData(x.sizes), len(x.sizes)))
	c.text(string(docs))
	var tail []byte
	for _, v := range []int{text, len(x.groups), entries, len(x.sizes), len(docs), len(sources), int(x.bucketBits), int(x.offsetBits), int(c.sum)} {
		tail = binary.LittleEndian.AppendUint64(tail, uint64(v))
	}
	c.text(string(tail))
	c.text(partMagic)
	if err := c.w.Flush(); err != nil && c.err == nil {
		c.err = fmt.Errorf("align: writing an index part: %w", err)
	}
}
