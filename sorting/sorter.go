// Package sorting puts more records in order than memory holds. What is compared
// with everything else must not be held: records go through sorted runs in
// temporary files, and come out beside what they are equal to.
//
//	var s sorting.Sorter
//	err := s.Add(key, value) // any number of times
//	err = s.Each(func(key, value []byte) error { ... })
//	err = s.Close()
package sorting

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"os"
	"slices"
)

// What a [Sorter] holds. Tests set them low, so that little goes through files.
var (
	HeldBytes  = 8 << 20 // of records held at once
	MergedRuns = 32      // merged at once, each with a buffer of 32 KB
)

// Sorter puts records in order of their keys and, where these are equal, of
// their values, byte by byte. It holds 8 MB of them, whatever their number. Its
// zero value is ready; an error is one of its temporary files, which have no name.
// It is not safe for use by several goroutines at once.
type Sorter struct {
	Distinct bool   // of equal records one comes out, and few lie in the files
	Dir      string // of its temporary files; [os.TempDir] where it is empty
	arena    []byte
	held     []heldRecord
	levels   [][]*os.File // runs that were merged as often
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

// Add takes a copy of a record.
func (s *Sorter) Add(key, value []byte) error {
	if len(s.arena)+24*len(s.held) >= HeldBytes {
		if err := s.spill(); err != nil {
			return err
		}
	}
	s.held = append(s.held, heldRecord{prefixOf(key), uint32(len(s.arena)), uint32(len(key)), uint32(len(value))})
	s.arena = append(append(s.arena, key...), value...)
	return nil
}

func (s *Sorter) keyOf(h heldRecord) []byte { return s.arena[h.at : h.at+h.key] }

func (s *Sorter) valueOf(h heldRecord) []byte { return s.arena[h.at+h.key : h.at+h.key+h.value] }

func (s *Sorter) sortHeld() {
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

// once passes a record on, and of equal ones the first, where that is asked for.
func (s *Sorter) once(do func(key, value []byte) error) func(key, value []byte) error {
	if !s.Distinct {
		return do
	}
	var last []byte
	at, any := 0, false // where the last value begins
	return func(key, value []byte) error {
		if any && bytes.Equal(key, last[:at]) && bytes.Equal(value, last[at:]) {
			return nil
		}
		last, at, any = append(append(last[:0], key...), value...), len(key), true
		return do(key, value)
	}
}

// spill writes what is held as a run, and merges runs when there are many.
func (s *Sorter) spill() error {
	s.sortHeld()
	f, err := writeRun(s.Dir, func(put func(key, value []byte) error) error {
		put = s.once(put)
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
		if len(s.levels[level]) < MergedRuns {
			return nil
		}
		runs := s.levels[level]
		f, err = writeRun(s.Dir, func(put func(key, value []byte) error) error { return mergeRuns(runs, s.once(put)) })
		if err != nil {
			return err
		}
		s.levels[level] = nil
		if err := closeAll(runs); err != nil {
			return errors.Join(err, f.Close())
		}
	}
}

// Each gives all records in order; their bytes are good until the next. An error
// of do ends it and is passed on. It may be called again; nothing is added after it.
func (s *Sorter) Each(do func(key, value []byte) error) error {
	do = s.once(do)
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

// Close lets the files go; the sorter is then as new.
func (s *Sorter) Close() error {
	err := closeAll(slices.Concat(s.levels...))
	*s = Sorter{Distinct: s.Distinct, Dir: s.Dir}
	return err
}

func closeAll(files []*os.File) error {
	var err error
	for _, f := range files {
		err = errors.Join(err, f.Close())
	}
	return err
}
