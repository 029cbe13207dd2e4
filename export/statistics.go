package export

import (
	"hash/fnv"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/commonplace/commonplace/table"
)

// distribution counts numbers: how long quotes are, how often passages are
// quoted. Different numbers are few, so the median is exact.
type distribution struct {
	What   string // such as "words per quote"
	Scale  int64  // of counts: 1, or 1000 for shares of one
	N      int64
	Sum    float64
	Counts map[int64]int64
}

func newDistribution(what string, scale int64) *distribution {
	return &distribution{What: what, Scale: scale, Counts: map[int64]int64{}}
}

func (d *distribution) add(x float64) {
	d.N++
	d.Sum += x
	d.Counts[int64(x*float64(d.Scale)+0.5)]++
}

// Mean, Median, Least and Most say it in short.
func (d *distribution) Mean() float64 { return d.Sum / float64(max(1, d.N)) }

// Median is the mean of the two in the middle where their number is even.
func (d *distribution) Median() float64 {
	at := func(rank int64) int64 {
		for _, x := range slices.Sorted(maps.Keys(d.Counts)) {
			if rank -= d.Counts[x]; rank < 0 {
				return x
			}
		}
		return 0
	}
	return float64(at((d.N-1)/2)+at(d.N/2)) / 2 / float64(d.Scale)
}

func (d *distribution) Least() float64 {
	return float64(slices.Min(slices.Collect(maps.Keys(d.Counts)))) / float64(d.Scale)
}

func (d *distribution) Most() float64 {
	return float64(slices.Max(slices.Collect(maps.Keys(d.Counts)))) / float64(d.Scale)
}

// key watches that what must stay in one split is in one.
type key struct {
	table.Watched
	names []string
	seen  map[uint64]uint32 // splits by the key's hash
}

// hashOf stands for an id that is counted and not asked for.
func hashOf(id string) uint64 {
	h := fnv.New64a()
	io.WriteString(h, id)
	return h.Sum64()
}

func (k *key) add(id, in string) {
	if k.seen == nil {
		k.seen = map[uint64]uint32{}
	}
	n := slices.Index(k.names, in)
	if n < 0 {
		n = len(k.names)
		k.names = append(k.names, in)
	}
	k.seen[hashOf(id)] |= 1 << min(n, 31)
}

// Keys is the number of different ones.
func (k *key) Keys() int64 { return int64(len(k.seen)) }

// Leaks is how many are in more than one split.
func (k *key) Leaks() int64 {
	n := int64(0)
	for _, splits := range k.seen {
		if splits&(splits-1) != 0 {
			n++
		}
	}
	return n
}

// span is the first and last day of a split.
type span struct{ First, Last string }

// dates watches that splits by date do not overlap.
type dates map[string]span

func (d dates) add(in, day string) {
	if day == "" {
		return
	}
	s, ok := d[in]
	if !ok || day < s.First {
		s.First = day
	}
	s.Last = max(s.Last, day)
	d[in] = s
}

// overlap names two splits whose days overlap, or nothing.
func (d dates) overlap() string {
	names := slices.SortedFunc(maps.Keys(d), func(a, b string) int { return strings.Compare(d[a].First, d[b].First) })
	for i := 1; i < len(names); i++ {
		if d[names[i-1]].Last >= d[names[i]].First {
			return names[i-1] + " and " + names[i]
		}
	}
	return ""
}
