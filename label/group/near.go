package group

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"strings"

	"github.com/commonplace/commonplace/label/internal/compare"
	"github.com/commonplace/commonplace/label/internal/disjoint"
	"github.com/commonplace/commonplace/sorting"
)

// Two texts are near-duplicates when they share at least half of the runs of
// words that the shorter one has, and at least three. Quotes are compared by runs
// of three words: one word changed in the middle of ten, or an end cut off, leaves
// more than half; "thou shalt not" alone makes no two commandments one.
const (
	shingleWords   = 3
	nearDuplicate  = 0.5
	leastShared    = 3
	commonShingles = 1000 // a run of words that more texts have than this says nothing
)

// nearTexts finds near-duplicates among texts without holding them: 16 bytes a
// text are in memory, and 4 of the forest; the rest is sorted on disk.
type nearTexts struct {
	run      int            // words of a shingle
	sizes    []uint32       // shingles of each text
	shingles sorting.Sorter // hash, text
}

// shingle is a run of words that several texts have: it names the place of the
// list of them.
type shingle struct {
	texts uint32 // how many have it
	at    uint64 // where they are listed
}

func compareShingles(a, b shingle) int {
	return cmp.Or(cmp.Compare(a.texts, b.texts), cmp.Compare(a.at, b.at))
}

const shingleBytes = 12

// add takes the next text, as [label.Normalise] folds it.
func (n *nearTexts) add(text string) error {
	hashes := shinglesOf(text, n.run)
	var record [12]byte
	binary.BigEndian.PutUint32(record[8:], uint32(len(n.sizes)))
	for _, h := range hashes {
		binary.BigEndian.PutUint64(record[:], h)
		if err := n.shingles.Add(record[:8], record[8:]); err != nil {
			return err
		}
	}
	n.sizes = append(n.sizes, uint32(len(hashes)))
	return nil
}

// pass counts a text that is not compared.
func (n *nearTexts) pass() { n.sizes = append(n.sizes, 0) }

func (n *nearTexts) close() error { return n.shingles.Close() }

// join joins near-duplicates, by their numbers in the order of add.
//
// If two texts share half of the shorter one's n shingles, they share one of
// any n/2 + 1 of these. So each text asks only who else has one of its rarest,
// and those that answer are compared in full. Shingles that one text alone has,
// most of them, are counted and not kept.
func (n *nearTexts) join(ctx context.Context, trees disjoint.Sets) (err error) {
	holders, err := newStore(n.shingles.Dir) // the texts that have a shingle, 4 bytes each
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, holders.close()) }()
	sets, err := newStore(n.shingles.Dir) // the shared shingles of each text, rarest first
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, sets.close()) }()
	starts, err := n.shared(holders, sets)
	if err != nil {
		return err
	}
	asked := make([]uint32, len(n.sizes)) // by whom a text was last compared, plus one
	var set, other []shingle
	var buffer []byte
	read := func(to []shingle, text int) ([]shingle, error) {
		buffer, err = sets.read(buffer[:0], starts[text], starts[text+1]-starts[text])
		return parseShingles(to[:0], buffer), err
	}
	for i, size := range n.sizes {
		if i%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		enough := max(leastShared, int(math.Ceil(nearDuplicate*float64(size))))
		if int64(enough) > (starts[i+1]-starts[i])/shingleBytes {
			continue
		}
		if set, err = read(set, i); err != nil {
			return err
		}
		for _, s := range set[:len(set)-enough+1] {
			if s.texts > commonShingles {
				break
			}
			var listed [4 * commonShingles]byte
			all, err := holders.read(listed[:0], 4*int64(s.at), 4*int64(s.texts))
			if err != nil {
				return err
			}
			for ; len(all) > 0; all = all[4:] {
				k := int(binary.BigEndian.Uint32(all))
				if n.sizes[k] < size || k == i || asked[k] == uint32(i)+1 {
					continue
				}
				asked[k] = uint32(i) + 1
				if trees.Root(i) == trees.Root(k) {
					continue
				}
				if other, err = read(other, k); err != nil {
					return err
				}
				if inCommon(set, other) >= enough {
					trees.Join(i, k)
				}
			}
		}
	}
	return nil
}

// shared writes which texts have each of the shingles that several have, and
// which of these each text has; starts are the bytes at which a text's begin.
func (n *nearTexts) shared(holders, sets *store) (starts []int64, err error) {
	byText := sorting.Sorter{Dir: n.shingles.Dir} // text; texts and at of a shingle
	defer func() { err = errors.Join(err, byText.Close()) }()
	var hash uint64
	var have []uint32 // texts that have it
	at := uint64(0)
	flush := func() error {
		if len(have) > 1 {
			var record [4 + shingleBytes]byte
			binary.BigEndian.PutUint32(record[4:], uint32(len(have)))
			binary.BigEndian.PutUint64(record[8:], at)
			for _, text := range have {
				binary.BigEndian.PutUint32(record[:], text)
				if err := holders.write(record[:4]); err != nil {
					return err
				}
				if err := byText.Add(record[:4], record[4:]); err != nil {
					return err
				}
			}
			at += uint64(len(have))
		}
		have = have[:0]
		return nil
	}
	err = n.shingles.Each(func(key, value []byte) error {
		if h := binary.BigEndian.Uint64(key); h != hash {
			if err := flush(); err != nil {
				return err
			}
			hash = h
		}
		have = append(have, binary.BigEndian.Uint32(value))
		return nil
	})
	if err = errors.Join(err, n.shingles.Close()); err == nil {
		err = flush()
	}
	if err == nil {
		err = holders.done()
	}
	if err != nil {
		return nil, err
	}
	starts = make([]int64, 1, len(n.sizes)+1)
	err = byText.Each(func(key, value []byte) error {
		for text := int(binary.BigEndian.Uint32(key)); len(starts) <= text; {
			starts = append(starts, sets.size)
		}
		return sets.write(value)
	})
	if err != nil {
		return nil, err
	}
	for len(starts) <= len(n.sizes) {
		starts = append(starts, sets.size)
	}
	return starts, sets.done()
}

func parseShingles(to []shingle, from []byte) []shingle {
	for ; len(from) > 0; from = from[shingleBytes:] {
		to = append(to, shingle{binary.BigEndian.Uint32(from), binary.BigEndian.Uint64(from[4:])})
	}
	return to
}

// inCommon counts what two sets have in common. Where one is much larger, as a
// long region beside a short quote, it is searched.
func inCommon(set, larger []shingle) int {
	shared := 0
	if len(larger) >= 16*len(set) {
		for _, s := range set {
			if _, found := slices.BinarySearchFunc(larger, s, compareShingles); found {
				shared++
			}
		}
		return shared
	}
	for i, k := 0, 0; i < len(set) && k < len(larger); {
		switch c := compareShingles(set[i], larger[k]); {
		case c < 0:
			i++
		case c > 0:
			k++
		default:
			shared, i, k = shared+1, i+1, k+1
		}
	}
	return shared
}

// shinglesOf are the hashes of the distinct runs of so many words of a text that
// [label.Normalise] made, or of the text where it is shorter, in order.
func shinglesOf(text string, words int) []uint64 {
	var begins, ends []int
	for at := 0; at <= len(text); {
		end := strings.IndexByte(text[at:], ' ')
		if end < 0 {
			end = len(text) - at
		}
		begins, ends = append(begins, at), append(ends, at+end)
		at += end + 1
	}
	if len(begins) < words {
		return []uint64{hashOf(text)}
	}
	out := make([]uint64, 0, len(begins))
	for i := range len(begins) - words + 1 {
		out = append(out, hashOf(text[begins[i]:ends[i+words-1]]))
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
	return compare.Mix(h, 0)
}
