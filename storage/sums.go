package storage

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
)

// HasSum reports whether a file has a SHA-256. One that cannot be read has none; the
// only error is the context's.
func HasSum(ctx context.Context, path, want string) (bool, error) {
	sum, err := SumOf(ctx, path)
	return err == nil && sum == want, ctx.Err()
}

// SumOf is the SHA-256 of a file's bytes.
func SumOf(ctx context.Context, path string) (string, error) {
	f, err := OpenInput(ctx, path)
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
