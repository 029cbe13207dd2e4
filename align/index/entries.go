package index

import (
	"fmt"
	"maps"
	"math"
	"math/bits"
	"slices"
)

// Entry is a seed to be indexed.
type Entry struct {
	Hash   uint64
	Offset uint32
}

// Builder collects the seeds of an index, partitioned by the first bits of their
// hashes, so that each partition can be sorted in the nearest cache. A partition is a list of
// chunks that are filled one after another.
type Builder struct {
	partitions [1 << partitionBits][][]seed
	n          int
	spill      *spill // of full chunks; nil: all are in memory
}

const (
	partitionBits = 9
	seedBits      = 32
	chunkSeeds    = 1024
)

// seed is an entry of a partition: above the offset, the bits of its hash that follow those
// of the partition. An index uses no bits of a hash beyond these.
type seed uint64

func seedOf(hash uint64, offset uint32) seed {
	return seed(hash<<partitionBits&^(1<<seedBits-1) | uint64(offset))
}

// hash is the seed's hash as far as an index of partition k uses it.
func (s seed) hash(k int) uint64 {
	return uint64(k)<<(64-partitionBits) | uint64(s)>>seedBits<<(64-partitionBits-seedBits)
}

func (s seed) offset() uint32 { return uint32(s) }

// Add adds a seed.
func (s *Builder) Add(hash uint64, place uint32) {
	chunks := &s.partitions[hash>>(64-partitionBits)]
	last := len(*chunks) - 1
	if s.spill != nil && last >= 0 && len((*chunks)[last]) == chunkSeeds {
		s.spill.write(int(hash>>(64-partitionBits)), (*chunks)[last])
		(*chunks)[last] = (*chunks)[last][:0]
	}
	if last < 0 || len((*chunks)[last]) == cap((*chunks)[last]) {
		size := chunkSeeds
		if last < 0 && s.spill == nil {
			size = chunkSeeds / 16 // an index of few quotes is small
		}
		*chunks = append(*chunks, make([]seed, 0, size))
		last++
	}
	c := &(*chunks)[last]
	*c = append(*c, seedOf(hash, place))
	s.n++
}

// Build sorts the entries into buckets, and forgets the seeds. A bucket is full with 255 entries. Further
// entries follow all buckets: frequent seeds in a large part of a large collection, or words
// that many quotes of a list have in common.
func (s *Builder) Build(places int64) (*Index, error) {
	x := &Index{offsetBits: uint(bits.Len64(uint64(max(1, places-1))))}
	if x.offsetBits > 32 {
		return nil, fmt.Errorf("align: %d bytes in one index part; give parts of at most 4 GB", places)
	}
	// Buckets and tags together use no more bits of a hash than a seed has.
	x.bucketBits = min(uint(max(partitionBits, bits.Len(uint(s.n/6)))), partitionBits+x.offsetBits)
	n := 1 << x.bucketBits
	x.sizes = make([]uint8, n)
	x.groups = make([]uint32, n/groupBuckets+1)
	if s.spill == nil {
		x.entries = make([]uint32, 0, s.n)
	}
	shift := 64 - x.bucketBits
	each := n >> partitionBits // buckets of a partition
	next := make([]uint32, each)
	var beyond []uint32
	done := 0 // entries in the spill
	for k := range s.partitions {
		chunks := s.partitions[k]
		s.partitions[k] = nil
		if s.spill != nil {
			s.spill.entries(x.entries)
			done += len(x.entries)
			x.entries = x.entries[:0]
			chunks = s.spill.read(k, chunks)
			x.entries = slices.Grow(x.entries, seedsOf(chunks))
		}
		sizes := x.sizes[k*each : (k+1)*each]
		for _, c := range chunks {
			for _, e := range c {
				if size := &sizes[int(e.hash(k)>>shift)-k*each]; *size < math.MaxUint8 {
					*size++
				}
			}
		}
		at := uint32(done + len(x.entries))
		for b, size := range sizes {
			if (k*each+b)%groupBuckets == 0 {
				x.groups[(k*each+b)/groupBuckets] = at
			}
			next[b] = at
			at += uint32(size)
		}
		x.entries = x.entries[:int(at)-done]
		var more map[int][]uint32
		for _, c := range chunks {
			for _, e := range c {
				hash := e.hash(k)
				b := int(hash>>shift) - k*each
				// The bucket's end is where the next one began: a full bucket takes no more.
				if sizes[b] == math.MaxUint8 && x.full(k*each+b, next[b]) {
					if more == nil {
						more = map[int][]uint32{}
					}
					more[b] = append(more[b], e.offset()|x.tag(hash))
					continue
				}
				x.entries[int(next[b])-done] = e.offset() | x.tag(hash)
				next[b]++
			}
		}
		for _, b := range slices.Sorted(maps.Keys(more)) {
			beyond = append(append(beyond, uint32(k*each+b), uint32(len(more[b]))), more[b]...)
		}
	}
	x.groups[n/groupBuckets] = uint32(done + len(x.entries))
	x.entries = append(x.entries, beyond...)
	return x, nil
}

func seedsOf(chunks [][]seed) (n int) {
	for _, c := range chunks {
		n += len(c)
	}
	return n
}
