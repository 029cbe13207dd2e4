package commonplace

import (
	"bytes"
	"testing"
)

func TestPrintableWriter(t *testing.T) {
	var b bytes.Buffer
	w := NewPrintableWriter(&b)
	for _, c := range []byte("é\x1b語\u202e\u009b\n") { // byte by byte
		if n, err := w.Write([]byte{c}); n != 1 || err != nil {
			t.Fatal(n, err)
		}
	}
	if got, want := b.String(), "é\\u001b語\\u202e\\u009b\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
