// Package disjoint has disjoint sets of numbers (union-find).
package disjoint

// Sets are sets of the numbers below their length. The root of a set is its smallest
// number.
type Sets []int32

// New puts each number below n into a set of its own.
func New(n int) Sets {
	s := make(Sets, n)
	for i := range s {
		s[i] = int32(i)
	}
	return s
}

// Root is the root of a number's set.
func (s Sets) Root(i int) int {
	for int(s[i]) != i {
		s[i] = s[s[i]]
		i = int(s[i])
	}
	return i
}

// Join makes one set of two numbers' sets.
func (s Sets) Join(i, k int) {
	i, k = s.Root(i), s.Root(k)
	s[max(i, k)] = int32(min(i, k))
}
