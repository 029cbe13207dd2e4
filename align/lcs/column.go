// Package lcs finds the length of the longest common subsequence of two texts, 64 cells of
// the table at a time (Hyyrö 2004).
package lcs

import "math/bits"

// Column is a Column of the table: the lengths for a text and the beginning of another. A
// bit is 0 where the length grows by a symbol of the text.
type Column []uint64

// NewColumn is the first, for a text of 64 symbols a word.
func NewColumn(words int) Column {
	v := make(Column, words)
	for i := range v {
		v[i] = ^uint64(0)
	}
	return v
}

// Add goes on by a symbol of the other text; match has a bit where the text has it.
func (v Column) Add(match []uint64) {
	carry := uint64(0)
	for i, x := range v {
		u := x & match[i]
		sum, c := bits.Add64(x, u, carry)
		carry = c
		v[i] = sum | (x - u)
	}
}

// Length is that of the longest common subsequence; the text has n symbols.
func (v Column) Length(n int) (length int) {
	for i, x := range v {
		x = ^x
		if left := n - 64*i; left < 64 {
			x &= 1<<left - 1
		}
		length += bits.OnesCount64(x)
	}
	return length
}
