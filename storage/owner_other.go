//go:build !unix

package storage

import "io/fs"

// Ours cannot be told here. Temporary folders are each user's own.
func Ours(fs.FileInfo) bool { return true }
