package ngrams

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

// A file begins with statsMagic, whose last letter is the version of the format, or, if
// the oldest document represents boilerplate, with oldestMagic.
const (
	statsMagic  = "cpstats2"
	oldestMagic = "cpstats3"
)

// HeadLength is how many bytes of a file [OtherVersion] looks at.
const HeadLength = len(statsMagic)

// OtherVersion says whether a file's first bytes are of statistics in another version of
// the format, and which, and which this program reads.
func OtherVersion(head []byte) (version, reads string, other bool) {
	name := statsMagic[:HeadLength-1]
	if len(head) < HeadLength || string(head[:HeadLength-1]) != name || string(head[:HeadLength]) == statsMagic || string(head[:HeadLength]) == oldestMagic {
		return "", "", false
	}
	return string(head[HeadLength-1 : HeadLength]), statsMagic[HeadLength-1:], true
}

// WriteTo writes the tables, for each cell in use the gap to the one before and its count, as varints,
// and the CRC-32C of the file.
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
	magic := statsMagic
	if s.OldestFirst {
		magic = oldestMagic
	}
	m, err := b.WriteString(magic)
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

// Read reads what [Counts.WriteTo] wrote. It fails on a file that is truncated,
// damaged or of another version.
func Read(r io.Reader) (*Counts, error) {
	b := &checksummed{from: r, buf: make([]byte, 0, 1<<16)}
	magic := string(b.take(len(statsMagic)))
	if magic != statsMagic && magic != oldestMagic {
		return nil, fmt.Errorf("align: not a stats file of this version (%w); count the sources again", errors.Join(b.err, errFormat))
	}
	s := New()
	s.OldestFirst = magic == oldestMagic
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

// checksummed reads a file and computes its checksum. A file has tens of millions of
// numbers, so they are read and summed a buffer at a time.
type checksummed struct {
	from io.Reader
	buf  []byte
	at   int    // in buf, of the next byte to take
	sum  uint32 // of the bytes taken before buf
	err  error  // the first one
}

// taken is the checksum of all bytes taken.
func (s *checksummed) taken() uint32 { return crc32.Update(s.sum, castagnoli, s.buf[:s.at]) }

// fill reads until the buffer has so many bytes to take, or the file ends.
func (s *checksummed) fill(n int) {
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

// fail records the first error.
func (s *checksummed) fail(err error) {
	if s.err == nil {
		s.err = err
	}
}

// take gives the next bytes until the next call, or nil.
func (s *checksummed) take(n int) []byte {
	s.fill(n)
	if len(s.buf)-s.at < n {
		s.fail(io.ErrUnexpectedEOF)
		return nil
	}
	s.at += n
	return s.buf[s.at-n : s.at]
}

// uvarint gives the next number, 0 after an error.
func (s *checksummed) uvarint() uint64 {
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

func readCells[T uint16 | uint32](from *checksummed, t []T) error {
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

// errFormat is the error of files that are damaged or of another format.
var errFormat = errors.New("wrong format")
