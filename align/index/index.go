package index

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/bits"
	"slices"

	"github.com/commonplace/commonplace/align/hugepage"
)

// An index finds the places at which a seed stands. A place is a byte of the
// target text, or a symbol of the folded quotes. Every entry is a place and a
// few bits of its seed's hash, in the bucket that the hash's top bits name.
type Index struct {
	bucketBits uint
	offsetBits uint
	entries    []uint32          // hash bits above, place below; grouped by bucket; then of every full bucket its number, how many entries more it has, and those
	groups     []uint32          // entries before each group of 16 buckets
	sizes      []uint8           // entries in each bucket
	lines      []line            // what a lookup needs of each group of buckets; made when opened
	beyond     map[uint32]bucket // what full buckets do not hold; made when opened
}

const (
	groupBuckets = 16
	groupBits    = 4
	filterBits   = 32 * 11 // of a line's filter
	filterLooks  = 16      // bits of the hash that say which
)

// line is all that a lookup needs to know about a group of buckets, in one cache
// line: whether its seed may be there at all, and where. A group has about 60
// entries, so five lookups in six of what the index does not hold end here.
type line struct {
	at     uint32 // the group's first entry
	sizes  [groupBuckets]uint8
	filter [filterBits / 32]uint32
}

// Entry is one seed on its way into an index.
type Entry struct {
	Hash   uint64
	Offset uint32
}

// Builder are the seeds of an index to be, apart by the first bits of their
// hashes, so that each share can be sorted in the nearest cache. A share is a list of
// chunks that are filled one after another.
type Builder struct {
	partitions [1 << partitionBits][][]Entry
	n          int
}

const (
	partitionBits = 9
	chunkSeeds    = 512
)

// Add enters a seed.
func (s *Builder) Add(hash uint64, place uint32) {
	chunks := &s.partitions[hash>>(64-partitionBits)]
	last := len(*chunks) - 1
	if last < 0 || len((*chunks)[last]) == cap((*chunks)[last]) {
		size := chunkSeeds
		if last < 0 {
			size = chunkSeeds / 16 // an index of few quotes is small
		}
		*chunks = append(*chunks, make([]Entry, 0, size))
		last++
	}
	c := &(*chunks)[last]
	*c = append(*c, Entry{hash, place})
	s.n++
}

// Build sorts the entries into buckets. A bucket is full with 255 entries. What more
// there is of it, as seeds in a large part of a large collection may, or words that many
// quotes of a list have in common, stands behind all buckets.
func (s *Builder) Build(places int64) (*Index, error) {
	x := &Index{offsetBits: uint(bits.Len64(uint64(max(1, places-1))))}
	if x.offsetBits > 32 {
		return nil, fmt.Errorf("align: %d bytes in one index part; give parts of at most 4 GB", places)
	}
	x.bucketBits = uint(max(partitionBits, bits.Len(uint(s.n/6))))
	n := 1 << x.bucketBits
	x.sizes = make([]uint8, n)
	x.groups = make([]uint32, n/groupBuckets+1)
	x.entries = make([]uint32, 0, s.n)
	shift := 64 - x.bucketBits
	each := n >> partitionBits // buckets of a share
	next := make([]uint32, each)
	var beyond []uint32
	for k, chunks := range s.partitions {
		sizes := x.sizes[k*each : (k+1)*each]
		for _, c := range chunks {
			for _, e := range c {
				if size := &sizes[int(e.Hash>>shift)-k*each]; *size < math.MaxUint8 {
					*size++
				}
			}
		}
		at := uint32(len(x.entries))
		for b, size := range sizes {
			if (k*each+b)%groupBuckets == 0 {
				x.groups[(k*each+b)/groupBuckets] = at
			}
			next[b] = at
			at += uint32(size)
		}
		x.entries = x.entries[:at]
		var more map[int][]uint32
		for _, c := range chunks {
			for _, e := range c {
				b := int(e.Hash>>shift) - k*each
				// The bucket's end is where the next one began: a full bucket takes no more.
				if sizes[b] == math.MaxUint8 && x.full(k*each+b, next[b]) {
					if more == nil {
						more = map[int][]uint32{}
					}
					more[b] = append(more[b], e.Offset|x.tag(e.Hash))
					continue
				}
				x.entries[next[b]] = e.Offset | x.tag(e.Hash)
				next[b]++
			}
		}
		for _, b := range slices.Sorted(maps.Keys(more)) {
			beyond = append(append(beyond, uint32(k*each+b), uint32(len(more[b]))), more[b]...)
		}
	}
	x.groups[n/groupBuckets] = uint32(len(x.entries))
	x.entries = append(x.entries, beyond...)
	return x, nil
}

// full says whether bucket b, of the greatest size, ends at entry at.
func (x *Index) full(b int, at uint32) bool {
	end := x.groups[b/groupBuckets]
	for _, size := range x.sizes[b&^(groupBuckets-1) : b+1] {
		end += uint32(size)
	}
	return at == end
}

// tag is the part of the hash that stands beside a place in an entry.
func (x *Index) tag(hash uint64) uint32 {
	if x.offsetBits == 32 {
		return 0
	}
	return uint32(hash<<x.bucketBits>>(32+x.offsetBits)) << x.offsetBits
}

// Open makes the lines and checks that the tables fit together.
func (x *Index) Open() error {
	n := 1 << x.bucketBits
	if len(x.sizes) != n || len(x.groups) != n/groupBuckets+1 || x.offsetBits > 32 {
		return errors.New("align: index tables do not fit together; build the part again")
	}
	x.lines = hugepage.Table[line](n / groupBuckets)
	// The filter looks at more bits of the hash than an entry may have; it lets all pass that are alike in those.
	known := 32 - x.offsetBits
	unknown := uint(max(0, filterLooks-groupBits-int(known)))
	inBuckets := int(x.groups[n/groupBuckets])
	if inBuckets > len(x.entries) {
		return errors.New("align: index entries are cut; build the part again")
	}
	pass := func(l *line, b int, list []uint32) {
		for _, e := range list {
			looks := uint32(b) << (filterLooks - groupBits)
			if known > 0 {
				looks |= uint32(uint64(e>>x.offsetBits) << (filterLooks - groupBits) >> known)
			}
			for i := filterBit(looks); i <= filterBit(looks+1<<unknown-1); i++ {
				l.filter[i/32] |= 1 << (i % 32)
			}
		}
	}
	at := 0
	for g := range x.lines {
		if int(x.groups[g]) != at {
			return errors.New("align: index directory is damaged; build the part again")
		}
		l := &x.lines[g]
		l.at = uint32(at)
		copy(l.sizes[:], x.sizes[g*groupBuckets:])
		for b, size := range l.sizes {
			if at+int(size) > inBuckets {
				return errors.New("align: index entries are cut; build the part again")
			}
			pass(l, b, x.entries[at:at+int(size)])
			at += int(size)
		}
	}
	if at != inBuckets {
		return errors.New("align: index directory is damaged; build the part again")
	}
	for at < len(x.entries) {
		if at+2 > len(x.entries) || int(x.entries[at]) >= n || x.sizes[x.entries[at]] != math.MaxUint8 || int(x.entries[at+1]) > len(x.entries)-at-2 {
			return errors.New("align: index entries of full buckets are damaged; build the part again")
		}
		b, size := x.entries[at], x.entries[at+1]
		if x.beyond == nil {
			x.beyond = map[uint32]bucket{}
		}
		at += 2
		x.beyond[b] = bucket{uint32(at), size}
		pass(&x.lines[b/groupBuckets], int(b%groupBuckets), x.entries[at:at+int(size)])
		at += int(size)
	}
	return nil
}

// filterBit is the bit of a line's filter for the bits that it looks at.
func filterBit(looks uint32) uint32 { return looks * filterBits >> filterLooks }

// may is 1 if the index may hold the seed, 0 if it does not.
func (x *Index) may(hash uint64) int {
	l := &x.lines[hash>>(64+groupBits-x.bucketBits)]
	i := filterBit(uint32(hash << (x.bucketBits - groupBits) >> (64 - filterLooks)))
	return int(l.filter[i/32] >> (i % 32) & 1)
}

// bucket is where the entries stand among which the seed's are.
func (x *Index) bucket(hash uint64) bucket {
	l := &x.lines[hash>>(64+groupBits-x.bucketBits)]
	k := uint(hash>>(64-x.bucketBits)) % groupBuckets
	// The sum of the k sizes before, in lanes of 16 bits.
	const lanes, ones = 0x00ff00ff00ff00ff, 0x0001000100010001
	lo, hi := binary.LittleEndian.Uint64(l.sizes[:]), binary.LittleEndian.Uint64(l.sizes[8:])
	lo &= 1<<min(64, 8*k) - 1
	hi &= 1<<(8*max(8, k)-64) - 1
	before := ((lo&lanes + lo>>8&lanes + hi&lanes + hi>>8&lanes) * ones) >> 48
	return bucket{l.at + uint32(before), uint32(l.sizes[k])}
}

// more is where the entries stand that the seed's bucket, which is full, does not hold.
func (x *Index) more(hash uint64) bucket { return x.beyond[uint32(hash>>(64-x.bucketBits))] }

// Len is the number of seeds in the index.
func (x *Index) Len() int { return len(x.entries) }
