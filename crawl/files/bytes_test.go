package files

import (
	"context"
	"io"
	"strings"
	"testing"
)

// endless is a file of /proc: its size is 0, and it goes on.
type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

// What a limit left of a file is read for its hash, as far as the file's size goes.
func TestDrainEnds(t *testing.T) {
	for what, c := range map[string]struct {
		r    io.Reader
		size int64
		all  bool
	}{
		"as long as its size says": {strings.NewReader("abcdef"), 6, true},
		"shorter":                  {strings.NewReader("abc"), 6, true},
		"longer":                   {strings.NewReader("abcdefg"), 6, false},
		"without an end":           {endless{}, 0, false},
	} {
		h := &hashed{ctx: t.Context(), r: c.r}
		h.Read(make([]byte, 2))
		if all := h.drain(c.size); all != c.all {
			t.Errorf("%s: %v", what, all)
		}
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if (&hashed{ctx: stopped, r: endless{}}).drain(1 << 62) {
		t.Error("it does not stop")
	}
}
