package lcs

// Runes is the length of the longest common subsequence of two texts.
func Runes(a, b []rune) int {
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
	v := NewColumn(words)
	for _, c := range b {
		if m := match[c]; m != nil {
			v.Add(m)
		}
	}
	return n + v.Length(len(a))
}
