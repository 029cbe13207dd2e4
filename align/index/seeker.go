package index

import (
	"math"

	"github.com/commonplace/commonplace/align/fold"
	"github.com/commonplace/commonplace/align/ngrams"
)

// probe is a seed of the derived side and the symbol at which it begins.
type probe struct {
	hash   uint64
	symbol int32
}

// bucket is a range of entries.
type bucket struct{ from, size uint32 }

// Hit is a seed of the derived side and an offset of the index at which it occurs.
type Hit struct {
	Symbol int32
	Offset uint32
}

// Seeker looks up the seeds of one derived side in an index, batch by batch.
type Seeker struct {
	Misprints []Misprint
	Unknown   UnknownWords
	probes    []probe
	buckets   []bucket
	Hits      []Hit
	Followed  []Hit
	Touched   uint32 // the result of reads ahead, so that the compiler does not drop them
}

// Seek finds all offsets of the gathered seeds in x, in the order of the seeds: k.Hits.
func (k *Seeker) Seek(x *Index) {
	n := 0
	probes := k.probes
	for _, q := range probes {
		probes[n] = q
		n += x.may(q.hash)
	}
	probes = probes[:n]
	if cap(k.buckets) < n {
		k.buckets = make([]bucket, 2*n)
	}
	buckets := k.buckets[:n]
	for i := range probes {
		buckets[i] = x.bucket(probes[i].hash)
	}
	touched := k.Touched
	for _, b := range buckets {
		if b.size > 0 {
			touched += x.entries[b.from] + x.entries[b.from+b.size-1]
		}
	}
	hits := k.Hits[:0]
	low := uint32(1)<<x.offsetBits - 1
	for i, b := range buckets {
		mark, symbol := x.tag(probes[i].hash), probes[i].symbol
		for _, e := range x.entries[b.from : b.from+b.size] {
			if e&^low == mark {
				hits = append(hits, Hit{symbol, e & low})
			}
		}
		if b.size == math.MaxUint8 {
			more := x.more(probes[i].hash)
			for _, e := range x.entries[more.from : more.from+more.size] {
				if e&^low == mark {
					hits = append(hits, Hit{symbol, e & low})
				}
			}
		}
	}
	k.Hits, k.Touched = hits, touched
}

// GatherMisprinted gathers the seeds of n words, and those that they may have had before
// they were misprinted, in the order of their symbols. words may go on beyond n.
func (k *Seeker) GatherMisprinted(counts *ngrams.Counts, f *fold.Text, words []ngrams.Word, n int) {
	pad := f.Sym[:len(f.Sym)+fold.Padding]
	k.probes = k.probes[:0]
	k.FindMisprints(counts, pad, words, n)
	next := 0
	for _, w := range words[:n] {
		short, long := fold.SeedHashes(pad, int(w.At))
		k.probes = append(k.probes, probe{short, w.At}, probe{long, w.At})
		for next < len(k.Misprints) && k.Misprints[next].At < w.At {
			next++
		}
		for _, d := range k.Misprints[next:] {
			away := d.At - w.At
			if away >= fold.LongSeed {
				break
			}
			short, long := d.Undone(pad, int(w.At))
			if away < fold.ShortSeed {
				k.probes = append(k.probes, probe{short, w.At})
			}
			k.probes = append(k.probes, probe{long, w.At})
		}
	}
}

// Gather gathers the seeds of up to a batch of words of f from symbol i on, and
// returns the symbol after them. The Symbol of a hit is twice that of its short seed, and one more for the long one.
func (k *Seeker) Gather(f *fold.Text, i int) int {
	pad := f.Sym[:len(f.Sym)+fold.Padding]
	k.probes = k.probes[:0]
	for n := 0; n < ngrams.Batch && i < len(f.Sym); n++ {
		short, long := fold.SeedHashes(pad, i)
		k.probes = append(k.probes, probe{short, int32(uint32(i) << 1)}, probe{long, int32(uint32(i)<<1 | 1)})
		i += fold.WordLength(pad, i)
	}
	return i
}

// FindMisprints lists the letters that may be misprints under the seeds of the
// first n words.
func (k *Seeker) FindMisprints(counts *ngrams.Counts, pad []byte, words []ngrams.Word, n int) {
	k.Misprints = k.Misprints[:0]
	for i, w := range words {
		if i >= n && w.At >= words[n-1].At+fold.LongSeed {
			break
		}
		k.Misprints = misprints(counts, k.Misprints, pad, w, &k.Unknown)
	}
}
