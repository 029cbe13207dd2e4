package traces

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"maps"
	"slices"
)

// A piece is so many bytes of a text, and one begins at every stride. So of what is left
// of a text, pieceBytes + stride bytes in a row are surely found.
const (
	pieceBytes = 32
	stride     = 8
	filterBits = 20

	// Of so many pieces one is in the sample.
	sampled = 16

	// A copy of SampledBytes in a row of a text is found by the text's sample, except of
	// stretches with fewer than leastDifferent bytes in a piece.
	SampledBytes = pieceBytes + sampled*stride

	// A piece of fewer different bytes, such as a line of stars, is nobody's own.
	leastDifferent = 8
)

// rolling hashes the last pieceBytes bytes of a stream: a polynomial modulo 2^64.
type rolling struct {
	hash uint64
	last [pieceBytes]byte
	n    int
}

const base = 0x9E3779B97F4A7C15 // odd, with bits everywhere

// outgoing is what a byte counts that leaves the window.
var outgoing = func() uint64 {
	p := uint64(1)
	for range pieceBytes {
		p *= base
	}
	return p
}()

// roll takes in a byte.
func (r *rolling) roll(c byte) {
	at := r.n % pieceBytes
	r.hash = r.hash*base + uint64(c) + 1 - outgoing*r.leaving(at)
	r.last[at] = c
	r.n++
}

// leaving is what the byte that leaves counted when it came.
func (r *rolling) leaving(at int) uint64 {
	if r.n < pieceBytes {
		return 0
	}
	return uint64(r.last[at]) + 1
}

// find notes the pieces in the bytes that come next.
func (r *rolling) find(b []byte, w *Wanted, found map[uint64]Seal) {
	for _, c := range b {
		r.roll(c)
		if r.n < pieceBytes {
			continue
		}
		bit := r.hash >> (64 - filterBits)
		if is := w.filter[bit>>6]&(1<<(bit&63)) != 0 && w.pieces[r.hash]; is || w.lastBits[uint16(r.hash)] && w.sealed[r.seal()] {
			if _, there := found[r.hash]; !there {
				found[r.hash] = r.seal()
			}
		}
	}
}

// Seal is a piece by which a later search finds it, and of which nobody can read it: 16
// bits of its rolling hash, which say where to look closer, and the beginning of its SHA-256.
type Seal [12]byte

func (r *rolling) seal() (s Seal) {
	at := r.n % pieceBytes
	sum := sha256.Sum256(append(slices.Clone(r.last[at:]), r.last[:at]...))
	binary.LittleEndian.PutUint16(s[:], uint16(r.hash))
	copy(s[2:], sum[:])
	return s
}

// AddText adds the pieces of a text.
func (w *Wanted) AddText(text string) {
	var r rolling
	next := 0
	for i := range len(text) {
		r.roll(text[i])
		if at := r.n - pieceBytes; at >= 0 && at%stride == 0 && different(r.last[:]) {
			w.pieces[r.hash] = true
			bit := r.hash >> (64 - filterBits)
			w.filter[bit>>6] |= 1 << (bit & 63)
			if at >= next {
				w.sample[r.seal()], next = true, at+sampled*stride
			}
		}
	}
}

// AddSample adds pieces to what is looked for, and to the sample.
func (w *Wanted) AddSample(seals []Seal) {
	for _, s := range seals {
		w.sealed[s], w.sample[s] = true, true
		w.lastBits[binary.LittleEndian.Uint16(s[:])] = true
	}
}

// Sample is some pieces, by which the texts can be looked for again, in order.
func (w *Wanted) Sample() []Seal {
	return slices.SortedFunc(maps.Keys(w.sample), Seal.Compare)
}

// Compare is an order of seals.
func (s Seal) Compare(other Seal) int { return bytes.Compare(s[:], other[:]) }

func different(b []byte) bool {
	var seen [256]bool
	n := 0
	for _, c := range b {
		if !seen[c] {
			seen[c], n = true, n+1
		}
	}
	return n >= leastDifferent
}
