//go:build !unix

package storage

// Free is not known here.
func Free(string) (bytes int64, known bool) { return 0, false }
