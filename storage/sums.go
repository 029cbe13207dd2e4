package storage

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
)

// HasSum tells whether a file has a SHA-256. One that cannot be read has none.
func HasSum(path, want string) bool {
	sum, err := SumOf(path)
	return err == nil && sum == want
}

// SumOf is the SHA-256 of a file's bytes.
func SumOf(path string) (string, error) {
	f, err := OpenInput(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
