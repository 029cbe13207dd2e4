package edit

import "github.com/commonplace/commonplace/align/fold"

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
