package align

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

// hit is a seed of the derived side and a byte of the part's text where it stands.
type hit struct {
	symbol int32
	place  uint32
}

// seeker looks up the seeds of one derived side in an index, batch by batch.
type seeker struct {
	misprints []misprint
	unknown   onceSeen
	probes    []probe
	buckets   []bucket
	hits      []hit
	followed  []hit
	touched   uint32 // of what was read ahead, so that the reads are not left out
}

// seek leaves in k.hits every place of x that holds one of k.probes, in their
// order.
func (k *seeker) seek(x *index) {
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
	touched := k.touched
	for _, b := range buckets {
		if b.size > 0 {
			touched += x.entries[b.from] + x.entries[b.from+b.size-1]
		}
	}
	hits := k.hits[:0]
	low := uint32(1)<<x.placeBits - 1
	for i, b := range buckets {
		mark, symbol := x.mark(probes[i].hash), probes[i].symbol
		for _, e := range x.entries[b.from : b.from+b.size] {
			if e&^low == mark {
				hits = append(hits, hit{symbol, e & low})
			}
		}
		if b.size == math.MaxUint8 {
			more := x.more(probes[i].hash)
			for _, e := range x.entries[more.from : more.from+more.size] {
				if e&^low == mark {
					hits = append(hits, hit{symbol, e & low})
				}
			}
		}
	}
	k.hits, k.touched = hits, touched
}

// gather lists the seeds of n words, and those that they may have had before
// they were damaged, in the order of their symbols. words may go on beyond n.
func (k *seeker) gather(stats *ngrams.Counts, f *fold.Text, words []ngrams.Word, n int) {
	pad := f.Sym[:len(f.Sym)+fold.Padding]
	k.probes = k.probes[:0]
	k.findMisprints(stats, pad, words, n)
	next := 0
	for _, w := range words[:n] {
		short, long := fold.SeedHashes(pad, int(w.At))
		k.probes = append(k.probes, probe{short, w.At}, probe{long, w.At})
		for next < len(k.misprints) && k.misprints[next].at < w.At {
			next++
		}
		for _, d := range k.misprints[next:] {
			away := d.at - w.At
			if away >= fold.LongSeed {
				break
			}
			short, long := d.undone(pad, int(w.At))
			if away < fold.ShortSeed {
				k.probes = append(k.probes, probe{short, w.At})
			}
			k.probes = append(k.probes, probe{long, w.At})
		}
	}
}

// gatherPlain lists the seeds of up to batch words of f from symbol i on, and
// returns the symbol after them. A probe names its symbol twice over, and one more for the long seed.
func (k *seeker) gatherPlain(f *fold.Text, i int) int {
	pad := f.Sym[:len(f.Sym)+fold.Padding]
	k.probes = k.probes[:0]
	for n := 0; n < ngrams.Batch && i < len(f.Sym); n++ {
		short, long := fold.SeedHashes(pad, i)
		k.probes = append(k.probes, probe{short, int32(uint32(i) << 1)}, probe{long, int32(uint32(i)<<1 | 1)})
		i += fold.WordLength(pad, i)
	}
	return i
}

// findMisprints lists the letters that may be misprints under the seeds of the
// first n words.
func (k *seeker) findMisprints(stats *ngrams.Counts, pad []byte, words []ngrams.Word, n int) {
	k.misprints = k.misprints[:0]
	for i, w := range words {
		if i >= n && w.At >= words[n-1].At+fold.LongSeed {
			break
		}
		k.misprints = misprints(stats, k.misprints, pad, w, &k.unknown)
	}
}
