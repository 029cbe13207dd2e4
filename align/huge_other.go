//go:build !linux

package align

// hugePages does nothing where the hint is not known.
func hugePages[T any]([]T) {}
