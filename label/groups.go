package label

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/commonplace/commonplace"
)

// Two quotes are near-duplicates when they share at least half of the runs of
// three words that the shorter one has, and at least three, as a run of five
// words has. One word changed in the middle of ten, or an end cut off, leaves
// more than half; "thou shalt not" alone makes no two commandments one.
const (
	shingleWords   = 3
	nearDuplicate  = 0.5
	leastShared    = 3
	commonShingles = 1000 // a run of words that more quotes have than this says nothing
)

// GroupQuotes names a group for every quote, by id: quotes whose texts are
// equal after [Normalise], or near-duplicates, share one. The group's name is
// the first of its texts in alphabetical order, not an id or a number: a longer
// list leaves a quote where it was, unless it brings a near-duplicate that comes
// before it or joins two groups.
func GroupQuotes(quotes []commonplace.Quote) map[string]string {
	return NewGrouping(quotes, nil, nil).groups
}

// joinNear joins near-duplicates among texts, by their runs of so many words.
//
// If two texts share half of the shorter one's n shingles, they share one of
// any n/2 + 1 of these. So each text asks only who else has one of its rarest,
// and those that answer are compared in full. Shingles that one text alone has,
// most of them, are counted and not kept.
func joinNear(texts []string, run int) forest {
	trees := newForest(len(texts))
	sizes, sets, frequency := sharedShingles(texts, run)
	holders := make([][]int32, len(frequency)) // the texts that have a shingle
	for i, n := range frequency {
		holders[i] = make([]int32, 0, n)
	}
	for i, set := range sets {
		slices.SortFunc(set, func(a, b int32) int { return cmp.Or(cmp.Compare(frequency[a], frequency[b]), cmp.Compare(a, b)) })
		for _, id := range set {
			holders[id] = append(holders[id], int32(i))
		}
	}
	asked := make([]int32, len(texts)) // by whom a text was last compared, plus one
	marked := make([]int32, len(frequency))
	for i, set := range sets {
		for _, id := range set {
			marked[id] = int32(i) + 1
		}
		enough := max(leastShared, int(math.Ceil(nearDuplicate*float64(sizes[i]))))
		if enough > len(set) {
			continue
		}
		for _, id := range set[:len(set)-enough+1] {
			if frequency[id] > commonShingles {
				break
			}
			for _, k := range holders[id] {
				if sizes[k] < sizes[i] || int(k) == i || asked[k] == int32(i)+1 {
					continue
				}
				asked[k] = int32(i) + 1
				if inCommon(set, sets[k], frequency, func(id int32) bool { return marked[id] == int32(i)+1 }) >= enough {
					trees.join(i, int(k))
				}
			}
		}
	}
	return trees
}

// sharedShingles gives how many shingles each text has, those of them that
// another text has too, and how many texts have each of these.
func sharedShingles(texts []string, run int) (sizes []int, sets [][]int32, frequency []int32) {
	// A shingle that two texts have leaves its bit in both sets; by chance one in
	// about ten of the others does.
	words := 0
	for _, text := range texts {
		words += strings.Count(text, " ") + 1
	}
	once, twice := newBits(16*words), newBits(16*words)
	sizes, sets = make([]int, len(texts)), make([][]int32, len(texts))
	for i, text := range texts {
		hashes := shinglesOf(text, run)
		sizes[i] = len(hashes)
		for _, h := range hashes {
			if once.set(h) {
				twice.set(h)
			}
		}
	}
	ids := map[uint64]int32{}
	for i, text := range texts {
		for _, h := range shinglesOf(text, run) {
			if !twice.has(h) {
				continue
			}
			id, ok := ids[h]
			if !ok {
				id = int32(len(ids))
				ids[h] = id
				frequency = append(frequency, 0)
			}
			frequency[id]++
			sets[i] = append(sets[i], id)
		}
	}
	return sizes, sets, frequency
}

// bits are a set of hashes, each a bit that others may have as well.
type bits []uint64

// newBits has n bits or more, a power of two.
func newBits(n int) bits {
	size := 1
	for 64*size < n {
		size *= 2
	}
	return make(bits, size)
}

func (b bits) has(h uint64) bool { return b[h>>6&uint64(len(b)-1)]>>(h&63)&1 == 1 }

// set tells whether the bit was set already.
func (b bits) set(h uint64) bool {
	was := b.has(h)
	b[h>>6&uint64(len(b)-1)] |= 1 << (h & 63)
	return was
}

// inCommon counts what a set has in common with one as large or larger, which
// has is asked of. Both are sorted by frequency and number; where the other is
// much larger, as a long stretch beside a short quote, it is searched.
func inCommon(set, larger, frequency []int32, has func(int32) bool) int {
	shared := 0
	if len(larger) < 16*len(set) {
		for _, id := range larger {
			if has(id) {
				shared++
			}
		}
		return shared
	}
	for _, id := range set {
		_, found := slices.BinarySearchFunc(larger, id, func(a, b int32) int {
			return cmp.Or(cmp.Compare(frequency[a], frequency[b]), cmp.Compare(a, b))
		})
		if found {
			shared++
		}
	}
	return shared
}

// shinglesOf are the hashes of the distinct runs of so many words of a text that
// [Normalise] made, or of the text where it is shorter, in order.
func shinglesOf(text string, run int) []uint64 {
	var begins, ends []int
	for at := 0; at <= len(text); {
		end := strings.IndexByte(text[at:], ' ')
		if end < 0 {
			end = len(text) - at
		}
		begins, ends = append(begins, at), append(ends, at+end)
		at += end + 1
	}
	if len(begins) < run {
		return []uint64{hashOf(text)}
	}
	out := make([]uint64, 0, len(begins))
	for i := range len(begins) - run + 1 {
		out = append(out, hashOf(text[begins[i]:ends[i+run-1]]))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// hashOf is FNV-1a, stirred: its own low bits are poor.
func hashOf(text string) uint64 {
	h := uint64(0xcbf29ce484222325)
	for i := range len(text) {
		h = (h ^ uint64(text[i])) * 0x100000001b3
	}
	return mix(h, 0)
}

// forest joins things into groups; the root of a group is its smallest number.
type forest []int

func newForest(n int) forest {
	f := make(forest, n)
	for i := range f {
		f[i] = i
	}
	return f
}

func (f forest) root(i int) int {
	for f[i] != i {
		f[i] = f[f[i]]
		i = f[i]
	}
	return i
}

func (f forest) join(i, k int) {
	i, k = f.root(i), f.root(k)
	f[max(i, k)] = min(i, k)
}

// Clusters names, by alignment id, the cluster of each alignment: alignments
// that stand at roughly the same place of a source are one cluster, as Quotus
// joins the edits of one quote (context-based quotation recommendation,
// "Dataset"). Two are at the same place when they share at least half of the
// shorter one. A cluster is named doc_id:begin-end after the stretch that it
// covers.
func Clusters(alignments []commonplace.Alignment) map[string]string {
	rows := slices.Clone(alignments)
	slices.SortFunc(rows, func(a, b commonplace.Alignment) int {
		return cmp.Or(cmp.Compare(a.SourceID, b.SourceID), cmp.Compare(a.SourceBegin, b.SourceBegin), cmp.Compare(a.SourceEnd, b.SourceEnd), cmp.Compare(a.ID, b.ID))
	})
	trees := newForest(len(rows))
	var open []int // rows that reach beyond where the sweep is
	for i, a := range rows {
		open = slices.DeleteFunc(open, func(k int) bool {
			return rows[k].SourceID != a.SourceID || rows[k].SourceEnd <= a.SourceBegin
		})
		for _, k := range open {
			b := rows[k]
			shared := min(a.SourceEnd, b.SourceEnd) - a.SourceBegin
			if 2*shared >= min(a.SourceEnd-a.SourceBegin, b.SourceEnd-b.SourceBegin) {
				trees.join(i, k)
			}
		}
		open = append(open, i)
	}
	end := make([]int64, len(rows)) // by root; the root is the first row and begins first
	for i, a := range rows {
		r := trees.root(i)
		end[r] = max(end[r], a.SourceEnd)
	}
	names := make(map[string]string, len(rows))
	for i, a := range rows {
		r := trees.root(i)
		names[a.ID] = spanID(a.SourceID, rows[r].SourceBegin, end[r])
	}
	return names
}
