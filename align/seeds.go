package align

import "encoding/binary"

// Seeds are windows of letters that begin where a word begins, in two lengths.
// Each place of the target is entered under the shorter of its windows that is
// rare in the collection, or not at all: so a lookup never returns many places,
// and which places it returns does not depend on what else is in the index.
const (
	shortSeed = 8
	longSeed  = shortSeed + 4
)

// seedHashes are the hashes of the short and the long window at symbol i. Windows
// that run over the text's end read the padding and match only other ends.
func seedHashes(sym []byte, i int) (short, long uint64) {
	const mask = 0x7f7f7f7f7f7f7f7f
	short = mix(binary.LittleEndian.Uint64(sym[i:]) & mask)
	return short, mix(short ^ uint64(binary.LittleEndian.Uint32(sym[i+shortSeed:])&(mask>>32))<<32)
}

// sameSeeds says whether two texts have the same letters in a short window and in a long one.
func sameSeeds(a, b []byte) (short, long bool) {
	const mask = 0x7f7f7f7f7f7f7f7f
	short = (binary.LittleEndian.Uint64(a)^binary.LittleEndian.Uint64(b))&mask == 0
	return short, short && (binary.LittleEndian.Uint32(a[shortSeed:])^binary.LittleEndian.Uint32(b[shortSeed:]))&(mask>>32) == 0
}
