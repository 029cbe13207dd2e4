package traces

import (
	"maps"
	"slices"
)

// A piece is so many bytes of a text, and one begins at every stride. So of what is left
// of a text, pieceBytes + stride bytes in a row are surely found.
const (
	pieceBytes = 32
	stride     = 8
	filterBits = 20

	// Of so many pieces one is in the sample. Between two of these there is so much text
	// that nobody guesses it from their hashes.
	sampled = 16

	// SampledBytes in a row of a text are surely found by its sample.
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
func (r *rolling) find(b []byte, w *Wanted, found map[uint64]bool) {
	for _, c := range b {
		r.roll(c)
		if bit := r.hash >> (64 - filterBits); w.filter[bit>>6]&(1<<(bit&63)) != 0 && r.n >= pieceBytes && w.pieces[r.hash] {
			found[r.hash] = true
		}
	}
}

// AddText adds the pieces of a text.
func (w *Wanted) AddText(text string) {
	var r rolling
	for i := range len(text) {
		r.roll(text[i])
		if at := r.n - pieceBytes; at >= 0 && at%stride == 0 && different(r.last[:]) {
			w.add(r.hash)
			if at%(sampled*stride) == 0 {
				w.sample[r.hash] = true
			}
		}
	}
}

// AddSample adds pieces by their hashes, to the sample, too.
func (w *Wanted) AddSample(hashes []uint64) {
	for _, hash := range hashes {
		w.add(hash)
		w.sample[hash] = true
	}
}

// Sample is the hashes of some pieces, by which the texts can be looked for again.
func (w *Wanted) Sample() []uint64 { return slices.Sorted(maps.Keys(w.sample)) }

func (w *Wanted) add(hash uint64) {
	w.pieces[hash] = true
	bit := hash >> (64 - filterBits)
	w.filter[bit>>6] |= 1 << (bit & 63)
}

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
