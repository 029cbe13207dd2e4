package config

import "testing"

// TestShardsFollowTheBytes compares the default number of shards with a table: it grows
// with the root of the text, between its bounds.
func TestShardsFollowTheBytes(t *testing.T) {
	const mb = 1 << 20
	for _, c := range []struct {
		bytes  int64
		shards int
	}{
		{-1, 16}, {0, 16}, {32*mb - 1, 16}, {32 * mb, 32}, {267e6, 64}, {279e6, 64}, {774e6, 128},
		{2e9, 128}, {44e9, 1024}, {220e9, 2048}, {12e12, 4096}, {1 << 62, 4096},
	} {
		if got := ShardsFor(c.bytes); got != c.shards {
			t.Errorf("%d bytes: %d shards, want %d", c.bytes, got, c.shards)
		}
	}
}
