package edit

import (
	"bytes"
	"math/bits"

	"github.com/commonplace/commonplace/align/fold"
)

// Similarity is the identity of two texts after folding, 0 to 1. Letters that share a symbol are compared themselves. It is twice the
// length of their longest common subsequence over the sum of their lengths, the
// normalised indel similarity (RapidFuzz calls it ratio). Two texts without
// letters are equal.
func Similarity(a, b string) float64 {
	var f, g fold.Text
	f.Fold(a, 0, len(a))
	g.Fold(b, 0, len(b))
	if f.Shared() || g.Shared() {
		all := func(int) bool { return true }
		x, y := f.AppendSigns(nil, a, all), g.AppendSigns(nil, b, all)
		return 2 * float64(CommonSigns(x, y)) / float64(len(x)+len(y))
	}
	return similarity(f.Sym, g.Sym)
}

func similarity(a, b []byte) float64 {
	if len(a)+len(b) == 0 {
		return 1
	}
	return 2 * float64(Common(a, b)) / float64(len(a)+len(b))
}

const (
	tableCells = 1 << 28 // of one table; texts that need more are compared part by part
	anchor     = 24      // equal symbols at which they are divided
	anchorTry  = 4096    // symbols on either side of the middle where such are looked for
)

// Common is the length of the longest common subsequence. Texts of
// very many letters are divided where both have the same letters, so that the cost grows
// with their length and not with its square. The result is then the longest one through those points.
func Common(a, b []byte) int {
	if len(a)*len(b) <= tableCells || len(a) < 2*anchorTry || len(b) < 2*anchorTry {
		return commonInTable(a, b)
	}
	i, j := len(a)/2, len(b)/2
	near := b[j-anchorTry : j+anchorTry]
	for k := i; k < i+anchorTry-anchor; k += anchor {
		if at := bytes.Index(near, a[k:k+anchor]); at >= 0 {
			i, j = k, j-anchorTry+at
			break
		}
	}
	return Common(a[:i], b[:j]) + Common(a[i:], b[j:])
}

// commonInTable is Common over the whole table, 64 cells at a time
// (Hyyrö 2004).
func commonInTable(a, b []byte) int {
	n := 0
	for len(a) > 0 && len(b) > 0 && a[0]&fold.Mask == b[0]&fold.Mask {
		a, b, n = a[1:], b[1:], n+1
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1]&fold.Mask == b[len(b)-1]&fold.Mask {
		a, b, n = a[:len(a)-1], b[:len(b)-1], n+1
	}
	if len(a) == 0 || len(b) == 0 {
		return n
	}
	words := (len(a) + 63) / 64
	match := make([]uint64, 128*words)
	for i, c := range a {
		match[int(c&fold.Mask)*words+i/64] |= 1 << (i % 64)
	}
	v := make([]uint64, words)
	for i := range v {
		v[i] = ^uint64(0)
	}
	for _, c := range b {
		m := match[int(c&fold.Mask)*words:][:words]
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

// CommonSigns is [Common] of letters themselves ([fold.Text.AppendSigns]).
func CommonSigns(a, b []rune) int {
	if len(a) > mostSigns || len(b) > mostSigns { // part by part
		n := min(mostSigns, len(a), len(b))
		return CommonSigns(a[:n], b[:n]) + CommonSigns(a[n:], b[n:])
	}
	n := 0
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b, n = a[1:], b[1:], n+1
	}
	words := (len(a) + 63) / 64
	match := map[rune][]uint64{}
	for i, c := range a {
		if match[c] == nil {
			match[c] = make([]uint64, words)
		}
		match[c][i/64] |= 1 << (i % 64)
	}
	v := make([]uint64, words)
	for i := range v {
		v[i] = ^uint64(0)
	}
	for _, c := range b {
		m := match[c]
		if m == nil {
			continue
		}
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

// mostSigns is the number of letters that are compared in one table.
const mostSigns = 1 << 16

// AppendCommon appends the pairs of a longest common subsequence of d[di:] and s[si:].
func AppendCommon(pairs []Pair, d, s []byte, di, si int) []Pair {
	n, m := len(d)-di, len(s)-si
	length := make([]int32, (n+1)*(m+1)) // of the best of d[di+i:], s[si+j:]
	at := func(i, j int) *int32 { return &length[i*(m+1)+j] }
	for i := n - 1; i >= 0; i-- {
		for j := m - 1; j >= 0; j-- {
			if d[di+i]&fold.Mask == s[si+j]&fold.Mask {
				*at(i, j) = *at(i+1, j+1) + 1
			} else {
				*at(i, j) = max(*at(i+1, j), *at(i, j+1))
			}
		}
	}
	for i, j := 0, 0; i < n && j < m; {
		switch {
		case d[di+i]&fold.Mask == s[si+j]&fold.Mask:
			pairs = append(pairs, Pair{int32(di + i), int32(si + j)})
			i, j = i+1, j+1
		case *at(i+1, j) >= *at(i, j+1):
			i++
		default:
			j++
		}
	}
	return pairs
}
