package index

import (
	"fmt"
	"maps"
	"math"
	"math/bits"
	"slices"
)

// sorter makes the tables of an index, one partition of its seeds after another.
type sorter struct {
	x      *Index
	spill  *spill   // of entries; nil: all are in memory
	done   int      // entries in the spill
	next   []uint32 // of each bucket of the partition, where its next entry goes
	beyond []uint32 // entries for which full buckets have no room
}

// newSorter reserves the tables for n seeds, whose offsets are less than places.
func newSorter(n int, places int64, entries *spill) (*sorter, error) {
	x := &Index{offsetBits: uint(bits.Len64(uint64(max(1, places-1))))}
	if x.offsetBits > 32 {
		return nil, fmt.Errorf("align: %d bytes in one index part; give parts of at most 4 GB", places)
	}
	// Buckets and tags together use no more bits of a hash than a seed has.
	x.bucketBits = min(uint(max(partitionBits, bits.Len(uint(n/6)))), partitionBits+x.offsetBits)
	buckets := 1 << x.bucketBits
	x.sizes = make([]uint8, buckets)
	x.groups = make([]uint32, buckets/groupBuckets+1)
	if entries == nil {
		x.entries = make([]uint32, 0, n+n/128) // two numbers more for each bucket with 256 seeds
	}
	return &sorter{x: x, spill: entries, next: make([]uint32, buckets>>partitionBits)}, nil
}

// sort appends the entries of partition k, which follows the one before.
func (t *sorter) sort(k int, chunks [][]seed) {
	x := t.x
	if t.spill != nil {
		t.spill.entries(x.entries)
		t.done += len(x.entries)
		x.entries = x.entries[:0]
		chunks = t.spill.read(k, chunks)
		x.entries = slices.Grow(x.entries, seedsOf(chunks))
	}
	shift := 64 - x.bucketBits
	each := len(t.next)
	sizes := x.sizes[k*each : (k+1)*each]
	for _, c := range chunks {
		for _, e := range c {
			if size := &sizes[int(e.hash(k)>>shift)-k*each]; *size < math.MaxUint8 {
				*size++
			}
		}
	}
	at := uint32(t.done + len(x.entries))
	for b, size := range sizes {
		if (k*each+b)%groupBuckets == 0 {
			x.groups[(k*each+b)/groupBuckets] = at
		}
		t.next[b] = at
		at += uint32(size)
	}
	x.entries = x.entries[:int(at)-t.done]
	var more map[int][]uint32
	for _, c := range chunks {
		for _, e := range c {
			hash := e.hash(k)
			b := int(hash>>shift) - k*each
			// The bucket's end is where the next one began: a full bucket takes no more.
			if sizes[b] == math.MaxUint8 && x.full(k*each+b, t.next[b]) {
				if more == nil {
					more = map[int][]uint32{}
				}
				more[b] = append(more[b], e.offset()|x.tag(hash))
				continue
			}
			x.entries[int(t.next[b])-t.done] = e.offset() | x.tag(hash)
			t.next[b]++
		}
	}
	for _, b := range slices.Sorted(maps.Keys(more)) {
		t.beyond = append(append(t.beyond, uint32(k*each+b), uint32(len(more[b]))), more[b]...)
	}
}

// index is the index after the last partition.
func (t *sorter) index() *Index {
	x := t.x
	x.groups[len(x.groups)-1] = uint32(t.done + len(x.entries))
	x.entries = append(x.entries, t.beyond...)
	return x
}

func seedsOf(chunks [][]seed) (n int) {
	for _, c := range chunks {
		n += len(c)
	}
	return n
}
