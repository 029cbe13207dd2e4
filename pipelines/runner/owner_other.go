//go:build !unix

package runner

import "io/fs"

// ours cannot be told here. Temporary folders are each user's own.
func ours(fs.FileInfo) bool { return true }
