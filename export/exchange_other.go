//go:build !linux

package export

import "errors"

// exchange lets two folders change their names in one step, where that can be.
func exchange(a, b string) error { return errors.ErrUnsupported }
