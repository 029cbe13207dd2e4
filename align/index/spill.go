package index

import (
	"fmt"
	"os"
	"unsafe"
)

// spill is a temporary file of what an index part is built of, so that building one takes no
// memory that grows with its text. Full chunks of seeds come first, then entries.
type spill struct {
	file    *os.File
	chunks  [1 << partitionBits][]int64 // places of each partition's
	size    int64                       // of all chunks
	written int64                       // bytes of entries
	held    []seed
	err     error
}

// newSpill makes the file in a folder.
func newSpill(dir string) (*spill, error) {
	f, err := os.CreateTemp(dir, ".seeds.*.tmp")
	if err != nil {
		return nil, fmt.Errorf("align: building an index part: %w", err)
	}
	return &spill{file: f}, nil
}

func (s *spill) close() {
	s.file.Close()
	os.Remove(s.file.Name())
}

// write keeps a full chunk of a partition.
func (s *spill) write(k int, chunk []seed) {
	s.chunks[k] = append(s.chunks[k], s.size)
	s.put(bytesOf(chunk), s.size)
	s.size += int64(len(bytesOf(chunk)))
}

// read gives a partition's chunks back, in their order, and the ones that follow. They hold
// until the next call.
func (s *spill) read(k int, last [][]seed) [][]seed {
	if n := len(s.chunks[k]) * chunkSeeds; cap(s.held) < n {
		s.held = make([]seed, n)
	}
	var chunks [][]seed
	for i, at := range s.chunks[k] {
		chunk := s.held[i*chunkSeeds : (i+1)*chunkSeeds : (i+1)*chunkSeeds]
		if _, err := s.file.ReadAt(bytesOf(chunk), at); err != nil && s.err == nil {
			s.err = err
		}
		chunks = append(chunks, chunk)
	}
	return append(chunks, last...)
}

// entries keeps entries of the index, behind those before.
func (s *spill) entries(list []uint32) {
	s.put(bytesOf(list), s.size+s.written)
	s.written += int64(len(bytesOf(list)))
}

// each gives all entries.
func (s *spill) each(take func([]uint32)) {
	var some [1 << 14]uint32
	for at := int64(0); at < s.written && s.err == nil; {
		n := min(int64(len(some)), (s.written-at)/4)
		if _, s.err = s.file.ReadAt(bytesOf(some[:n]), s.size+at); s.err == nil {
			take(some[:n])
		}
		at += 4 * n
	}
}

func (s *spill) put(b []byte, at int64) {
	if _, err := s.file.WriteAt(b, at); err != nil && s.err == nil {
		s.err = err
	}
}

// bytesOf are the bytes of numbers as this machine has them.
func bytesOf[T uint32 | seed](list []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(list))), len(list)*int(unsafe.Sizeof(*new(T))))
}
