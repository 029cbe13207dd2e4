package fold

import "encoding/binary"

// Seeds are windows of letters that begin where a word begins, in two lengths.
// An index has each word start of a text under the shorter of its windows that is
// rare in the collection, or not at all. So a lookup never returns many offsets,
// and the result does not depend on the other contents of the index.
const (
	ShortSeed = 8
	LongSeed  = ShortSeed + 4
)

// SeedHashes are the hashes of the short and the long window at symbol i. Windows
// that run over the text's end read the padding and match only other ends.
func SeedHashes(sym []byte, i int) (short, long uint64) {
	const mask = 0x7f7f7f7f7f7f7f7f
	short = Mix(binary.LittleEndian.Uint64(sym[i:]) & mask)
	return short, Mix(short ^ uint64(binary.LittleEndian.Uint32(sym[i+ShortSeed:])&(mask>>32))<<32)
}

// SameSeeds reports whether two texts have the same letters in a short window and in a long one.
func SameSeeds(a, b []byte) (short, long bool) {
	const mask = 0x7f7f7f7f7f7f7f7f
	short = (binary.LittleEndian.Uint64(a)^binary.LittleEndian.Uint64(b))&mask == 0
	return short, short && (binary.LittleEndian.Uint32(a[ShortSeed:])^binary.LittleEndian.Uint32(b[ShortSeed:]))&(mask>>32) == 0
}
