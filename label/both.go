package label

import "cmp"

// inBoth counts what two sorted lists have in common, repeats as often as both
// have them.
func inBoth[T cmp.Ordered](a, b []T) int {
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
