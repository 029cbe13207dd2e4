//go:build !unix

package storage

// itself cannot be asked for here.
const itself = 0
