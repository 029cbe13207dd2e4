package label

import (
	"cmp"
	"slices"
	"unicode"

	"github.com/commonplace/commonplace"
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
				h = mix(h, ring[(words+i)%editionWords])
			}
			keep(h)
		}
	}
	if words > 0 && words < editionWords { // all of a very short text is one run
		h := uint64(words)
		for i := range words {
			h = mix(h, ring[i])
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

// hashedWords yields the FNV-1a hash of every word as [Normalise] folds it.
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
	limit := min(s.reach(), other.reach())
	a, b := s.below(limit), other.below(limit)
	shared := inBoth(a, b)
	shorter := min(len(a), len(b))
	if shorter < leastSketched {
		return 0
	}
	return float64(shared) / float64(shorter)
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

// Works names the work of every document, ids in alphabetical order, each with
// its sketch. Rows come in the same order. It holds 12 kB a document.
func Works(ids []string, sketches []Sketch) []commonplace.Work {
	type held struct {
		hash uint64
		doc  int32
	}
	var all []held
	for i, s := range sketches {
		for _, h := range s {
			all = append(all, held{h, int32(i)})
		}
	}
	slices.SortFunc(all, func(a, b held) int { return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.doc, b.doc)) })
	trees := newForest(len(ids))
	most := make([]float64, len(ids))
	compared := map[[2]int32]bool{}
	for from := 0; from < len(all); {
		to := from + 1
		for to < len(all) && all[to].hash == all[from].hash {
			to++
		}
		if to-from <= commonRuns {
			for i := from; i < to; i++ {
				for k := i + 1; k < to; k++ {
					a, b := all[i].doc, all[k].doc
					if compared[[2]int32{a, b}] {
						continue
					}
					compared[[2]int32{a, b}] = true
					shared := sketches[a].Shared(sketches[b])
					most[a], most[b] = max(most[a], shared), max(most[b], shared)
					if shared >= edition {
						trees.join(int(a), int(b))
					}
				}
			}
		}
		from = to
	}
	editions := make([]int64, len(ids))
	for i := range ids {
		editions[trees.root(i)]++
	}
	rows := make([]commonplace.Work, len(ids))
	for i, id := range ids {
		r := trees.root(i)
		rows[i] = commonplace.Work{DocID: id, Work: ids[r], Editions: editions[r], Shared: most[i]}
	}
	return rows
}
