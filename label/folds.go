package label

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/commonplace/commonplace"
)

// Folds is the number of folds of the papers' cross validation.
const Folds = 5

// SequenceLimit is how many word pieces the papers' models take at once.
const SequenceLimit = 512

// Fold is the fold, from 0, of a document, or of a group of editions of one
// work. Like [Split.Of] it depends on the seed and the name alone.
func Fold(seed int64, group string, folds int) int64 {
	return int64(fraction(seed, "fold\x00"+group) * float64(folds))
}

// EvenFolds assigns groups of so many passages to folds of about as many passages each: the
// largest group first, each to the fold that has least so far. It depends on all groups,
// and where they are equal on the seed. Unlike with [Fold], one more group can move others.
func EvenFolds(seed int64, passages map[string]int64, folds int) map[string]int64 {
	groups := slices.SortedFunc(maps.Keys(passages), func(a, b string) int {
		return cmp.Or(cmp.Compare(passages[b], passages[a]), cmp.Compare(fraction(seed, "even\x00"+a), fraction(seed, "even\x00"+b)), cmp.Compare(a, b))
	})
	of, sizes := make(map[string]int64, len(groups)), make([]int64, folds)
	for _, g := range groups {
		least := 0
		for k, n := range sizes {
			if n < sizes[least] {
				least = k
			}
		}
		of[g] = int64(least)
		sizes[least] += passages[g]
	}
	return of
}

// Singles are a document's passages as rows to learn from one by one. marked is
// what [Marked] gives, counts what [Counts] gives.
func Singles(passages []commonplace.Passage, marked []string, counts []commonplace.QuoteCount, fold int64) ([]commonplace.Counted, error) {
	passages = inOrder(passages)
	if len(marked) != len(passages) || len(counts) != len(passages) {
		return nil, fmt.Errorf("%d passages, %d marked texts and %d counts: give one of each a passage", len(passages), len(marked), len(counts))
	}
	rows := make([]commonplace.Counted, len(passages))
	for i, p := range passages {
		if counts[i].PassageID != p.ID {
			return nil, fmt.Errorf("count %d is of passage %s where %s is wanted", i, counts[i].PassageID, p.ID)
		}
		rows[i] = commonplace.Counted{PassageID: p.ID, DocID: p.DocID, Index: p.Index, Marked: marked[i],
			Count: counts[i].Count, Readers: counts[i].Readers, Editors: counts[i].Editors, Fold: fold}
	}
	return rows, nil
}

// Sequences are greedy runs of consecutive passages of one document (content-
// based models of quotation, Appendix G): a passage joins the run while the run
// has at most limit word pieces, with one for the [CLS] before all and one for the [SEP]
// after each passage.
// pieces counts the word pieces of a text. A passage too long for any run is a
// run of its own and truncated. One with an error is a reject ([ReasonUnreadable]), and
// the run continues with the next passage, as a model's input does.
func Sequences(rows []commonplace.Counted, pieces func(string) (int, error), limit int) ([]commonplace.Sequence, []commonplace.Reject) {
	var out []commonplace.Sequence
	var rejects []commonplace.Reject
	first := int64(0) // index of the run's first passage
	for _, r := range rows {
		n, err := pieces(r.Marked)
		if err != nil {
			rejects = append(rejects, commonplace.Reject{Stage: "label", ID: r.PassageID, Reason: ReasonUnreadable, Detail: err.Error(), Location: r.DocID})
			continue
		}
		size := int64(n) + 1
		if len(out) == 0 || out[len(out)-1].Pieces+size > int64(limit) {
			out = append(out, commonplace.Sequence{DocID: r.DocID, Fold: r.Fold, Pieces: 1}) // [CLS]
			first = r.Index
		}
		s := &out[len(out)-1]
		s.ID = fmt.Sprintf("%s-%06d", commonplace.PassageID(r.DocID, first), r.Index)
		s.PassageIDs = append(s.PassageIDs, r.PassageID)
		s.Marked = append(s.Marked, r.Marked)
		s.Counts = append(s.Counts, r.Count)
		s.Pieces += size
		s.Truncated = s.Pieces > int64(limit)
	}
	return out, rejects
}

// Pairs are, for each quoted passage of a document, n passages of the document
// that are quoted less, drawn without replacement, each as likely; fewer where
// there are fewer. They stand in order of the passage that is quoted more.
func Pairs(rows []commonplace.Counted, n int, seed int64) []commonplace.Pair {
	byCount := make([]int, len(rows))
	for i := range byCount {
		byCount[i] = i
	}
	slices.SortStableFunc(byCount, func(a, b int) int { return cmp.Compare(rows[a].Count, rows[b].Count) })
	var out []commonplace.Pair
	for _, more := range rows {
		if more.Count == 0 {
			continue
		}
		// Those quoted less are the first of byCount.
		less, _ := slices.BinarySearchFunc(byCount, more.Count, func(i int, count int64) int { return cmp.Compare(rows[i].Count, count) })
		for _, k := range draw(seed, more.PassageID, less, n) {
			r := rows[byCount[k]]
			out = append(out, commonplace.Pair{
				DocID: more.DocID, MoreID: more.PassageID, LessID: r.PassageID, MoreMarked: more.Marked, LessMarked: r.Marked,
				MoreCount: more.Count, LessCount: r.Count, Fold: more.Fold,
			})
		}
	}
	return out
}

// draw is n different numbers below size, each as likely, in order; all of them
// where there are no more (Floyd's algorithm). They depend on the seed and the
// name alone.
func draw(seed int64, name string, size, n int) []int {
	r := generator(seed, name)
	n = min(n, size)
	taken := make(map[int]bool, n)
	var out []int
	for i := size - n; i < size; i++ {
		k := r.IntN(i + 1)
		if taken[k] {
			k = i
		}
		taken[k] = true
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// generator gives random numbers that depend on the seed and the name alone.
func generator(seed int64, name string) *rand.Rand {
	return rand.New(rand.NewPCG(uint64(fraction(seed, "draw\x00"+name)*(1<<53)), uint64(seed)))
}
