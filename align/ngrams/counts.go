package ngrams

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"math/bits"
	"sync"

	"github.com/commonplace/commonplace/align/fold"

	"github.com/commonplace/commonplace/align/hugepage"
)

// Counts are counts over a collection of sources: how often words, pairs and
// triples of words and seeds occur. They say what is rare, and so what is
// evidence. Counting is linear: documents can be counted apart and merged in
// any order with the same result, and the size is fixed (79 MB in memory)
// however large the collection grows; rare things then share a cell, which
// makes them look a little more common than they are.
//
// They may be read by several goroutines at once, but counted by one.
type Counts struct {
	Documents, Letters, Words int64
	unigrams                  []uint32
	ngrams                    []uint32 // pairs and triples of words, each in two cells
	seeds                     []uint16 // windows of letters at word starts; a full cell stays full
	representatives           []uint16 // of long windows, the document that holds them for all others (shared.go)
	weights                   []uint8  // bits of words by themselves, in weightUnit, above a bit that says whether the word is rare; made when first asked for
	knownWords                []uint64 // bits for the words that occur; made with weights
	weigh                     sync.Once
	scratch                   fold.Text
	touched                   uint32 // of what was read ahead, so that the reads are not left out
}

// Sizes of the tables, as powers of two.
const (
	unigramBits        = 20
	ngramBits          = 24
	seedBits           = 22
	representativeBits = 20
)

// New are the counts of an empty collection.
func New() *Counts {
	return &Counts{unigrams: hugepage.Table[uint32](1 << unigramBits), ngrams: hugepage.Table[uint32](1 << ngramBits), seeds: hugepage.Table[uint16](1 << seedBits), representatives: hugepage.Table[uint16](1 << representativeBits)}
}

// Count adds one document.
func (s *Counts) Count(id, text string) {
	f := &s.scratch
	f.Fold(text, 0, len(text))
	s.Documents++
	s.Letters += int64(len(f.Sym))
	sym := f.Sym[:len(f.Sym)+fold.Padding]
	var b counted
	key := Key(id)
	var u, v uint64 // hashes of the two words before
	for i := 0; i < len(f.Sym); {
		n, held := 0, 0
		for ; n < Batch && i < len(f.Sym); n++ {
			w, letters := fold.WordHash(sym, i)
			long := b.see(n, sym, i, u, v, w)
			b.windows[held] = window{long, i}
			held += Sampled(long)
			u, v = v, w
			i += letters
		}
		s.add(b.words[:n], b.seeds[:2*n], b.grams[:2*n])
		s.represent(sym, b.windows[:held], key)
	}
	if cap(f.Sym) > 64<<20 {
		s.scratch = fold.Text{}
	}
}

// counted is what a batch of words adds to the counts.
type counted struct {
	words        [Batch]uint64
	windows      [Batch]window
	seeds, grams [2 * Batch]uint64
}

// see notes the n-th word, at symbol i, with the hashes of itself and the two before, and returns its long seed.
func (b *counted) see(n int, sym []byte, i int, u, v, w uint64) (long uint64) {
	b.words[n] = w
	b.seeds[2*n], long = fold.SeedHashes(sym, i)
	b.seeds[2*n+1] = long
	b.grams[2*n], b.grams[2*n+1] = PairHash(v, w), TripleHash(u, v, w)
	return long
}

// add counts a batch. Hashing and counting are loops of their own, so that the
// reads of memory, which are all over, overlap; and since reads overlap better than
// changes do, reading comes first.
func (s *Counts) add(words, seeds, grams []uint64) {
	touched := uint32(0)
	for _, h := range grams {
		touched |= s.ngrams[h>>(64-ngramBits)&^15]
	}
	for _, h := range seeds {
		touched |= uint32(s.seeds[h>>(64-seedBits)])
	}
	s.touched |= touched
	for _, h := range words {
		s.unigrams[h>>(64-unigramBits)]++
	}
	for _, h := range seeds {
		s.countSeed(h)
	}
	for _, h := range grams {
		s.countGram(h)
	}
	s.Words += int64(len(words))
}

func (s *Counts) countSeed(h uint64) {
	if c := &s.seeds[h>>(64-seedBits)]; *c < math.MaxUint16 {
		*c++
	}
}

// Every pair and triple is counted in two cells of one cache line; the smaller
// count is nearer the truth (Cormode and Muthukrishnan 2005).
func (s *Counts) countGram(h uint64) {
	a, b := gramCells(h)
	s.ngrams[a]++
	s.ngrams[b]++
}

// Gram is the count of a pair or triple.
func (s *Counts) Gram(h uint64) uint32 {
	a, b := gramCells(h)
	return min(s.ngrams[a], s.ngrams[b])
}

// gramCells are two different cells of the line that h names.
func gramCells(h uint64) (a, b uint64) {
	line := h >> (64 - ngramBits) &^ 15
	i := h & 15
	return line | i, line | (i^(1+h>>4&0xffff%15))&15
}

func PairHash(v, w uint64) uint64 { return fold.Mix(bits.RotateLeft64(v, 17) ^ w ^ 0x517cc1b727220a95) }

func TripleHash(u, v, w uint64) uint64 {
	return fold.Mix(bits.RotateLeft64(u, 31) ^ bits.RotateLeft64(v, 13)*3 ^ w ^ 0x2545f4914f6cdd1d)
}

// Merge adds the counts of t; any order gives the same counts.
func (s *Counts) Merge(t *Counts) error {
	if len(t.unigrams) != len(s.unigrams) || len(t.ngrams) != len(s.ngrams) || len(t.seeds) != len(s.seeds) {
		return errors.New("align: stats of different sizes cannot be merged; count both with the same version")
	}
	s.Documents += t.Documents
	s.Letters += t.Letters
	s.Words += t.Words
	for i, c := range t.unigrams {
		s.unigrams[i] += c
	}
	for i, c := range t.ngrams {
		s.ngrams[i] += c
	}
	for i, c := range t.seeds {
		s.seeds[i] = uint16(min(uint32(s.seeds[i])+uint32(c), math.MaxUint16))
	}
	for i, c := range t.representatives {
		s.representatives[i] = max(s.representatives[i], c)
	}
	return nil
}

const statsMagic = "cpstats2"

// WriteTo writes the tables: for every cell in use the gap to the one before and what it holds, as varints;
// and the CRC-32C of all of it.
func (s *Counts) WriteTo(w io.Writer) (int64, error) {
	sum := crc32.New(castagnoli)
	b := bufio.NewWriterSize(io.MultiWriter(w, sum), 1<<16)
	var n int64
	var buf [2 * binary.MaxVarintLen64]byte
	put := func(vs ...uint64) error {
		k := 0
		for _, v := range vs {
			k += binary.PutUvarint(buf[k:], v)
		}
		m, err := b.Write(buf[:k])
		n += int64(m)
		return err
	}
	m, err := b.WriteString(statsMagic)
	n += int64(m)
	for _, v := range []int64{s.Documents, s.Letters, s.Words} {
		err = errors.Join(err, put(uint64(v)))
	}
	err = errors.Join(err, writeCells(put, s.unigrams), writeCells(put, s.ngrams), writeCells(put, s.seeds), writeCells(put, s.representatives), b.Flush())
	if err != nil {
		return n, err
	}
	m, err = w.Write(binary.LittleEndian.AppendUint32(nil, sum.Sum32()))
	return n + int64(m), err
}

// Read reads what [ngramCounts.writeTo] wrote. It fails on a file that is cut,
// damaged or of another version.
func Read(r io.Reader) (*Counts, error) {
	b := &summed{from: r, buf: make([]byte, 0, 1<<16)}
	if string(b.take(len(statsMagic))) != statsMagic {
		return nil, fmt.Errorf("align: not a stats file of this version (%w); count the sources again", errors.Join(b.err, errFormat))
	}
	s := New()
	for _, v := range []*int64{&s.Documents, &s.Letters, &s.Words} {
		*v = int64(b.uvarint())
	}
	err := errors.Join(readCells(b, s.unigrams), readCells(b, s.ngrams), readCells(b, s.seeds), readCells(b, s.representatives))
	if b.err != nil {
		err = fmt.Errorf("align: stats file is cut or damaged: %w", b.err)
	}
	if err != nil {
		return nil, err
	}
	want := b.taken()
	if end := b.take(4); end == nil || binary.LittleEndian.Uint32(end) != want {
		return nil, fmt.Errorf("align: stats file is cut or damaged (%w); count the sources again", errors.Join(b.err, errFormat))
	}
	return s, nil
}

// summed sums what is taken of a file. There are tens of millions of numbers in
// one, so they are read and summed a buffer at a time.
type summed struct {
	from io.Reader
	buf  []byte
	at   int    // in buf, of what was not taken yet
	sum  uint32 // of what was taken before buf
	err  error  // the first one
}

// taken is the sum of all that was taken.
func (s *summed) taken() uint32 { return crc32.Update(s.sum, castagnoli, s.buf[:s.at]) }

// fill reads on until so many bytes are there to be taken, or the file ends.
func (s *summed) fill(n int) {
	if len(s.buf)-s.at >= n || s.err != nil {
		return
	}
	s.sum = s.taken()
	s.buf, s.at = s.buf[:copy(s.buf, s.buf[s.at:])], 0
	for len(s.buf) < n {
		read, err := s.from.Read(s.buf[len(s.buf):cap(s.buf)])
		s.buf = s.buf[:len(s.buf)+read]
		if err != nil {
			if err != io.EOF {
				s.err = err
			}
			return
		}
	}
}

// fail keeps the first error.
func (s *summed) fail(err error) {
	if s.err == nil {
		s.err = err
	}
}

// take gives the next bytes until the next call, or nil.
func (s *summed) take(n int) []byte {
	s.fill(n)
	if len(s.buf)-s.at < n {
		s.fail(io.ErrUnexpectedEOF)
		return nil
	}
	s.at += n
	return s.buf[s.at-n : s.at]
}

// uvarint gives the next number, 0 after an error.
func (s *summed) uvarint() uint64 {
	s.fill(binary.MaxVarintLen64)
	v, n := binary.Uvarint(s.buf[s.at:])
	if n <= 0 {
		s.fail(io.ErrUnexpectedEOF)
		return 0
	}
	s.at += n
	return v
}

func writeCells[T uint16 | uint32](put func(...uint64) error, t []T) error {
	used := 0
	for _, c := range t {
		if c != 0 {
			used++
		}
	}
	if err := put(uint64(len(t)), uint64(used)); err != nil {
		return err
	}
	last := 0
	for i, c := range t {
		if c == 0 {
			continue
		}
		if err := put(uint64(i-last), uint64(c)); err != nil {
			return err
		}
		last = i
	}
	return nil
}

func readCells[T uint16 | uint32](from *summed, t []T) error {
	size, used := from.uvarint(), from.uvarint()
	if from.err == nil && (size != uint64(len(t)) || used > size) {
		return fmt.Errorf("align: stats table of %d cells where this version has %d: %w", size, len(t), errFormat)
	}
	at := uint64(0)
	for range used {
		at += from.uvarint()
		c := from.uvarint()
		if from.err != nil {
			return nil
		}
		if at >= size || c > uint64(^T(0)) {
			return fmt.Errorf("align: stats file is damaged: cell %d of %d: %w", at, size, errFormat)
		}
		t[at] = T(c)
	}
	return nil
}

// castagnoli is the polynomial of the checksum that ends a file: machines have an instruction for it.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// errFormat marks files that are not what they should be.
var errFormat = errors.New("wrong format")
