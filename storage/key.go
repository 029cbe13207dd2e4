package storage

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
)

// Key names what a file is made from.
func Key(from ...any) string {
	sum := sha256.Sum256(MustJSON(from))
	return hex.EncodeToString(sum[:8])
}

// MustJSON is the JSON of a value of ours, which always has one.
func MustJSON(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // our own structs always marshal
	}
	return b
}
