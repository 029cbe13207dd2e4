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

// bucket is where the entries stand among which a probe's are.
type bucket struct{ from, size uint32 }

// Hit is a seed of the derived side and a byte of the part's text where it stands.
type Hit struct {
	Symbol int32
	Offset uint32
}

// Seeker looks up the seeds of one derived side in an index, batch by batch.
type Seeker struct {
	Misprints []misprint
	Unknown   UnknownWords
	probes    []probe
	buckets   []bucket
	Hits      []Hit
	Followed  []Hit
	Touched   uint32 // of what was read ahead, so that the reads are not left out
}

// Seek leaves in k.hits every place of x that holds one of k.probes, in their
// order.
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

// GatherMisprinted lists the seeds of n words, and those that they may have had before
// they were damaged, in the order of their symbols. words may go on beyond n.
func (k *Seeker) GatherMisprinted(stats *ngrams.Counts, f *fold.Text, words []ngrams.Word, n int) {
	pad := f.Sym[:len(f.Sym)+fold.Padding]
	k.probes = k.probes[:0]
	k.FindMisprints(stats, pad, words, n)
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

// Gather lists the seeds of up to batch words of f from symbol i on, and
// returns the symbol after them. A probe names its symbol twice over, and one more for the long seed.
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
func (k *Seeker) FindMisprints(stats *ngrams.Counts, pad []byte, words []ngrams.Word, n int) {
	k.Misprints = k.Misprints[:0]
	for i, w := range words {
		if i >= n && w.At >= words[n-1].At+fold.LongSeed {
			break
		}
		k.Misprints = misprints(stats, k.Misprints, pad, w, &k.Unknown)
	}
}
