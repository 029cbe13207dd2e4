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

// joinNear joins near-duplicates among texts.
//
// If two texts share half of the shorter one's n shingles, they share one of
// any n/2 + 1 of these. So each text asks only who else has one of its rarest,
// and those that answer are compared in full.
func joinNear(texts []string) forest {
	ids := map[string]int32{}
	var frequency []int32
	sets := make([][]int32, len(texts)) // the shingles of each text
	for i, text := range texts {
		for _, s := range shinglesOf(text) {
			id, ok := ids[s]
			if !ok {
				id = int32(len(ids))
				ids[s] = id
				frequency = append(frequency, 0)
			}
			frequency[id]++
			sets[i] = append(sets[i], id)
		}
	}
	holders := make([][]int32, len(frequency)) // the texts that have a shingle
	for i, set := range sets {
		slices.SortFunc(set, func(a, b int32) int { return cmp.Or(cmp.Compare(frequency[a], frequency[b]), cmp.Compare(a, b)) })
		for _, id := range set {
			holders[id] = append(holders[id], int32(i))
		}
	}
	trees := newForest(len(texts))
	asked := make([]int32, len(texts)) // by whom a text was last compared, plus one
	marked := make([]int32, len(frequency))
	for i, set := range sets {
		for _, id := range set {
			marked[id] = int32(i) + 1
		}
		enough := max(leastShared, int(math.Ceil(nearDuplicate*float64(len(set)))))
		if enough > len(set) {
			continue
		}
		for _, id := range set[:len(set)-enough+1] {
			if frequency[id] > commonShingles {
				break
			}
			for _, k := range holders[id] {
				if len(sets[k]) < len(set) || int(k) == i || asked[k] == int32(i)+1 {
					continue
				}
				asked[k] = int32(i) + 1
				if sharedShingles(set, sets[k], frequency, func(id int32) bool { return marked[id] == int32(i)+1 }) >= enough {
					trees.join(i, int(k))
				}
			}
		}
	}
	return trees
}

// sharedShingles counts what a set has in common with one as large or larger,
// which has is asked of. Both are sorted by frequency and number; where the other
// is much larger, as a long stretch beside a short quote, it is searched.
func sharedShingles(set, larger, frequency []int32, has func(int32) bool) int {
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

// shinglesOf are the distinct runs of three words of a text that [Normalise]
// made, or the text where it is shorter.
func shinglesOf(text string) []string {
	var begins, ends []int
	for at := 0; at <= len(text); {
		end := strings.IndexByte(text[at:], ' ')
		if end < 0 {
			end = len(text) - at
		}
		begins, ends = append(begins, at), append(ends, at+end)
		at += end + 1
	}
	if len(begins) < shingleWords {
		return []string{text}
	}
	out := make([]string, 0, len(begins))
	for i := range len(begins) - shingleWords + 1 {
		out = append(out, text[begins[i]:ends[i+shingleWords-1]])
	}
	slices.Sort(out)
	return slices.Compact(out)
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
