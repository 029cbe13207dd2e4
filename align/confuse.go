package align

import "encoding/binary"

// Where a word of the derived side is no word of the collection it may be a
// damaged one, and the seeds that it takes part in stand nowhere. So its
// neighbours in print are tried too: every letter that OCR or an old typeface
// exchanges for another of the same width, one at a time.

// confusable gives for a symbol those that print confuses it with.
var confusable = func() (t [symbol + 1][]byte) {
	for _, group := range []string{"ce", "eo", "oa", "o0", "fs", "ft", "hb", "nu", "il", "l1", "i1", "it", "vy", "gq", "s5", "b8", "rn", "ri", "kh", "ec"} {
		a, b := ascii[group[0]], ascii[group[1]]
		t[a], t[b] = append(t[a], b), append(t[b], a)
	}
	return t
}()

const unknownBits = 14.9 // what a word says that the collection does not have

// unknownWithin is the hash of a word that the collection does not have among
// those that the window of n symbols at i, where a word starts, touches; 0 where
// there is none. Numbers are not looked at. sum is the running sum of weights.
func unknownWithin(sym []byte, sum []float32, i, n int) uint64 {
	begin := i
	for k := i + 1; k <= len(sym); k++ {
		if k < len(sym) && sym[k]&wordStart == 0 {
			continue
		}
		if c := sym[begin] & symbol; sum[k]-sum[begin] >= unknownBits && (c < 27 || c > 36) {
			h, _ := wordHash(sym[:len(sym)+padding], begin)
			return h
		}
		if k >= i+n {
			break
		}
		begin = k
	}
	return 0
}

// damagedSeeds appends the hashes of the two windows at symbol i, once for every
// confusable letter of the short one.
func damagedSeeds(out [][2]uint64, sym []byte, i int) [][2]uint64 {
	const mask = 0x7f7f7f7f7f7f7f7f
	short := binary.LittleEndian.Uint64(sym[i:]) & mask
	rest := uint64(binary.LittleEndian.Uint32(sym[i+shortSeed:])&(mask>>32)) << 32
	for k := range shortSeed {
		c := byte(short >> (8 * k))
		for _, other := range confusable[c] {
			h := mix(short ^ uint64(c^other)<<(8*k))
			out = append(out, [2]uint64{h, mix(h ^ rest)})
		}
	}
	return out
}

// onceSeen remembers the unknown words of one document: a word that comes again
// is a name or a term and no damage.
type onceSeen [1 << 12]struct {
	word  uint32
	place int32 // where it was seen first
}

// again says whether the word was seen at another place before.
func (t *onceSeen) again(word uint64, place int32) bool {
	e := &t[word>>(64-12)]
	if e.word == uint32(word) && e.place != 0 {
		return abs(int(e.place)-int(place)) > 2*longSeed
	}
	e.word, e.place = uint32(word), place
	return false
}
