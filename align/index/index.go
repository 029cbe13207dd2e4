// Package index finds where the seeds of a text occur in other texts.
//
// An [Index] maps the hash of a seed to the offsets at which it occurs. A [Part] is a file with
// the texts of some sources and their index ([Build], [Open]). A [Seeker] looks up the
// seeds of a quoting text, and those of which a letter may be misprinted.
package index

import (
	"encoding/binary"
	"errors"
	"math"

	"github.com/commonplace/commonplace/align/hugepage"
)

// Index maps seeds to the offsets at which they occur. An offset is a byte of the
// text of a part, or a symbol of a folded quote list. An entry is an offset and a
// few bits of the hash of its seed, in the bucket that the top bits of the hash select.
type Index struct {
	bucketBits uint
	offsetBits uint
	entries    []uint32          // hash bits above, offset below; grouped by bucket; then for each full bucket its number, the number of further entries, and these
	groups     []uint32          // entries before each group of 16 buckets
	sizes      []uint8           // entries in each bucket
	lines      []line            // for a lookup, of each group of buckets; made by Open
	beyond     map[uint32]bucket // further entries of full buckets; made by Open
}

const (
	groupBuckets = 16
	groupBits    = 4
	filterBits   = 32 * 11 // of a line's filter
	filterLooks  = 16      // bits of the hash that select a bit of the filter
)

// line is what a lookup needs of a group of buckets, in one cache line: whether the
// seed may be in the index, and where. A group has about 60 entries, so five lookups
// in six of seeds that the index does not have end here.
type line struct {
	at     uint32 // the group's first entry
	sizes  [groupBuckets]uint8
	filter [filterBits / 32]uint32
}

// full reports whether bucket b, of the greatest size, ends at entry at.
func (x *Index) full(b int, at uint32) bool {
	end := x.groups[b/groupBuckets]
	for _, size := range x.sizes[b&^(groupBuckets-1) : b+1] {
		end += uint32(size)
	}
	return at == end
}

// tag is the part of the hash that an entry has above its offset.
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
	// The filter uses more bits of the hash than an entry may have; it passes all that are equal in those.
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
	x.sizes, x.groups = nil, nil // the lines have them
	return nil
}

// filterBit is the bit of a filter for these bits of a hash.
func filterBit(looks uint32) uint32 { return looks * filterBits >> filterLooks }

// may is 1 if the index may have the seed, 0 if it does not.
func (x *Index) may(hash uint64) int {
	l := &x.lines[hash>>(64+groupBits-x.bucketBits)]
	i := filterBit(uint32(hash << (x.bucketBits - groupBits) >> (64 - filterLooks)))
	return int(l.filter[i/32] >> (i % 32) & 1)
}

// bucket is the range of entries that includes those of the seed.
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

// more is the range of further entries of a full bucket.
func (x *Index) more(hash uint64) bucket { return x.beyond[uint32(hash>>(64-x.bucketBits))] }

// Len is the number of seeds in the index.
func (x *Index) Len() int { return len(x.entries) }
