//go:build !unix

package index

import "os"

// mapFile reads the file, where mapping it is not at hand.
func mapFile(path string) ([]byte, func() error, error) {
	b, err := os.ReadFile(path)
	return b, func() error { return nil }, err
}
