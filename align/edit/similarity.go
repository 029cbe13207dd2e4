package edit

import (
	"bytes"

	"github.com/commonplace/commonplace/align/fold"
	"github.com/commonplace/commonplace/align/lcs"
)

// Similarity is the identity of two texts after folding, 0 to 1: twice the length of
// their longest common subsequence over the sum of their lengths, the normalised indel
// similarity (RapidFuzz calls it ratio). Letters that share a symbol are compared
// themselves. Two texts without letters are equal.
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

// Common is the length of the longest common subsequence. Texts of very many letters are
// divided where both have the same letters, so that the cost grows with their length and
// not with its square. The result is then the longest one through those points.
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

// commonInTable is Common over the whole table.
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
	v := lcs.NewColumn(words)
	for _, c := range b {
		v.Add(match[int(c&fold.Mask)*words:][:words])
	}
	return n + v.Length(len(a))
}

// CommonSigns is [Common] of letters themselves ([fold.Text.AppendSigns]).
func CommonSigns(a, b []rune) int {
	if len(a) > mostSigns || len(b) > mostSigns { // part by part
		n := min(mostSigns, len(a), len(b))
		return CommonSigns(a[:n], b[:n]) + CommonSigns(a[n:], b[n:])
	}
	return lcs.Runes(a, b)
}

// mostSigns is the number of letters that are compared in one table.
const mostSigns = 1 << 16
