package index

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
	spill      *spill   // of full chunks; nil: all are in memory
	free       [][]seed // chunks that are empty again
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
		*chunks = append(*chunks, s.chunk(last < 0))
		last++
	}
	c := &(*chunks)[last]
	*c = append(*c, seedOf(hash, place))
	s.n++
}

// chunk is an empty chunk, of a partition that has none or that has some.
func (s *Builder) chunk(first bool) []seed {
	if last := len(s.free) - 1; last >= 0 {
		c := s.free[last]
		s.free = s.free[:last]
		return c
	}
	if first && s.spill == nil {
		return make([]seed, 0, chunkSeeds/16) // an index of few quotes is small
	}
	return make([]seed, 0, chunkSeeds)
}

// Build sorts the entries into buckets, and forgets the seeds. A bucket is full with 255 entries. Further
// entries follow all buckets: frequent seeds in a large part of a large collection, or words
// that many quotes of a list have in common.
func (s *Builder) Build(places int64) (*Index, error) {
	t, err := newSorter(s.n, places, s.spill)
	if err != nil {
		return nil, err
	}
	for k := range s.partitions {
		chunks := s.partitions[k]
		s.partitions[k] = nil
		t.sort(k, chunks)
	}
	return t.index(), nil
}

// seedsAtOnce is about how many seeds [BuildInPasses] has in memory.
const seedsAtOnce = 1 << 22

// Pass takes the seeds of some successive partitions.
type Pass struct {
	seeds      Builder
	from, size uint64 // first partition, and how many
}

// Add adds a seed, if this pass takes it.
func (p *Pass) Add(hash uint64, place uint32) {
	if hash>>(64-partitionBits)-p.from < p.size {
		p.seeds.Add(hash, place)
	}
}

// BuildInPasses is [Builder.Build] of n seeds that need not be in memory together. It calls
// add once or more, which adds all seeds each time, in the same order.
func BuildInPasses(n int, places int64, add func(*Pass)) (*Index, error) {
	return buildInPasses(n, places, seedsAtOnce, add)
}

func buildInPasses(n int, places int64, atOnce int, add func(*Pass)) (*Index, error) {
	t, err := newSorter(n, places, nil)
	if err != nil {
		return nil, err
	}
	p := Pass{size: 1 << partitionBits}
	for p.size > 1 && n>>partitionBits*int(p.size) > atOnce {
		p.size /= 2
	}
	for ; p.from < 1<<partitionBits; p.from += p.size {
		add(&p)
		for k := int(p.from); k < int(p.from+p.size); k++ {
			chunks := p.seeds.partitions[k]
			p.seeds.partitions[k] = nil
			t.sort(k, chunks)
			for _, c := range chunks {
				p.seeds.free = append(p.seeds.free, c[:0])
			}
		}
	}
	return t.index(), nil
}
