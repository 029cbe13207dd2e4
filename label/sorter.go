package label

import (
	"bufio"
	"bytes"
	"cmp"
	"container/heap"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
)

// What is compared with everything else must not be held: records go through
// sorted runs in temporary files, and come out beside what they are equal to.
// Variables for the tests.
var (
	sortBytes = 8 << 20 // of records held at once
	sortRuns  = 32      // merged at once, each with a buffer of 32 KB
)

// sorter puts records in order of their keys and, where these are equal, of
// their values, byte by byte. It holds 8 MB of them, whatever their number.
type sorter struct {
	arena  []byte
	held   []heldRecord
	levels [][]*os.File // runs that were merged as often; they have no name
}

// heldRecord is where a record lies in the arena.
type heldRecord struct {
	prefix         uint64
	at, key, value uint32
}

// prefixOf is the first bytes of a key, which mostly decide.
func prefixOf(key []byte) uint64 {
	if len(key) >= 8 {
		return binary.BigEndian.Uint64(key)
	}
	var b [8]byte
	copy(b[:], key)
	return binary.BigEndian.Uint64(b[:])
}

// add takes a copy of a record.
func (s *sorter) add(key, value []byte) error {
	if len(s.arena)+24*len(s.held) >= sortBytes {
		if err := s.spill(); err != nil {
			return err
		}
	}
	s.held = append(s.held, heldRecord{prefixOf(key), uint32(len(s.arena)), uint32(len(key)), uint32(len(value))})
	s.arena = append(append(s.arena, key...), value...)
	return nil
}

func (s *sorter) keyOf(h heldRecord) []byte { return s.arena[h.at : h.at+h.key] }

func (s *sorter) valueOf(h heldRecord) []byte { return s.arena[h.at+h.key : h.at+h.key+h.value] }

func (s *sorter) sortHeld() {
	slices.SortFunc(s.held, func(a, b heldRecord) int {
		if a.prefix != b.prefix {
			return cmp.Compare(a.prefix, b.prefix)
		}
		if c := bytes.Compare(s.keyOf(a), s.keyOf(b)); c != 0 {
			return c
		}
		return bytes.Compare(s.valueOf(a), s.valueOf(b))
	})
}

// spill writes what is held as a run, and merges runs when there are many.
func (s *sorter) spill() error {
	s.sortHeld()
	f, err := writeRun(func(put func(key, value []byte) error) error {
		for _, h := range s.held {
			if err := put(s.keyOf(h), s.valueOf(h)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	s.arena, s.held = s.arena[:0], s.held[:0]
	for level := 0; ; level++ {
		if level == len(s.levels) {
			s.levels = append(s.levels, nil)
		}
		s.levels[level] = append(s.levels[level], f)
		if len(s.levels[level]) < sortRuns {
			return nil
		}
		runs := s.levels[level]
		f, err = writeRun(func(put func(key, value []byte) error) error { return mergeRuns(runs, put) })
		if err != nil {
			return err
		}
		if err := closeAll(runs); err != nil {
			return err
		}
		s.levels[level] = nil
	}
}

// each gives all records in order; their bytes are good until the next.
func (s *sorter) each(do func(key, value []byte) error) error {
	if len(s.levels) == 0 {
		s.sortHeld()
		for _, h := range s.held {
			if err := do(s.keyOf(h), s.valueOf(h)); err != nil {
				return err
			}
		}
		return nil
	}
	if len(s.held) > 0 {
		if err := s.spill(); err != nil {
			return err
		}
	}
	s.arena, s.held = nil, nil
	return mergeRuns(slices.Concat(s.levels...), do)
}

// close lets the files go.
func (s *sorter) close() error {
	err := closeAll(slices.Concat(s.levels...))
	*s = sorter{}
	return err
}

func closeAll(files []*os.File) error {
	var err error
	for _, f := range files {
		err = errors.Join(err, f.Close())
	}
	return err
}

// temporary is a file that is gone when it is closed.
func temporary() (*os.File, error) {
	f, err := os.CreateTemp("", "grouping-*.tmp")
	if err != nil {
		return nil, fmt.Errorf("group: %w", err)
	}
	return f, os.Remove(f.Name())
}

func writeRun(fill func(put func(key, value []byte) error) error) (*os.File, error) {
	f, err := temporary()
	if err != nil {
		return nil, err
	}
	w := bufio.NewWriterSize(f, 1<<15)
	var head [2 * binary.MaxVarintLen32]byte
	err = fill(func(key, value []byte) error {
		n := binary.PutUvarint(head[:], uint64(len(key)))
		n += binary.PutUvarint(head[n:], uint64(len(value)))
		for _, part := range [][]byte{head[:n], key, value} {
			if _, err := w.Write(part); err != nil {
				return err
			}
		}
		return nil
	})
	if err = cmp.Or(err, w.Flush()); err != nil {
		f.Close()
		return nil, fmt.Errorf("group: %w", err)
	}
	return f, nil
}

func mergeRuns(files []*os.File, do func(key, value []byte) error) error {
	var h runHeap
	for _, f := range files {
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			return fmt.Errorf("group: %w", err)
		}
		r := &sortedRun{from: bufio.NewReaderSize(f, 1<<15)}
		more, err := r.advance()
		if err != nil {
			return err
		}
		if more {
			h = append(h, r)
		}
	}
	heap.Init(&h)
	for len(h) > 0 {
		if err := do(h[0].key(), h[0].value()); err != nil {
			return err
		}
		more, err := h[0].advance()
		if err != nil {
			return err
		}
		if more {
			heap.Fix(&h, 0)
		} else {
			heap.Pop(&h)
		}
	}
	return nil
}

// sortedRun is a run and its next record.
type sortedRun struct {
	from   *bufio.Reader
	record []byte
	keyLen int
}

func (r *sortedRun) key() []byte { return r.record[:r.keyLen] }

func (r *sortedRun) value() []byte { return r.record[r.keyLen:] }

func (r *sortedRun) advance() (more bool, err error) {
	key, err := binary.ReadUvarint(r.from)
	if err == io.EOF {
		return false, nil
	}
	value := uint64(0)
	if err == nil {
		value, err = binary.ReadUvarint(r.from)
	}
	if err == nil {
		r.keyLen = int(key)
		r.record = slices.Grow(r.record[:0], int(key+value))[:key+value]
		_, err = io.ReadFull(r.from, r.record)
	}
	if err != nil {
		return false, fmt.Errorf("group: read what was sorted: %w", err)
	}
	return true, nil
}

// runHeap has the run with the least record on top.
type runHeap []*sortedRun

func (h runHeap) Len() int { return len(h) }
func (h runHeap) Less(i, j int) bool {
	if c := bytes.Compare(h[i].key(), h[j].key()); c != 0 {
		return c < 0
	}
	return bytes.Compare(h[i].value(), h[j].value()) < 0
}
func (h runHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *runHeap) Push(x any)   { *h = append(*h, x.(*sortedRun)) }
func (h *runHeap) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}
