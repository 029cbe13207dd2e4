// Package compare has what comparisons of texts share: hashes that stand for them, and
// what two sorted lists have in common.
package compare

import (
	"cmp"
	"crypto/sha256"
)

// Hash stands for a key; that two keys have one is out of the question.
func Hash(key string) [16]byte {
	sum := sha256.Sum256([]byte(key))
	return [16]byte(sum[:16])
}

// Mix is the k-th number of the generator SplitMix64 seeded with base.
func Mix(base, k uint64) uint64 {
	z := base + (k+1)*0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// InBoth counts what two sorted lists have in common, repeats as often as both
// have them.
func InBoth[T cmp.Ordered](a, b []T) int {
	n := 0
	for i, k := 0, 0; i < len(a) && k < len(b); {
		switch cmp.Compare(a[i], b[k]) {
		case 0:
			n++
			i++
			k++
		case -1:
			i++
		default:
			k++
		}
	}
	return n
}
