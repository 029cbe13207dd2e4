package align

import "math/bits"

// Similarity is the identity of two texts after folding, 0 to 1: twice the
// length of their longest common subsequence over the sum of their lengths, the
// normalised indel similarity (RapidFuzz calls it ratio). Two texts without
// letters are equal.
func Similarity(a, b string) float64 {
	var f, g folded
	f.fold(a, 0, len(a))
	g.fold(b, 0, len(b))
	return similarity(f.sym, g.sym)
}

func similarity(a, b []byte) float64 {
	if len(a)+len(b) == 0 {
		return 1
	}
	return 2 * float64(commonSubsequence(a, b)) / float64(len(a)+len(b))
}

// commonSubsequence is the length of the longest common subsequence, 64 cells
// at a time (Hyyrö 2004).
func commonSubsequence(a, b []byte) int {
	n := 0
	for len(a) > 0 && len(b) > 0 && a[0]&symbol == b[0]&symbol {
		a, b, n = a[1:], b[1:], n+1
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1]&symbol == b[len(b)-1]&symbol {
		a, b, n = a[:len(a)-1], b[:len(b)-1], n+1
	}
	if len(a) == 0 || len(b) == 0 {
		return n
	}
	words := (len(a) + 63) / 64
	match := make([]uint64, 128*words)
	for i, c := range a {
		match[int(c&symbol)*words+i/64] |= 1 << (i % 64)
	}
	v := make([]uint64, words)
	for i := range v {
		v[i] = ^uint64(0)
	}
	for _, c := range b {
		m := match[int(c&symbol)*words:][:words]
		carry := uint64(0)
		for i, x := range v {
			u := x & m[i]
			sum, c := bits.Add64(x, u, carry)
			carry = c
			v[i] = sum | (x - u)
		}
	}
	for i, x := range v {
		x = ^x
		if r := len(a) - 64*i; r < 64 {
			x &= 1<<r - 1
		}
		n += bits.OnesCount64(x)
	}
	return n
}
