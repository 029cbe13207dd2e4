package align

import "encoding/binary"

// Seeds are windows of letters that begin where a word begins, in three lengths.
// Each place of the target is entered under the shortest of its windows that is
// rare in the collection, or not at all: so a lookup never returns many places,
// and which places it returns does not depend on what else is in the index.
const (
	shortSeed  = 8
	mediumSeed = 12
	longSeed   = 18
)

var seedLengths = [3]int{shortSeed, mediumSeed, longSeed}

// seedHashes are the hashes of the three windows at symbol i. Windows that run
// over the text's end read the padding and match only other ends.
func seedHashes(sym []byte, i int) [3]uint64 {
	const mask = 0x7f7f7f7f7f7f7f7f
	a := binary.LittleEndian.Uint64(sym[i:]) & mask
	b := binary.LittleEndian.Uint64(sym[i+8:]) & mask
	c := uint64(binary.LittleEndian.Uint16(sym[i+16:])) & mask
	h := mix(a)
	return [3]uint64{h, mix(h ^ b<<32), mix(mix(h^b) ^ c)}
}
