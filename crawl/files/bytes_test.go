package files

import (
	"context"
	"crypto/sha256"
	"io"
	"strings"
	"testing"
)

// endless is a file of /proc: its size is 0, and it goes on.
type endless struct{}

func (endless) Read(p []byte) (int, error) { return copy(p, strings.Repeat("a", len(p))), nil }

// What a limit left of a file is read for its hash, as far as the file's size goes and a byte
// more: a file that has grown since has another hash than the one that was listed.
func TestDrainEnds(t *testing.T) {
	for what, c := range map[string]struct {
		r    io.Reader
		size int64
		want string // what the hash is of
	}{
		"as long as its size says": {strings.NewReader("abcdef"), 6, "abcdef"},
		"shorter":                  {strings.NewReader("abc"), 6, "abc"},
		"longer":                   {strings.NewReader("abcdefgh"), 6, "abcdefg"},
		"longer, and read so far":  {strings.NewReader("abcdefgh"), 1, "ab"},
		"without an end":           {endless{}, 0, "aa"},
	} {
		h := &hashed{ctx: t.Context(), r: c.r, sum: sha256.New()}
		h.Read(make([]byte, 2))
		if err := h.drain(c.size); err != nil {
			t.Errorf("%s: %v", what, err)
		}
		if want := sha256.Sum256([]byte(c.want)); string(h.sum.Sum(nil)) != string(want[:]) {
			t.Errorf("%s: the hash is not that of %q", what, c.want)
		}
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if (&hashed{ctx: stopped, r: endless{}}).drain(1<<62) == nil {
		t.Error("it does not stop")
	}
}
