package group

import (
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"unicode"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/label/internal/compare"
	"github.com/commonplace/commonplace/label/internal/disjoint"
	"github.com/commonplace/commonplace/sorting"
)

// Two texts are editions of one work when they share at least half of the runs
// of eight words that the shorter one has. Prefaces and notes of an edition's
// own leave more than half; what books of one author or one kind have in common
// is far less.
const (
	editionWords  = 8
	edition       = 0.5
	sketchSize    = 512
	leastSketched = 8    // fewer runs than this, at the scale of the longer text, say nothing
	commonRuns    = 1000 // a run that more texts have than this is a licence or a formula
)

// Sketch stands for a text among others: the 512 least hashes of its runs of
// eight words (bottom-k MinHash; Broder, "On the resemblance and containment of
// documents", 1997), in order. Two sketches hold the same sample of the runs
// that both texts can have, up to the lesser of their greatest hashes.
type Sketch []uint64

// SketchOf reads a text. Case, punctuation and white space do not matter.
func SketchOf(text string) Sketch {
	var kept Sketch
	limit := ^uint64(0)
	keep := func(h uint64) {
		if h >= limit {
			return
		}
		if kept = append(kept, h); len(kept) >= 2*sketchSize {
			kept = kept.least()
			if len(kept) == sketchSize {
				limit = kept[sketchSize-1]
			}
		}
	}
	var ring [editionWords]uint64
	words := 0
	for word := range hashedWords(text) {
		ring[words%editionWords] = word
		words++
		if words >= editionWords {
			h := uint64(0)
			for i := range editionWords {
				h = compare.Mix(h, ring[(words+i)%editionWords])
			}
			keep(h)
		}
	}
	if words > 0 && words < editionWords { // all of a very short text is one run
		h := uint64(words)
		for i := range words {
			h = compare.Mix(h, ring[i])
		}
		keep(h)
	}
	return kept.least()
}

// least sorts and keeps the least, each once.
func (s Sketch) least() Sketch {
	slices.Sort(s)
	s = slices.Compact(s)
	return s[:min(len(s), sketchSize)]
}

// hashedWords yields the FNV-1a hash of every word as [label.Normalise] folds it.
func hashedWords(text string) func(yield func(uint64) bool) {
	const offset, prime = 0xcbf29ce484222325, 0x100000001b3
	return func(yield func(uint64) bool) {
		h, inside := uint64(offset), false
		for _, r := range text {
			switch {
			case 'a' <= r && r <= 'z':
			case 'A' <= r && r <= 'Z':
				r += 'a' - 'A'
			case r == '\'' || r == '’':
				continue
			case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
				r = unicode.ToLower(r)
			default:
				if inside && !yield(h) {
					return
				}
				h, inside = offset, false
				continue
			}
			h, inside = (h^uint64(r))*prime, true
		}
		if inside {
			yield(h)
		}
	}
}

// Shared estimates the share of the shorter text's runs that both have; 0 where
// the sketches are too small to say.
func (s Sketch) Shared(other Sketch) float64 {
	if len(s) == 0 || len(other) == 0 {
		return 0
	}
	both, shorter := s.inBoth(other)
	if shorter < leastSketched {
		return 0
	}
	return float64(both) / float64(shorter)
}

// SameText says that at least half of the shorter text's sampled runs are in both texts:
// another edition, a part or a collection. Unlike [Sketch.Shared] it goes by ever so few
// runs: a text of which none is in the sample is no other's.
func (s Sketch) SameText(other Sketch) bool {
	if len(s) == 0 || len(other) == 0 {
		return false
	}
	both, shorter := s.inBoth(other)
	return both > 0 && float64(both) >= edition*float64(shorter)
}

// inBoth counts the runs that both samples have, of those that both can have.
func (s Sketch) inBoth(other Sketch) (both, shorter int) {
	limit := min(s.reach(), other.reach())
	a, b := s.below(limit), other.below(limit)
	return compare.InBoth(a, b), min(len(a), len(b))
}

// Bytes are the hashes, little-endian.
func (s Sketch) Bytes() []byte {
	b := make([]byte, 0, 8*len(s))
	for _, h := range s {
		b = binary.LittleEndian.AppendUint64(b, h)
	}
	return b
}

// ParseSketch reads what [Sketch.Bytes] wrote.
func ParseSketch(b []byte) Sketch {
	var s Sketch
	for ; len(b) >= 8; b = b[8:] {
		s = append(s, binary.LittleEndian.Uint64(b))
	}
	return s
}

// reach is the greatest hash up to which the sketch has all of its text.
func (s Sketch) reach() uint64 {
	if len(s) < sketchSize {
		return ^uint64(0)
	}
	return s[len(s)-1]
}

func (s Sketch) below(limit uint64) Sketch {
	at, found := slices.BinarySearch(s, limit)
	if found {
		at++
	}
	return s[:at]
}

// WorkFinder finds the editions of one work among sketches, which lie in
// temporary files: it holds some 20 bytes a document and its id, and at most
// 64 MB of hashes and 8 MB of pairs. Errors are those of the files.
type WorkFinder struct {
	ids      []string
	sketches *store
	at       []int64
	temp     string
	hashes   postings
}

// NewWorkFinder is a finder that has seen nothing. Its files lie in the folder temp,
// [os.TempDir] where it is empty.
func NewWorkFinder(temp string) (*WorkFinder, error) {
	sketches, err := newStore(temp)
	return &WorkFinder{sketches: sketches, temp: temp, hashes: postings{dir: temp, least: leastHeld}}, err
}

// Add shows a document, in any order.
func (f *WorkFinder) Add(id string, sketch Sketch) error {
	f.at = append(f.at, f.sketches.size)
	var hash [8]byte
	for _, h := range sketch {
		binary.BigEndian.PutUint64(hash[:], h)
		if err := f.sketches.write(hash[:]); err != nil {
			return err
		}
		if err := f.hashes.add(h, len(f.ids)); err != nil {
			return err
		}
	}
	f.ids = append(f.ids, id)
	return nil
}

// Close lets the temporary files go.
func (f *WorkFinder) Close() error { return errors.Join(f.hashes.close(), f.sketches.close()) }

// Works names the work of every document, in alphabetical order of their ids.
func (f *WorkFinder) Works() (_ []commonplace.Work, err error) {
	if err := f.sketches.done(); err != nil {
		return nil, err
	}
	pairs := sorting.Sorter{Distinct: true, Dir: f.temp} // of documents that have a hash in common: editions have hundreds
	defer func() { err = errors.Join(err, pairs.Close()) }()
	if err := f.pairs(func(pair []byte) error { return pairs.Add(pair, nil) }); err != nil {
		return nil, err
	}
	trees := disjoint.New(len(f.ids))
	most := make([]float64, len(f.ids))
	var one, other storedSketch
	err = pairs.Each(func(pair, _ []byte) error { // a document's pairs follow one another
		a, b := int(binary.BigEndian.Uint32(pair)), int(binary.BigEndian.Uint32(pair[4:]))
		if err := errors.Join(one.read(f, a), other.read(f, b)); err != nil {
			return err
		}
		shared := one.sketch.Shared(other.sketch)
		most[a], most[b] = max(most[a], shared), max(most[b], shared)
		if shared >= edition {
			trees.Join(a, b)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return f.rows(trees, most), nil
}

// pairs finds the documents that are worth comparing. A pair may come more than once.
func (f *WorkFinder) pairs(add func(pair []byte) error) error {
	recent := make(recentPairs, recentSlots)
	var pair [8]byte
	return f.hashes.each(commonRuns, func(docs []uint32) error {
		if len(docs) > commonRuns { // a licence or a formula
			return nil
		}
		for i, doc := range docs {
			for _, other := range docs[i+1:] {
				if recent.has(doc, other) {
					continue
				}
				binary.BigEndian.PutUint32(pair[:], doc)
				binary.BigEndian.PutUint32(pair[4:], other)
				if err := add(pair[:]); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// recentPairs remembers pairs: a slot has the last two of those that belong there. Two copies
// of a book are a pair hundreds of times, once for each hash that they share, and sorting all
// of these takes longer than all else.
type recentPairs [][2]uint64

const recentSlots = 1 << 19 // 8 MB

// has reports whether a pair is remembered, and remembers it. b is greater than a.
func (r recentPairs) has(a, b uint32) bool {
	pair := uint64(a)<<32 | uint64(b) // not 0, which an empty slot has
	slot := &r[compare.Mix(pair, 0)%recentSlots]
	there := slot[0] == pair || slot[1] == pair
	if slot[0] != pair {
		slot[0], slot[1] = pair, slot[0]
	}
	return there
}

// storedSketch is the sketch that was read last, and what it was read into.
type storedSketch struct {
	document int // plus one
	sketch   Sketch
	raw      []byte
}

func (s *storedSketch) read(f *WorkFinder, i int) (err error) {
	if s.document == i+1 {
		return nil
	}
	end := f.sketches.size
	if i+1 < len(f.at) {
		end = f.at[i+1]
	}
	s.document = 0
	if s.raw, err = f.sketches.read(s.raw[:0], f.at[i], end-f.at[i]); err != nil {
		return err
	}
	s.sketch = s.sketch[:0]
	for b := s.raw; len(b) > 0; b = b[8:] {
		s.sketch = append(s.sketch, binary.BigEndian.Uint64(b))
	}
	s.document = i + 1
	return nil
}

// rows names each work after its first document.
func (f *WorkFinder) rows(trees disjoint.Sets, most []float64) []commonplace.Work {
	first, editions := make([]string, len(f.ids)), make([]int64, len(f.ids)) // by root
	for i, id := range f.ids {
		r := trees.Root(i)
		if editions[r]++; editions[r] == 1 || id < first[r] {
			first[r] = id
		}
	}
	rows := make([]commonplace.Work, len(f.ids))
	for i, id := range f.ids {
		r := trees.Root(i)
		rows[i] = commonplace.Work{DocID: id, Work: first[r], Editions: editions[r], Shared: most[i]}
	}
	slices.SortFunc(rows, func(a, b commonplace.Work) int { return strings.Compare(a.DocID, b.DocID) })
	return rows
}
