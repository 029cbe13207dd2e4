package label

import (
	"cmp"
	"slices"
	"strings"

	"github.com/commonplace/commonplace"
)

// Two quotes are near-duplicates when they share at least half of the runs of
// three words that the shorter one has. One word changed in the middle of ten,
// or an end cut off, leaves more than half.
const (
	shingleWords   = 3
	nearDuplicate  = 0.5
	commonShingles = 1000 // a run of words that more quotes have than this says nothing
)

// GroupQuotes names a group for every quote, by id: quotes whose texts are
// equal after [Normalise], or near-duplicates, share one, so that [Split] keeps
// them together. The group's name is the first of its texts in alphabetical
// order, not an id or a number: a longer list leaves a quote where it was,
// unless it brings a near-duplicate that comes before it or joins two groups.
func GroupQuotes(quotes []commonplace.Quote) map[string]string {
	texts := make([]string, len(quotes))
	for i, q := range quotes {
		texts[i] = cmp.Or(Normalise(q.Text), q.ID) // punctuation only: nothing to be equal by
	}
	distinct := slices.Compact(slices.Sorted(slices.Values(texts)))
	parents := joinNear(distinct)
	groups := make(map[string]string, len(quotes))
	for i, q := range quotes {
		at, _ := slices.BinarySearch(distinct, texts[i])
		groups[q.ID] = distinct[parents.root(at)]
	}
	return groups
}

// joinNear joins near-duplicates among texts.
func joinNear(texts []string) forest {
	trees := newForest(len(texts))
	sizes := make([]int, len(texts))
	holders := map[string][]int32{} // texts that have a shingle, in order
	for i, text := range texts {
		shingles := shinglesOf(text)
		sizes[i] = len(shingles)
		shared := map[int32]int{}
		for _, s := range shingles {
			if len(holders[s]) > commonShingles {
				continue
			}
			for _, k := range holders[s] {
				shared[k]++
			}
			holders[s] = append(holders[s], int32(i))
		}
		for k, n := range shared { // joining has one result in any order
			if float64(n) >= nearDuplicate*float64(min(sizes[i], sizes[k])) {
				trees.join(i, int(k))
			}
		}
	}
	return trees
}

// shinglesOf are the distinct runs of three words of a text, or the text where
// it is shorter.
func shinglesOf(text string) []string {
	words := strings.Fields(text)
	if len(words) < shingleWords {
		return []string{text}
	}
	var out []string
	for i := range len(words) - shingleWords + 1 {
		out = append(out, strings.Join(words[i:i+shingleWords], " "))
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
